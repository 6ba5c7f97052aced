//! Reads from a log what a question asks for, the unit of its boxes, and the boxes of the answer.

use super::alike::is_scaled;
use super::direction::{self, ExpectedAnswer, StatedScale};
use record::{Content, Role, SentPart, Target};

/// Returns what a question asks for. A target that equals a box of the answer
/// counts as a question for a box.
pub fn expected_answer(content: &Content) -> ExpectedAnswer {
    if let Some(Target::Text(text)) = &content.target
        && target_boxes(content).next().is_some()
        && let Some(read) = scorer::box_of(text)
        && target_boxes(content).any(|known| is_scaled(read.corners, known))
    {
        return ExpectedAnswer::Box;
    }
    direction::expected_answer(&content.question)
}

/// Returns the boxes that the log marks as the answer.
pub fn target_boxes(content: &Content) -> impl Iterator<Item = [f64; 4]> {
    let known = content.boxes.iter();
    let known = known.filter(|known| known.role == Role::Target);
    known.map(|known| known.xyxy)
}

/// Returns the unit that a question states for its boxes, in its text or in the log's
/// messages and system prompt.
pub fn stated_scale(content: &Content) -> StatedScale {
    let sent = content.sent.iter();
    let system = sent.clone().filter_map(|sent| sent.system.as_deref());
    let messages = sent.flat_map(|sent| &sent.messages);
    let parts = messages
        .filter(|message| !message.by_model)
        .flat_map(|message| &message.parts);
    let texts = parts.filter_map(|part| match part {
        SentPart::Text(text) => Some(text.as_str()),
        SentPart::Picture(_) => None,
    });
    direction::stated_scale(
        [content.question.as_str()]
            .into_iter()
            .chain(system)
            .chain(texts),
    )
}
