//! Steps of each protocol.

use std::sync::Arc;

use super::Protocol;
use crate::step::{Change, Step};
use crate::template::Template;
use analysis::{TWIN, TWINS};
use media::{Orientation, Turn};
use record::{ROTATION, Value};

/// Shares of the picture's area that the object takes.
const SHARES: [f64; 3] = [0.1, 0.25, 0.5];

/// Default temperature of repeats and votes; with 0, all of them would be equal.
const TEMPERATURE: f64 = 0.7;

/// The second message of `self-check`. It does not reveal whether the answer was right.
const WORDS: &str = "Are you sure? Look at the picture again and check your answer. Then give your final answer in the \
                     same form as before.";

impl Protocol {
    /// Returns the steps at which each sample is asked.
    pub fn steps(&self) -> Vec<Step> {
        match self {
            Self::Vanilla => vec![Step::default()],
            Self::Rotational => {
                let step = |turn: Turn| {
                    Step::labelled(ROTATION, f64::from(turn.degrees()), Change::Turn(turn))
                };
                Turn::EACH.map(step).into()
            }
            Self::Twin => {
                let step = |name: &str, change| Step::labelled(TWIN, name, change);
                let [mirrored, flipped] = TWINS;
                vec![
                    step("original", Change::None),
                    step(mirrored, Change::Mirror(Orientation::MIRRORED)),
                    step(flipped, Change::Mirror(Orientation::FLIPPED)),
                ]
            }
            Self::Blind => vec![Step::labelled("picture", "blank", Change::Blank)],
            Self::Boxes => vec![Step::labelled("boxes", Value::Flag(true), Change::Boxes)],
            Self::NoBoxes => vec![Step::labelled("boxes", Value::Flag(false), Change::None)],
            Self::Crop => {
                let whole = Step::labelled("crop", 0.0, Change::None);
                let closer = SHARES.map(|share| Step::labelled("crop", share, Change::Crop(share)));
                std::iter::once(whole).chain(closer).collect()
            }
            Self::Prompts(templates) => {
                let step = |template: &Arc<Template>| Step {
                    wording: Some(Arc::clone(template)),
                    ..Step::labelled("prompt", template.name.as_str(), Change::None)
                };
                templates.iter().map(step).collect()
            }
            // If the run has a seed, each repeat has its own ([`Step::seed`]): with a common seed,
            // all answers could be equal.
            Self::Repeat(count) => {
                let step = |repeat: u32| Step {
                    repeat,
                    temperature: Some(TEMPERATURE),
                    ..Step::labelled("repeat", f64::from(repeat + 1), Change::None)
                };
                (0..*count).map(step).collect()
            }
            Self::Effort(levels) => {
                let step = |level: &String| Step {
                    effort: Some(level.clone()),
                    ..Step::labelled("effort", level.as_str(), Change::None)
                };
                levels.iter().map(step).collect()
            }
            Self::Edited(edited) => vec![Step {
                wording: edited.words.clone(),
                temperature: edited.temperature,
                edited: Some(Arc::clone(edited)),
                ..Step::labelled("variant", edited.name.as_str(), Change::None)
            }],
            Self::Follow(turns) => {
                let turn = |at: u32| Step::labelled("turn", f64::from(at), Change::None);
                let later = (2..).zip(turns).map(|(at, words)| Step {
                    follows: Some(Arc::clone(words)),
                    ..turn(at)
                });
                std::iter::once(turn(1)).chain(later).collect()
            }
            Self::SelfCheck => {
                let again = Step {
                    follows: Some(Arc::new(Template::fixed("self-check", WORDS))),
                    asks_whether_sure: true,
                    ..Step::labelled("check", "again", Change::None)
                };
                vec![Step::labelled("check", "first", Change::None), again]
            }
            Self::Votes(count) => vec![Step {
                votes: *count,
                temperature: Some(TEMPERATURE),
                ..Step::labelled("votes", f64::from(*count), Change::None)
            }],
            Self::Chain(_) | Self::EachTask(_) => vec![Step {
                is_of_parts: true,
                ..Step::default()
            }],
        }
    }
}
