//! The words of the program about itself: what each view is for, and a tour of a minute.

use crossterm::event::KeyCode;

use super::app::{App, Effect};
use super::keymap::View;
use super::popup::Popup;

/// What a view shows and what to do in it, for somebody who sees it for the first time.
pub const fn words(view: View) -> &'static str {
    match view {
        View::Fingerprint => {
            "Each row is a model, each column an ability. A cell is the model's rank there: 1 is best, 2= is shared, \
             and a dim cell cannot be told apart from its neighbours by this many samples. Below stands what the \
             cell under the cursor is made of. Enter opens its samples."
        }
        View::Subgroups => {
            "One ability, split by a tag of its samples: box size, count, depth, data set. Each bin has its score, \
             interval and n, so that you see where a model breaks. t takes another tag, Enter opens the samples of a bin."
        }
        View::Samples => {
            "The predictions that the lens holds, the worst first. The line on top spells the lens out: benchmark, \
             ability, model, bin, filter. / narrows it, Enter opens one."
        }
        View::Sample => {
            "One sample: its picture with the target and what the model answered, the question, the response as it \
             came with the part that was read as the answer marked, and its score. n and p go on and back."
        }
        View::Compare => {
            "Two models on the samples that both answered. A difference counts only if a paired test, adjusted for \
             the number of tests shown, says so; otherwise the smallest difference that this n could have shown stands \
             there. Enter opens the samples on which they differ."
        }
        View::Reliability => {
            "Rotated benchmarks ask each question four times. VE is the share of right answers, RE the share of \
             questions right in all four. theta, r and g split that into what the model knows, how reliably it says \
             so, and how often it guesses right."
        }
        View::Live => {
            "Ask a live model again what the log asked: did it get worse, does it survive rotation, does it look at the \
             picture at all? Nothing is sent before you have seen what it takes. Every answer is kept as it comes; a \
             stopped run goes on with Enter on its row below the form, and the result opens beside the log."
        }
        View::Audit => {
            "Is the annotation right? Draw a random sample, give each a verdict with one key, and read the label error \
             rate with its bound, and what the ranks would be without the samples that you flagged."
        }
    }
}

/// A stop of the tour.
pub struct Stop {
    /// The view that it shows.
    pub view: View,
    /// What it is called.
    pub title: &'static str,
    /// What to see and what to press.
    pub text: &'static str,
}

/// The tour.
pub const TOUR: [Stop; 7] = [
    Stop {
        view: View::Fingerprint,
        title: "the fingerprint",
        text: "A model's row of ranks is its fingerprint. Move with the arrows; Space picks a model, and the chart shows \
               the picked ones. b goes to the next benchmark, v turns ranks into scores.",
    },
    Stop {
        view: View::Subgroups,
        title: "where it breaks",
        text: "The ability under the cursor, split by a tag. t takes another tag, x cuts it into other bins.",
    },
    Stop {
        view: View::Samples,
        title: "the samples behind a number",
        text: "Enter on any number opens exactly its samples. / filters them: correct:false tag.count:10.. says wrong \
               answers with ten objects or more.",
    },
    Stop {
        view: View::Sample,
        title: "one sample",
        text: "Picture, question, answer. z zooms to the box, o hides the boxes (while it is held, where the terminal \
               tells), n and p step through the list.",
    },
    Stop {
        view: View::Compare,
        title: "is A better than B",
        text: "Two models on the same samples, with a paired test. It says so when the data cannot tell.",
    },
    Stop {
        view: View::Audit,
        title: "is the label right",
        text: "Verdicts on annotations, one key each: an error rate with its bound, and the ranks without the bad labels.",
    },
    Stop {
        view: View::Fingerprint,
        title: "that is all",
        text: "? explains the view you are in, : finds any action by name, Esc walks back, q leaves.",
    },
];

impl App {
    /// A key while the tour is on: the same in every view. `None` when it is not a key of the tour.
    pub fn tour_key(&mut self, key: KeyCode) -> Option<Vec<Effect>> {
        let Some(Popup::Tour(at)) = self.popups.last() else {
            return None;
        };
        let next = match key {
            KeyCode::Enter | KeyCode::Right | KeyCode::Char(' ') => at + 1,
            KeyCode::Left | KeyCode::Backspace => at.saturating_sub(1),
            _ => return None,
        };
        Some(self.tour(next))
    }

    /// Goes to a stop of the tour; past its end the tour is over.
    pub fn tour(&mut self, at: usize) -> Vec<Effect> {
        self.popups.retain(|popup| !matches!(popup, Popup::Tour(_)));
        let Some(stop) = TOUR.get(at) else {
            return Vec::new();
        };
        self.popups.push(Popup::Tour(at));
        self.show(stop.view)
    }
}
