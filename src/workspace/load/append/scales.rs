//! Determines the scale of boxes if the log does not state it, from all answers of a model in the
//! log.

use std::collections::BTreeMap;

use super::{Appender, Codes, prediction};
use crate::load::log_element::{Context, Row, Rows};
use base::format::compact;
use reader::Unit;
use record::Problem;
use scorer::{BoxScale, IN_DOUBT};

/// Number of boxes by the [`BoxScale`] with which each was read.
type Seen = BTreeMap<BoxScale, u64>;

/// Boxes in a log that does not state their scale, by the model's name in the log.
#[derive(Debug, Default)]
pub(super) struct Scales(BTreeMap<String, Seen>);

/// Minimum number of boxes in small pictures for determining the scale.
const SMALL: u64 = 10;

/// Minimum number of targets beyond 1000 for determining the scale as thousandths, if no answer is
/// beyond 1000.
const LARGE: u64 = 20;

/// Returns the value of the tag `box_scale` if boxes stay within 100 although their targets do not:
/// `100` (percent) or [`IN_DOUBT`]. `None` if there are too few such boxes.
fn within_hundred(seen: &Seen) -> Option<&'static str> {
    let within = seen.get(&BoxScale::Hundredths).copied().unwrap_or_default();
    let others = seen.values().sum::<u64>() - within;
    match within {
        0 => None,
        // Allow one mistake in twenty boxes.
        SMALL.. if others * 20 <= within => Some("100"),
        SMALL.. if others <= 2 * within => Some(IN_DOUBT),
        _ => (others == 0).then_some(IN_DOUBT),
    }
}

/// Returns the value of the tag `box_scale` for a model; `None` if there are too few boxes.
fn decided(seen: &Seen) -> Option<&'static str> {
    if let Some(scale) = within_hundred(seen) {
        return Some(scale);
    }
    let count = |scale| seen.get(&scale).copied().unwrap_or_default();
    let beyond = count(BoxScale::Thousandths);
    let small = beyond + count(BoxScale::FitsSmall);
    // If a quarter of the boxes exceed small pictures, the scale is thousandths. If at most one in
    // twenty does, it is pixels with a few mistakes.
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

/// Returns true if any box was read with another scale than `scale` before.
fn changes(seen: &Seen, scale: &str) -> bool {
    let is_else = |read: &BoxScale| (*read == BoxScale::Thousandths) != (scale == "1000");
    matches!(scale, IN_DOUBT | "100") || seen.keys().any(is_else)
}

impl Scales {
    /// Returns the scale of each model for which a box was read with another scale before.
    fn decided(&self) -> BTreeMap<String, &'static str> {
        let of = |(model, seen): (&String, &Seen)| {
            let scale = decided(seen).filter(|scale| changes(seen, scale))?;
            Some((model.clone(), scale))
        };
        self.0.iter().filter_map(of).collect()
    }
}

/// Returns a sentence about the scale of a model's boxes. `None` if the scale is clear and no box
/// was read differently.
fn message(model: &str, seen: &Seen) -> Option<String> {
    let count = |scale| compact(seen.get(&scale).copied().unwrap_or_default());
    let found = match count(BoxScale::Thousandths).as_str() {
        _ if within_hundred(seen).is_some() => format!(
            "{} of {} do not exceed 100, but their targets do",
            count(BoxScale::Hundredths),
            compact(seen.values().sum())
        ),
        "0" => "none exceeds 1000, but many targets do".to_owned(),
        beyond => format!(
            "{beyond} of {} do not fit their pictures as pixels",
            compact(seen.values().sum())
        ),
    };
    let other = within_hundred(seen).map_or("1000", |_| "100");
    let is_mixed = seen.contains_key(&BoxScale::Thousandths) && seen.len() > 1;
    let reading = match decided(seen) {
        Some(scale) if !changes(seen, scale) => return None,
        None if !is_mixed => return None,
        Some(IN_DOUBT) => &format!(
            ": the scale is in doubt, so boxes without a stated scale are not read; set the tag `box_scale` to \
             {other} or pixels"
        ),
        Some("1000") => {
            ": all are read as thousandths; if that is wrong, set the tag `box_scale` to pixels"
        }
        Some("100") => {
            ": all are read as percent; if that is wrong, set the tag `box_scale` to pixels"
        }
        Some(_) => ": all are read as pixels; if that is wrong, set the tag `box_scale` to 1000",
        None => {
            " and are read as thousandths, the others as pixels, though they may be thousandths too; set the tag \
             `box_scale` to 1000 or pixels"
        }
    };
    Some(format!("boxes of {model}: {found}{reading}"))
}

