//! How pictures reach the screen, by asking the terminal.

use std::time::{Duration, Instant};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use graphics::{Environment, Images, Protocol, Terminal, probe};
use report::Finding;

/// How long the terminal may take.
const DEADLINE: Duration = Duration::from_secs(2);

/// The findings.
pub fn findings() -> Vec<Finding> {
    let can_ask = Environment::read().can_ask;
    let raw = can_ask && enable_raw_mode().is_ok();
    let start = Instant::now();
    let (terminal, _) = probe(Images::Auto, DEADLINE);
    let took = start.elapsed();
    if raw {
        // The terminal that cannot be left as it was found is gone.
        let _ = disable_raw_mode();
    }
    let mut found = vec![pictures(&terminal, can_ask)];
    if raw {
        // The reason says when there was none.
        let answered = !terminal.why.contains("answer");
        found.push(answer(took, answered));
    }
    found
}

fn pictures(terminal: &Terminal, can_ask: bool) -> Finding {
    let found = Finding::new("pictures", terminal.why.clone());
    match terminal.protocol {
        _ if !can_ask => found.better("run it without a pipe, so that the terminal can be asked"),
        Protocol::Blocks if terminal.multiplexed => found
            .better("tmux must let pictures through, and the terminal around it must know them"),
        Protocol::Blocks => {
            found.better("kitty, Ghostty, WezTerm, foot, iTerm2 or xterm -ti vt340 show them sharp")
        }
        _ => found,
    }
}

/// A question and its answer: what a key press takes at least to be seen.
fn answer(took: Duration, answered: bool) -> Finding {
    if !answered {
        return Finding::new("round trip", "no answer")
            .better("--images says by hand how pictures are shown");
    }
    let found = Finding::new(
        "round trip",
        format!("{} ms for a question and its answer", took.as_millis()),
    );
    if took > Duration::from_millis(300) {
        found.better("a slow line: --images blocks sends the fewest bytes a picture")
    } else {
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_and_silent_lines_are_told_apart() {
        assert_eq!(
            answer(Duration::from_millis(3), true).value,
            "3 ms for a question and its answer"
        );
        assert_eq!(answer(Duration::from_millis(3), true).better, "");
        assert!(
            answer(Duration::from_millis(400), true)
                .better
                .contains("blocks")
        );
        assert_eq!(answer(DEADLINE, false).value, "no answer");
    }
}
