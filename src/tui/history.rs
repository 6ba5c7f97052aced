//! Where the user has been: the way back, and forward again, with every cursor where it was.

use record::{Moved, Row};
use workspace::Lens;

use super::app::{App, Effect};
use super::keymap::View;
use super::screen::{FingerprintState, ListOf, ReliabilityState, SubgroupsState};
use super::widget::table::TableState;

/// Places that are remembered at most.
const LONGEST: usize = 200;

/// A place to come back to.
#[derive(Clone, Debug)]
pub struct Visit {
    /// The view.
    pub view: View,
    /// The lens that it had.
    pub lens: Lens,
    /// Its cursors.
    pub cursors: Cursors,
}

/// The cursors of all views.
#[derive(Clone, Debug, Default)]
pub struct Cursors {
    /// The fingerprint's.
    pub fingerprint: FingerprintState,
    /// The subgroups'.
    pub subgroups: SubgroupsState,
    /// The sample list's.
    pub samples: TableState,
    /// The prediction under the sample list's, which may be elsewhere in the list that comes.
    pub sample: Option<Row>,
    /// The reliability table's.
    pub reliability: ReliabilityState,
}

/// The places before and after the one on screen.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Where `back` leads, the nearest last.
    pub before: Vec<Visit>,
    /// Where `forward` leads, the nearest last.
    pub after: Vec<Visit>,
}

impl App {
    /// Goes to a view; `back` leads to this one.
    pub fn go(&mut self, view: View) -> Vec<Effect> {
        if view == self.view {
            return Vec::new();
        }
        self.remember();
        self.show(view)
    }

    /// Remembers this place as the one that `back` leads to.
    pub fn remember(&mut self) {
        let here = self.visit();
        self.history.before.push(here);
        self.history.after.clear();
        let extra = self.history.before.len().saturating_sub(LONGEST);
        self.history.before.drain(..extra);
    }

    /// Goes back to where the user was; at the beginning, takes the filter away, then the rest of the lens.
    pub fn back(&mut self) -> Vec<Effect> {
        if let Some(visit) = self.history.before.pop() {
            let here = self.visit();
            self.history.after.push(here);
            return self.return_to(visit);
        }
        if !self.lens.filter.is_empty() {
            return self.set_filter(String::new());
        }
        self.lens = self.lens.whole();
        self.refresh()
    }

    /// Goes to where `back` was last used.
    pub fn forward(&mut self) -> Vec<Effect> {
        let Some(visit) = self.history.after.pop() else {
            return Vec::new();
        };
        let here = self.visit();
        self.history.before.push(here);
        self.return_to(visit)
    }

    fn visit(&self) -> Visit {
        Visit {
            view: self.view,
            lens: self.lens.clone(),
            cursors: self.cursors(),
        }
    }

    /// Every cursor as it is now.
    pub fn cursors(&self) -> Cursors {
        Cursors {
            fingerprint: self.fingerprint,
            subgroups: self.subgroups.clone(),
            samples: self.samples.table,
            sample: self.row_under_cursor(),
            reliability: self.reliability,
        }
    }

    /// The prediction under the cursor of the sample list.
    pub fn row_under_cursor(&self) -> Option<Row> {
        let row = self.answers.samples.get(self.samples.table.selected);
        row.copied().map(Row)
    }

    /// Rows stand elsewhere: each cursor that is remembered goes with its prediction.
    pub fn renumber_cursors(&mut self, moved: &Moved) {
        let visits = self.history.before.iter_mut();
        let visits = visits.chain(&mut self.history.after);
        let cursors = visits.map(|visit| &mut visit.cursors);
        for cursors in cursors.chain(&mut self.awaited) {
            cursors.sample = cursors.sample.and_then(|row| moved.row(row));
        }
    }

    /// Puts every cursor where it was, and again when the answers come: until then lists may be too short.
    pub fn restore(&mut self, cursors: Cursors) {
        self.put(cursors.clone());
        self.awaited = Some(cursors);
    }

    fn put(&mut self, cursors: Cursors) {
        self.fingerprint = cursors.fingerprint;
        self.subgroups = cursors.subgroups;
        self.samples.table = cursors.samples;
        self.reliability = cursors.reliability;
    }

    /// The cursors that waited for an answer; a key in between is a newer wish.
    pub fn put_awaited(&mut self) {
        if let Some(cursors) = self.awaited.take() {
            self.put(cursors);
        }
    }

    fn return_to(&mut self, visit: Visit) -> Vec<Effect> {
        let asked_again =
            visit.lens.filter != self.lens.filter || visit.lens.scoring != self.lens.scoring;
        let mut cursors = visit.cursors;
        if visit.lens == self.lens {
            // The same list: its cursor has followed the samples that were looked at.
            cursors.samples = self.samples.table;
            cursors.sample = self.row_under_cursor();
        }
        self.lens = visit.lens;
        self.view = visit.view;
        self.restore(cursors);
        if asked_again {
            self.ask_all()
        } else {
            self.look_again()
        }
    }

    /// Takes another list of samples. The sample on screen stays there, or its answer by another model; a list that
    /// the lens has no part in, such as a spot check, is not replaced under it.
    pub fn receive_samples(&mut self, samples: Vec<u32>) -> Vec<Effect> {
        if self.view == View::Sample && self.audit.list != ListOf::Lens {
            return Vec::new();
        }
        let shown = self.row_under_cursor();
        let held = self.hold_sample();
        self.answers.samples = samples;
        self.audit.list = ListOf::Lens;
        self.keep_sample(held);
        let restored = self.awaited.as_ref().map(|cursors| cursors.sample);
        self.put_awaited();
        self.keep_sample(restored.flatten());
        if self.view != View::Sample {
            return Vec::new();
        }
        if let Some(shown) = shown.filter(|_| restored.is_none()) {
            self.stay_at(shown);
        }
        self.ask_view()
    }

    fn stay_at(&mut self, shown: Row) {
        let rows = &self.answers.samples;
        let item = self.table.item(shown);
        let same = rows.iter().position(|&row| Row(row) == shown);
        let at = same.or_else(|| {
            rows.iter()
                .position(|&row| self.table.item(Row(row)) == item)
        });
        self.samples.table.selected = at.unwrap_or_default();
        if at.is_none() {
            self.sample.reset_view();
        }
    }

    /// A sample is shown out of its list, which has to be there first.
    pub fn ask_list_of_sample(&self) -> Option<Effect> {
        let of_lens = self.audit.list == ListOf::Lens;
        (self.view == View::Sample && of_lens).then(|| self.ask_samples())
    }
}
