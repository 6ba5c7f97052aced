//! What the boxes of a run count in where nothing states it: decided over all answers of a model in a log.

use std::collections::BTreeMap;

use super::{Appender, prediction};
use crate::load::log_element::{Context, Row, Rows};
use format::compact;
use reader::Unit;
use record::Problem;
use scorer::{BoxScale, IN_DOUBT};

/// Per model, as the log spells it: how many boxes were read as each [`BoxScale`].
#[derive(Debug, Default)]
pub(super) struct Scales(BTreeMap<String, BTreeMap<BoxScale, u64>>);

/// Fewest boxes in small pictures that decide.
const SMALL: u64 = 10;

/// Fewest targets beyond a thousand, with all answers below it, that decide for thousandths.
const LARGE: u64 = 20;

/// Value of the tag `box_scale` for a model; `None` where its boxes do not suffice to decide, and each is read alone.
fn decided(seen: &BTreeMap<BoxScale, u64>) -> Option<&'static str> {
    let count = |scale| seen.get(&scale).copied().unwrap_or_default();
    let beyond = count(BoxScale::Thousandths);
    let small = beyond + count(BoxScale::FitsSmall);
    // A quarter beyond small pictures: thousandths; one in twenty: pixels with a few mistakes.
    let by_small = (small >= SMALL).then_some(match beyond {
        beyond if beyond * 4 >= small => "1000",
        beyond if beyond * 20 <= small => "pixels",
        _ => IN_DOUBT,
    });
    let by_large = match (count(BoxScale::Pixels), count(BoxScale::FitsLarge)) {
        (0, LARGE..) => Some("1000"),
        (0, _) => None,
        _ => Some("pixels"),
    };
    match (by_small, by_large) {
        (Some(small), Some(large)) if small != large => Some(IN_DOUBT),
        (small, large) => small.or(large),
    }
}

/// Whether a decision reads any box otherwise than it was read alone.
fn changes(seen: &BTreeMap<BoxScale, u64>, scale: &str) -> bool {
    let is_else = |read: &BoxScale| (*read == BoxScale::Thousandths) != (scale == "1000");
    scale == IN_DOUBT || seen.keys().any(is_else)
}

impl Appender<'_> {
    /// Counts a box whose scale its picture shows.
    pub(super) fn count_scale(&mut self, context: &Context, scale: Option<BoxScale>) {
        let Some(scale) = scale else { return };
        let seen = match self.scales.0.get_mut(&context.model) {
            Some(seen) => seen,
            None => self.scales.0.entry(context.model.clone()).or_default(),
        };
        *seen.entry(scale).or_default() += 1;
    }

    /// Replaces the scores of the rows of a log that is read once more.
    pub(super) fn rescale(&mut self, rows: &Rows) {
        for row in &rows.records {
            self.rescale_row(rows, row);
        }
    }

    fn rescale_row(&mut self, rows: &Rows, row: &Row) -> Option<()> {
        let codes = self.codes(&rows.contexts[row.context as usize])?;
        let item = self
            .builder
            .item(codes.ability, codes.condition, rows.id(row), row.asked);
        let model = self.model(item.id, codes);
        let place = self.builder.place(item.id, model)?;
        if (place.unit, u64::from(place.line)) == (self.unit, row.line) {
            let prediction = prediction(row, model, codes, place);
            self.builder.rescore(item.id, &prediction);
        }
        Some(())
    }

    /// The log with the scales of its boxes, if the whole run shows others than single answers did: it has to be read
    /// once more. Reports what was decided, or that it could not be.
    pub fn rescaled(&mut self, unit: &Unit) -> Option<Unit> {
        let mut box_scales = BTreeMap::new();
        for (model, seen) in std::mem::take(&mut self.scales.0) {
            let count = |scale| compact(seen.get(&scale).copied().unwrap_or_default());
            let scale = decided(&seen);
            let found = match count(BoxScale::Thousandths).as_str() {
                "0" => "none exceeds 1000, but many targets do".to_owned(),
                beyond => format!(
                    "{beyond} of {} do not fit their pictures as pixels",
                    compact(seen.values().sum())
                ),
            };
            let what = match scale {
                Some(scale) if !changes(&seen, scale) => continue,
                Some(IN_DOUBT) => format!(
                    "boxes of {model}: {found}: the scale is in doubt, so boxes without a stated \
                     scale are not read; set the tag `box_scale` to 1000 or pixels"
                ),
                Some("1000") => format!(
                    "boxes of {model}: {found}: all are read as thousandths; if that is wrong, set the tag \
                     `box_scale` to pixels"
                ),
                Some(_) => format!(
                    "boxes of {model}: {found}: all are read as pixels; if that is wrong, set the tag `box_scale` \
                     to 1000"
                ),
                None if seen.contains_key(&BoxScale::Thousandths) && seen.len() > 1 => format!(
                    "boxes of {model}: {found} and are read as thousandths, the others as pixels, though they may be \
                     thousandths too; set the tag `box_scale` to 1000 or pixels"
                ),
                None => continue,
            };
            self.problem(Problem::file(&self.path, what));
            if let Some(scale) = scale {
                box_scales.insert(model, scale);
            }
        }
        self.source().box_scales.clone_from(&box_scales);
        self.is_rescaling = !box_scales.is_empty();
        self.is_rescaling.then(|| Unit {
            box_scales,
            ..unit.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{BoxScale, IN_DOUBT, changes, decided};

    #[test]
    fn a_run_has_one_scale() {
        use BoxScale::{Fits, FitsLarge, FitsSmall, Pixels, Thousandths};
        for (seen, scale, rereads) in [
            (&[(FitsSmall, 10)][..], Some("pixels"), false),
            (&[(FitsSmall, 99), (Thousandths, 1)], Some("pixels"), true),
            (&[(FitsSmall, 4), (Thousandths, 6)], Some("1000"), true),
            (&[(Thousandths, 12)], Some("1000"), false),
            (&[(Thousandths, 12), (Fits, 1)], Some("1000"), true),
            (&[(FitsSmall, 9), (Thousandths, 1)], Some(IN_DOUBT), true),
            (&[(FitsSmall, 4), (Thousandths, 1)], None, false),
            (&[(FitsLarge, 20)], Some("1000"), true),
            (&[(FitsLarge, 19)], None, false),
            (&[(FitsLarge, 20), (Pixels, 1)], Some("pixels"), false),
            (&[(FitsLarge, 20), (FitsSmall, 10)], Some(IN_DOUBT), true),
            (&[(Pixels, 1), (Thousandths, 12)], Some(IN_DOUBT), true),
            (&[(Fits, 500)], None, false),
        ] {
            let seen = seen.iter().copied().collect();
            assert_eq!(decided(&seen), scale, "{seen:?}");
            let changed = scale.is_some_and(|scale| changes(&seen, scale));
            assert_eq!(changed, rereads, "{seen:?}");
        }
    }
}
