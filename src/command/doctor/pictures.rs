//! Asks the terminal how it can display pictures.

use std::time::{Duration, Instant};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

use report::Finding;
use tui::graphics::{Environment, Images, Multiplexer, Protocol, Terminal, probe};

/// Time limit for the terminal's reply.
const DEADLINE: Duration = Duration::from_secs(2);

/// Returns findings about the terminal's name, its picture protocol and its reply time.
pub fn findings() -> Vec<Finding> {
    let around = Environment::read();
    let raw = around.can_ask && enable_raw_mode().is_ok();
    let start = Instant::now();
    let (terminal, _) = probe(Images::Auto, DEADLINE);
    let took = start.elapsed();
    if raw {
        // If this fails, the terminal is closed.
        let _ = disable_raw_mode();
    }
    let mut found: Vec<Finding> = terminal
        .name()
        .map(|name| Finding::new("own name", format!("{name} (from the terminal's reply)")))
        .into_iter()
        .collect();
    found.push(pictures(&terminal, around));
    if raw {
        found.push(answer(took, terminal.has_answered()));
    }
    found
}

fn pictures(terminal: &Terminal, around: Environment) -> Finding {
    let found = Finding::new("pictures", terminal.why.clone());
    match (terminal.protocol, around.multiplexer, around.hint) {
        _ if !around.can_ask => {
            found.better("run doctor without a pipe, so that the terminal can be queried")
        }
        (Protocol::Blocks, Some(Multiplexer::Tmux), _) => found
            .better("tmux must let pictures through, and the terminal outside must support them"),
        (Protocol::Blocks, None, Some(hint)) => found.better(format!(
            "{} suggests the protocol {}, but may come from another terminal: try --images {}",
            hint.variable, hint.images, hint.images
        )),
        (Protocol::Blocks, None, None) => {
            found.better("kitty, Ghostty, WezTerm, foot, iTerm2 or xterm -ti vt340 show them sharp")
        }
        _ => found,
    }
}

/// Returns the finding about the terminal's reply time. No key press can take effect sooner.
fn answer(took: Duration, answered: bool) -> Finding {
    if !answered {
        return Finding::new("round trip", "no answer")
            .better("--images sets how pictures are shown");
    }
    let found = Finding::new(
        "round trip",
        format!("{} ms for a query and its reply", took.as_millis()),
    );
    if took > Duration::from_millis(300) {
        found.better("slow connection: --images blocks sends the fewest bytes per picture")
    } else {
        found
    }
}

#[cfg(test)]
mod tests {
    use tui::graphics::{ColorDepth, Hint};

    use super::*;

    #[test]
    fn what_a_variable_suggests_is_a_guess() {
        let around = |hint, multiplexer| Environment {
            can_ask: true,
            is_terminal: true,
            is_plain: false,
            multiplexer,
            hint,
            remote: false,
            depth: ColorDepth::True,
        };
        let better = |around: Environment| {
            pictures(&Terminal::unasked(Protocol::Blocks, "", around), around).better
        };
        let hint = Some(Hint {
            variable: "LC_TERMINAL",
            images: Images::Iterm2,
        });
        let guess = better(around(hint, None));
        assert!(
            guess.contains("LC_TERMINAL") && guess.contains("--images iterm2"),
            "{guess}"
        );
        assert_eq!(better(around(hint, Some(Multiplexer::Screen))), "");
        assert!(better(around(None, None)).contains("Ghostty"));
    }

    #[test]
    fn slow_and_silent_lines_are_told_apart() {
        assert_eq!(
            answer(Duration::from_millis(3), true).value,
            "3 ms for a query and its reply"
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
