//! Tests randomly damaged responses. Each ends within the limits in `modes`, and never makes the
//! program print the key. To test more responses, or to repeat one:
//!
//! ```text
//! EYECHART_MODES=500 cargo test --release --test live modes -- --nocapture
//! EYECHART_MODES_FROM=42 EYECHART_MODES=1 cargo test --release --test live modes_by_chance
//! ```

use std::sync::atomic::{AtomicUsize, Ordering};

use super::amount::amount;
use super::damage;
use super::dice::Dice;
use super::log::Log;
use super::modes::{ANSWER, ended, event, faults};
use super::wire::{Piece, Script, Wire, bytes, events, json, one_model};

/// Default number of responses.
const USUAL: usize = 8;
/// Events of a streamed response.
const EVENTS: [&str; 4] = [
    r#"{"id":"1","choices":[{"index":0,"delta":{"role":"assistant","content":"The answer"}}]}"#,
    r#"{"id":"1","choices":[{"index":0,"delta":{"content":" is A","reasoning_content":"so"}}]}"#,
    r#"{"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
    r#"{"id":"1","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":4}}"#,
];

/// Number of the current response. Only one test uses it, so nothing runs in parallel.
static CASE: AtomicUsize = AtomicUsize::new(0);

fn answer(_: &str) -> Vec<Piece> {
    let mut dice = Dice::new("modes", CASE.load(Ordering::Relaxed) as u64);
    let body = || EVENTS.iter().map(|json| bytes(event(json)));
    let mut pieces: Vec<Piece> = match dice.below(3) {
        0 => vec![json(ANSWER)],
        1 => vec![json(r#"{"error":{"message":"no room","code":1}}"#)],
        _ => std::iter::once(events())
            .chain(body())
            .chain([bytes("data: [DONE]\n\n")])
            .collect(),
    };
    // Usually, the head of the response is not damaged.
    let spared = usize::from(pieces.len() > 1 && !dice.one_in(4));
    let at = spared + dice.below(pieces.len() - spared);
    let Piece::Bytes(whole) = &mut pieces[at] else {
        return pieces;
    };
    *whole = damage::text(&mut dice, std::mem::take(whole));
    if dice.one_in(8) {
        pieces.push(Piece::Endless(b"data: {}\n\n".to_vec()));
    }
    pieces
}

#[test]
fn an_answer_damaged_by_chance_ends_within_the_bounds() {
    let from = amount("EYECHART_MODES_FROM", 0);
    let (mut wrong, count) = (Vec::new(), amount("EYECHART_MODES", USUAL));
    for case in from..from + count {
        CASE.store(case, Ordering::Relaxed);
        let (log, wire) = (
            Log::new(1),
            Wire::new(Script {
                chat: answer,
                models: one_model,
            }),
        );
        let ended = ended(&log, &wire, false);
        let name = format!("case {case}");
        let questions = wire.seen.questions.load(Ordering::Relaxed);
        let expected = (ended.outcome.as_str(), questions);
        wrong.extend(faults(&name, expected, (&log, &wire), &ended));
        if ended.outcome == "hangs" || questions > 8 || ended.output.contains("panicked") {
            wrong.push(format!(
                "{name}: {} after {questions}: {}",
                ended.outcome, ended.output
            ));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
