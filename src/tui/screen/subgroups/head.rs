//! The line above the subgroups: models in the chart, tag and keys.

use super::bins::BinOrder;
use crate::action::Action;
use crate::keymap::ViewId;
use crate::shared::AppState;
use crate::widget::{fit_middle, width};
use base::format::visible;

/// Returns the tag of the split and its bins. The second text is empty for the default bins.
pub fn by(shared: &AppState) -> [String; 2] {
    let Some(split) = shared.split() else {
        return [String::new(), String::new()];
    };
    let is_even = split.parts.iter().any(|part| part.bins.is_some());
    let bins = match shared.cut.bins_text.as_deref() {
        _ if !shared.has_bins() => String::new(),
        None if is_even => ", ten or more in a bin".to_owned(),
        None | Some("") => String::new(),
        Some(text) => format!(", {text}"),
    };
    [split.name(), bins]
}

/// Returns `A clip   B siglip   by count, worst first  (tag 1 of 14, t next, ; list, # bins)`. If
/// it does not fit, first the part after the names is shortened, then the names.
pub fn words(shared: &AppState, models: &[String], order: BinOrder, room: u16) -> String {
    let with_names = |name_room: u16| {
        let names = models.iter().enumerate().map(|(at, model)| {
            let name = visible(model);
            format!(
                "{} {}",
                shared.theme.marker(at),
                fit_middle(&name, name_room)
            )
        });
        names.collect::<Vec<_>>().join("   ")
    };
    let names = with_names(u16::MAX);
    let rests = rests(shared, order);
    let mut whole = rests.iter().map(|rest| format!("{names}   {rest}"));
    whole.find(|text| width(text) <= room).unwrap_or_else(|| {
        let count = u16::try_from(models.len().max(1)).unwrap_or(u16::MAX);
        // Reserve space for the marker before each name and the gap after it.
        with_names((room / count).saturating_sub(5))
    })
}

/// Returns texts for the part after the names, longest first.
fn rests(shared: &AppState, order: BinOrder) -> [String; 4] {
    let [split, bins] = by(shared);
    let split = visible(&split);
    let key = |action| shared.key(ViewId::Subgroups, action);
    let change = if shared.has_bins() {
        format!(", {} bins", key(Action::NextBins))
    } else {
        String::new()
    };
    let [next, list] = [Action::NextTag, Action::ChooseTag].map(key);
    let keys = format!("{next} next, {list} list{change}");
    let worst = match order {
        BinOrder::Natural => "",
        BinOrder::WorstFirst => ", worst first",
    };
    let (at, all) = (shared.split_index() + 1, shared.answers.splits.len());
    [
        format!("by {split}{bins}{worst}  (tag {at} of {all}, {keys})"),
        format!("by {split}{worst}  (tag {at} of {all}, {keys})"),
        format!("by {split}{worst}  ({at} of {all}, {keys})"),
        format!("by {split}{worst}"),
    ]
}
