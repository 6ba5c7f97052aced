//! Changes the tag, the bins and the model of the subgroups view, and opens pairs of models.

use super::App;
use super::turn::{turned, wrapped};
use crate::action::Action;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::popup::WinGrid;
use analysis::Split;
use base::format::{counted, visible};
use record::benchmark::Bins;

/// Bins that the subgroups view cycles through, each with its name on the command line.
const BINS: [(Option<Bins>, Option<&str>); 5] = [
    (None, None),
    (None, Some("")),
    (Some(Bins::Quantile(4)), Some("quantile:4")),
    (Some(Bins::Width(6)), Some("width:6")),
    (Some(Bins::Log(5)), Some("log:5")),
];

impl App {
    /// Splits by the next tag. In a comparison, skips tags of answers.
    pub(super) fn turn_split(&mut self, step: isize) -> Vec<Effect> {
        let shared = &self.shared;
        let splits = &shared.answers.splits;
        let is_wanted =
            |split: &&Split| shared.view != ViewId::Compare || !split.is_of_answers(&shared.table);
        let mut at = shared.split_index();
        let next = std::iter::repeat_with(|| {
            at = wrapped(at, step, splits.len());
            splits.get(at)
        });
        let split = next.take(splits.len()).flatten().find(is_wanted);
        let tag = split.and_then(|split| split.parts.first());
        self.shared.cut.tag = tag.map(|part| part.name.clone());
        self.refresh()
    }

    /// Splits by a tag, with the cursor on its first bin.
    pub(super) fn split_by(&mut self, tag: String) -> Vec<Effect> {
        self.shared.cut.tag = Some(tag);
        self.views.subgroups.dots.selected = 0;
        self.refresh()
    }

    /// Switches to the next bins. Only numeric tags have bins.
    pub(super) fn next_bins(&mut self) -> Vec<Effect> {
        if !self.shared.has_bins() {
            let Some(split) = self.shared.split() else {
                return self.notify("no tag splits these samples");
            };
            let name = split.name();
            let words = format!(
                "{} has names, not numbers, so there are no bins to change",
                visible(&name)
            );
            return self.notify(words);
        }
        let mut choices = BINS.to_vec();
        // Without automatic bins, this choice would repeat the default bins.
        if self.shared.even_bins().is_none() {
            choices.retain(|(_, text)| *text != Some(""));
        }
        let text = self.shared.cut.bins_text.as_deref();
        let at = choices.iter().position(|(_, known)| *known == text);
        let next = (at.unwrap_or_default() + 1) % choices.len();
        let (bins, text) = choices.swap_remove(next);
        self.shared.cut.bins = bins;
        self.shared.cut.bins_text = text.map(str::to_owned);
        self.refresh()
    }

    /// Shows the chart of the next model. Deselects all models, because the chart prefers selected
    /// models.
    pub(super) fn turn_charted(&mut self, step: isize) -> Vec<Effect> {
        let shared = &mut self.shared;
        let from = shared.charted().into_iter().next();
        let selected = std::mem::take(&mut shared.picked).len() as u64;
        if selected > 0 {
            let key = shared.key(shared.view, Action::NextModel);
            let selected = counted(selected, "model");
            shared.notice = Some(format!("{selected} deselected: {key} shows one model"));
        }
        shared.lens.model = turned(&shared.models(), from.as_ref(), step);
        self.look_again()
    }

    /// Shows the pairs of models for the ability under the cursor. The cursor starts on the two
    /// compared models. Without a comparison, it starts on the model under the cursor and the best
    /// other model.
    pub(super) fn open_wins(&mut self) -> Vec<Effect> {
        let shared = &mut self.shared;
        if shared.view == ViewId::Compare {
            if let Some(ability) = self.views.compare.ability(shared) {
                shared.point_at_ability(&ability);
            }
            let pair = shared.compared();
            return self.pop_up(WinGrid::at(pair));
        }
        let known = shared.answered();
        let here = shared.models().into_iter().nth(shared.cell.row);
        let pair = here.and_then(|here| {
            let other = known.into_iter().find(|model| *model != here)?;
            Some([here, other])
        });
        self.pop_up(WinGrid::at(pair))
    }
}
