//! Where the rows of a table stand in the table that took its place.

use std::collections::HashMap;

use record::{ItemId, Row, Table};

/// The new row of each old one; `u32::MAX` for one that is gone.
#[must_use]
pub fn moved(old: &Table, new: &Table) -> Vec<u32> {
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
    let key = |table: &Table, item: u32| {
        let at = item as usize;
        let ability = table.ability_of().get(at).copied().unwrap_or_default();
        let condition = table.condition_of().get(at).copied().unwrap_or_default();
        (u32::from(ability), u32::from(condition))
    };
    let new_items: HashMap<(u32, u32, &str), u32> = (0..count(new.sample_of()))
        .map(|item| {
            let (ability, condition) = key(new, item);
            ((ability, condition, new.sample_id(ItemId(item))), item)
        })
        .collect();
    let items: Vec<Option<u32>> = (0..count(old.sample_of()))
        .map(|item| {
            let (ability, condition) = key(old, item);
            let ability = *abilities.get(ability as usize)?;
            let condition = *conditions.get(condition as usize)?;
            let key = (ability?, condition?, old.sample_id(ItemId(item)));
            new_items.get(&key).copied()
        })
        .collect();
    let new_rows: HashMap<(u32, u16), u32> = (0..count(new.item_of()))
        .map(|row| ((new.item(Row(row)).0, new.model(Row(row)).0), row))
        .collect();
    let row = |row: u32| {
        let item = *items.get(old.item(Row(row)).0 as usize)?;
        let model = *models.get(usize::from(old.model(Row(row)).0))?;
        let model = u16::try_from(model?).ok()?;
        new_rows.get(&(item?, model)).copied()
    };
    (0..count(old.item_of()))
        .map(|old| row(old).unwrap_or(u32::MAX))
        .collect()
}

fn codes<T>(old: &[T], find: impl Fn(&T) -> Option<u32>) -> Vec<Option<u32>> {
    old.iter().map(find).collect()
}

fn count(column: &[u32]) -> u32 {
    u32::try_from(column.len()).unwrap_or(u32::MAX)
}
