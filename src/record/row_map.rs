//! Maps the rows of a table to the rows of its replacement.

use super::identity::places;
use super::{Row, Table};

/// Map from the rows of a table to the rows of its replacement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum RowMap {
    /// Rows keep their numbers; new rows can follow at the end.
    #[default]
    Nowhere,
    /// New row of each old row; `None` if the row was removed.
    To(Vec<Option<Row>>),
}

impl RowMap {
    /// Matches the predictions in `old` and `new` by their keys.
    pub fn between(old: &Table, new: &Table) -> Self {
        let models = codes(old.names().models.values(), |name| {
            new.names().models.find(name)
        });
        let abilities = codes(old.names().abilities.values(), |ability| {
            new.names().abilities.find(ability)
        });
        let conditions = codes(&old.names().conditions, |condition| {
            let mut known = new.names().conditions.iter();
            let at = known.position(|known| known == condition)?;
            u32::try_from(at).ok()
        });
        let items = old.item_codes().map(|(ability, condition, split, id)| {
            let ability = abilities[usize::from(ability)]?;
            Some((ability, conditions[usize::from(condition)]?, split, id))
        });
        let items = places(&items.collect::<Vec<_>>(), new.item_codes());
        let rows = old.row_codes();
        let rows = rows.map(|(item, model)| items[item as usize].zip(models[usize::from(model)]));
        let rows = places(&rows.collect::<Vec<_>>(), new.row_codes());
        Self::To(rows.into_iter().map(|row| row.map(Row)).collect())
    }

    /// Returns the new row of an old row; `None` if the row was removed.
    pub fn row(&self, row: Row) -> Option<Row> {
        match self {
            Self::Nowhere => Some(row),
            Self::To(rows) => rows[row.0 as usize],
        }
    }
}

/// Returns the new code of each old value; `None` if the new table does not have it.
fn codes<T>(old: &[T], find: impl Fn(&T) -> Option<u32>) -> Vec<Option<u16>> {
    let code = |value| find(value).and_then(|code| u16::try_from(code).ok());
    old.iter().map(code).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Ability, Labels, Prediction, PredictionKey, RequestFingerprint, TableBuilder, Value,
    };

    /// Builds a table from predictions given as `(sample, model, turn)`.
    fn table(rows: &[(&str, &str, f64)]) -> Table {
        let mut builder = TableBuilder::default();
        for (id, model, turn) in rows {
            let ability = Ability {
                benchmark: "b".to_owned(),
                name: format!("a{}", id.len()),
            };
            let ability = builder.ability(&ability).unwrap();
            let labels = Labels::from([("turn".to_owned(), Value::Number(*turn))]);
            let condition = builder.condition(&labels).unwrap();
            let item = builder.item(ability, condition, id, RequestFingerprint::default());
            if item.new {
                builder.describe(&crate::Content::default(), None, f64::NAN);
            }
            let model = builder.model(model).unwrap();
            let metric = builder.metric("m").unwrap();
            let prediction = Prediction::scored(model, metric, 1.0);
            builder.push(item.id, &prediction, &[]);
        }
        builder.finish()
    }

    #[test]
    fn rows_are_found_by_their_identity_wherever_they_stand() {
        let old = table(&[
            ("x", "m", 0.0),
            ("x", "n", 0.0),
            ("yy", "m", 90.0),
            ("z", "m", 0.0),
        ]);
        let new = table(&[
            ("yy", "m", 0.0),
            ("yy", "m", 90.0),
            ("x", "o", 0.0),
            ("x", "n", 0.0),
            ("x", "m", 0.0),
        ]);
        let moved = RowMap::between(&old, &new);
        let rows = [Some(Row(4)), Some(Row(3)), Some(Row(1)), None];
        assert_eq!(moved, RowMap::To(rows.to_vec()));
        let keys: Vec<PredictionKey> = (0..4).map(|row| old.key(Row(row))).collect();
        assert_eq!(new.find_all(&keys), rows);
        assert_eq!(old.find(&keys[2]), Some(Row(2)));
        assert_ne!(old.generation(), new.generation());
    }

    #[test]
    fn each_content_has_a_generation_of_its_own() {
        let table = table(&[("x", "m", 0.0)]);
        assert_eq!(table.clone().generation(), table.generation());
        let judged = table.clone().with_verdicts(vec![1]);
        assert_ne!(judged.generation(), table.generation());
        assert_ne!(judged.generation(), Table::default().generation());
    }
}