impl Appender<'_> {
    /// Counts a box without a stated scale. `scale` is the scale with which the box was read.
    pub(super) fn count_scale(&mut self, context: &Context, scale: Option<BoxScale>) {
        let Some(scale) = scale else { return };
        let seen = match self.scales.0.get_mut(&context.model) {
            Some(seen) => seen,
            None => self.scales.0.entry(context.model.clone()).or_default(),
        };
        *seen.entry(scale).or_default() += 1;
    }

    /// Replaces the scores of rows that are read again.
    pub(super) fn rescale(&mut self, rows: &Rows) {
        let codes: Vec<Option<Codes>> = rows.contexts.iter().map(|it| self.codes(it)).collect();
        for row in &rows.records {
            if let Some(codes) = &codes[row.context as usize] {
                self.rescale_row(row, rows.id(row), codes);
            }
        }
    }

    fn rescale_row(&mut self, row: &Row, id: &str, codes: &Codes) {
        let item = self.builder.item_of(codes.item(id), row.asked);
        let model = self.model(item.id, codes);
        // The answer may have been replaced by a later record on another line.
        if let Some(place) = self.builder.place_of(item.id, model)
            && (place.unit, u64::from(place.line)) == (self.unit, row.line)
        {
            let prediction = prediction(row, model, codes, place);
            self.builder.rescore(item.id, &prediction);
        }
    }

    /// Returns the log with the scales of its boxes if the log must be read again. This is needed
    /// if the answers of the whole run imply another scale than a single answer. Reports the
    /// scales.
    pub fn rescaled(&mut self, unit: &Unit) -> Option<Unit> {
        let whats = self.scales.0.iter();
        let whats: Vec<String> = whats
            .filter_map(|(model, seen)| message(model, seen))
            .collect();
        for what in whats {
            self.problem(Problem::file(&self.path, what));
        }
        let box_scales = self.scales.decided();
        self.source().box_scales = box_scales;
        self.is_rescaling = !self.source().box_scales.is_empty();
        self.is_rescaling.then(|| self.scaled(unit))
    }

    fn scaled(&mut self, unit: &Unit) -> Unit {
        Unit {
            box_scales: self.source().box_scales.clone(),
            ..unit.clone()
        }
    }

    /// Like [`Self::rescaled`], after appended rows were read. If they change a scale, everything
    /// must be read again.
    pub fn rescaled_on(&mut self, unit: &Unit) -> Option<Unit> {
        self.stale |= self.scales.decided() != self.source().box_scales;
        self.is_rescaling = !self.stale && !self.source().box_scales.is_empty();
        self.is_rescaling.then(|| self.scaled(unit))
    }
}

#[cfg(test)]
mod tests {
    use super::{BoxScale, IN_DOUBT, changes, decided};

    #[test]
    fn a_run_has_one_scale() {
        use BoxScale::{Fits, FitsLarge, FitsSmall, Hundredths, Pixels, Thousandths};
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
            (&[(Hundredths, 10)], Some("100"), true),
            (&[(Hundredths, 20), (FitsSmall, 1)], Some("100"), true),
            (&[(Hundredths, 10), (Fits, 1)], Some(IN_DOUBT), true),
            (&[(Hundredths, 10), (FitsSmall, 21)], Some("pixels"), false),
            (&[(Hundredths, 6)], Some(IN_DOUBT), true),
            (&[(Hundredths, 6), (Fits, 1)], None, false),
        ] {
            let seen = seen.iter().copied().collect();
            assert_eq!(decided(&seen), scale, "{seen:?}");
            let changed = scale.is_some_and(|scale| changes(&seen, scale));
            assert_eq!(changed, rereads, "{seen:?}");
        }
    }
}
