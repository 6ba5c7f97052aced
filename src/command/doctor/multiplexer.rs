//! Checks what tmux or screen passes through, and suggests the configuration line to pass more.

use std::process::Command;

use report::Finding;
use tui::graphics::Multiplexer;

/// Returns findings about tmux or screen; empty if neither is used.
pub fn findings(variable: impl Fn(&str) -> String) -> Vec<Finding> {
    let term = variable("TERM");
    match Multiplexer::from_variables(&variable) {
        None => return Vec::new(),
        Some(Multiplexer::Screen) => {
            let by = if variable("STY").is_empty() {
                format!("at the other end of the connection (from TERM={term})")
            } else {
                "detected from STY".to_owned()
            };
            let found = Finding::new("GNU screen", by);
            return vec![found.better("screen lets no pictures through: run eyechart outside it")];
        }
        Some(Multiplexer::Tmux) if variable("TMUX").is_empty() => {
            let far = format!("at the other end of the connection (from TERM={term})");
            let found = Finding::new("tmux", far).better(
                "on that machine, `set -g allow-passthrough on` in ~/.tmux.conf lets pictures through",
            );
            return vec![found];
        }
        Some(Multiplexer::Tmux) => {}
    }
    let version = tmux_output(&["-V"]).unwrap_or_else(|| "tmux".to_owned());
    let mut found = vec![passthrough(&version, &option("allow-passthrough"))];
    found.extend(clipboard(&option("set-clipboard")));
    found.extend(colours(&option("default-terminal")));
    found
}

fn option(name: &str) -> String {
    tmux_output(&["show-options", "-gqv", name]).unwrap_or_default()
}

/// Returns the output of a tmux command; `None` if it fails.
fn tmux_output(args: &[&str]) -> Option<String> {
    let output = Command::new("tmux").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn passthrough(version: &str, value: &str) -> Finding {
    match value {
        "on" | "all" => Finding::new("tmux", format!("{version}, allow-passthrough {value}")),
        "" => Finding::new("tmux", format!("{version}, without allow-passthrough"))
            .better("tmux 3.3 or newer lets pictures through"),
        other => Finding::new(
            "tmux",
            format!("{version}, allow-passthrough {other}: pictures only as half blocks"),
        )
        .better("`set -g allow-passthrough on` in ~/.tmux.conf"),
    }
}

fn clipboard(value: &str) -> Option<Finding> {
    let found = || {
        Finding::new("tmux copies", format!("set-clipboard {value}"))
            .better("`set -g set-clipboard on` in ~/.tmux.conf lets copies through to the terminal")
    };
    (value == "off" || value == "external").then(found)
}

fn colours(terminal: &str) -> Option<Finding> {
    let found = || {
        Finding::new("tmux colours", format!("default-terminal {terminal}"))
            .better("`set -g default-terminal tmux-256color` in ~/.tmux.conf")
    };
    (!terminal.is_empty() && !terminal.contains("256")).then(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_comes_with_the_line_that_adds_it() {
        assert_eq!(passthrough("tmux 3.5a", "on").better, "");
        assert!(
            passthrough("tmux 3.5a", "off")
                .better
                .contains("allow-passthrough on")
        );
        assert!(passthrough("tmux 3.1", "").better.contains("3.3"));
        assert_eq!((clipboard("on"), colours("tmux-256color")), (None, None));
        assert!(clipboard("external").is_some() && colours("screen").is_some());
    }

    #[test]
    fn tmux_far_away_is_known_by_its_term() {
        let with = |term: &'static str| {
            findings(move |name| if name == "TERM" { term } else { "" }.to_owned())
        };
        assert!(
            with("tmux-256color")[0]
                .better
                .contains("allow-passthrough")
        );
        assert!(with("xterm").is_empty());
    }

    #[test]
    fn no_advice_for_tmux_in_screen() {
        let variable = |name: &str| {
            let value = match name {
                "TERM" => "screen.xterm-256color",
                "STY" => "1.pts",
                _ => "",
            };
            value.to_owned()
        };
        let found = findings(variable);
        assert_eq!((found.len(), found[0].what.as_str()), (1, "GNU screen"));
        assert!(!format!("{found:?}").contains("tmux"));
    }
}
