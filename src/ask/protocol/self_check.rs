//! Protocol `self-check`: asks the model whether it is sure, and compares both answers.

use std::sync::Arc;

use super::finding;
use crate::step::{Change, Step};
use crate::summary::Summary;
use crate::template::Template;

/// The second message. It does not reveal whether the answer was right.
const WORDS: &str = "Are you sure? Look at the picture again and check your answer. Then give your final answer in the \
                     same form as before.";

/// The log's question, then the second message in the same conversation.
pub fn steps() -> Vec<Step> {
    let first = Step::labelled("check", "first", Change::None);
    let again = Step {
        follows: Some(Arc::new(Template::fixed("self-check", WORDS))),
        asks_whether_sure: true,
        ..Step::labelled("check", "again", Change::None)
    };
    vec![first, again]
}

/// Reports changes from right to wrong and back, and tests the difference.
pub fn finding(found: &Summary) -> Vec<String> {
    let mut words = Vec::new();
    if found.always_right().1 > 0 {
        words.push(format!(
            "when asked whether it is sure: right to wrong {}, wrong to right {}",
            found.share(|rights| rights == [true, false]),
            found.share(|rights| rights == [false, true])
        ));
    }
    words.extend(finding::between(found, 0, 1));
    if found.answered > 0 {
        words.push(format!(
            "samples whose answer changed: {}",
            found.changed_share()
        ));
    }
    words
}
