//! Checks the environment: terminal name, size, colours, characters, and SSH.

use std::io::{IsTerminal, stdout};

use report::Finding;
use tui::widget::theme::ColorDepth;

/// Minimum columns and rows at which every view fits.
const SMALLEST: (u16, u16) = (80, 24);

/// Returns findings about the environment. `variable` returns a variable's value, empty if unset.
pub fn findings(variable: impl Fn(&str) -> String) -> Vec<Finding> {
    vec![
        terminal(&variable),
        size(
            stdout()
                .is_terminal()
                .then(|| crossterm::terminal::size().ok())
                .flatten(),
        ),
        colours(&variable),
        characters(&variable),
        line(&variable),
        clipboard(&variable),
    ]
}

/// Finds the terminal's name from its own variables, which can be inherited from another terminal,
/// and from `TERM`.
fn terminal(variable: impl Fn(&str) -> String) -> Finding {
    let term = variable("TERM");
    let brands = [
        ("KITTY_WINDOW_ID", "kitty"),
        ("WEZTERM_PANE", "WezTerm"),
        ("GHOSTTY_RESOURCES_DIR", "Ghostty"),
        ("ALACRITTY_WINDOW_ID", "Alacritty"),
        ("WT_SESSION", "Windows Terminal"),
        ("KONSOLE_VERSION", "Konsole"),
        ("VTE_VERSION", "a VTE terminal"),
        ("XTERM_VERSION", "xterm"),
    ];
    let program = [variable("TERM_PROGRAM"), variable("TERM_PROGRAM_VERSION")].join(" ");
    let named = Some(program.trim()).filter(|name| !name.is_empty());
    let named = named.map(|name| format!("{name} (from TERM_PROGRAM)"));
    let known = brands.iter().find(|(name, _)| !variable(name).is_empty());
    let brand = named.or_else(|| known.map(|(name, brand)| format!("{brand} (from {name})")));
    let brand = brand.unwrap_or_else(|| "unknown".to_owned());
    match term.as_str() {
        "" => Finding::new("terminal", format!("{brand}, TERM is not set"))
            .better("export TERM=xterm-256color, or the value in the terminal's manual"),
        _ => Finding::new("terminal", format!("{brand}, TERM={term}")),
    }
}

fn size(size: Option<(u16, u16)>) -> Finding {
    let Some((columns, rows)) = size else {
        return Finding::new("size", "output is not a terminal")
            .better("run doctor in the terminal that the UI will use");
    };
    let found = Finding::new("size", format!("{columns} x {rows} characters"));
    if columns < SMALLEST.0 || rows < SMALLEST.1 {
        found.better("80 x 24 shows every view completely")
    } else {
        found
    }
}

fn colours(variable: impl Fn(&str) -> String) -> Finding {
    let depth = ColorDepth::of_environment(|name| Some(variable(name)));
    let said = ["NO_COLOR", "COLORTERM", "TERM"].map(|name| (name, variable(name)));
    let said = said.iter().find(|(_, value)| !value.is_empty());
    let why = said.map_or_else(
        || "no variable is set".to_owned(),
        |(name, value)| format!("{name}={value}"),
    );
    let more = "export COLORTERM=truecolor if the terminal has 24-bit colours; over SSH, SendEnv COLORTERM";
    match depth {
        ColorDepth::True => Finding::new("colours", format!("24 bits ({why})")),
        ColorDepth::Ansi256 => Finding::new("colours", format!("256 ({why})")).better(more),
        ColorDepth::Ansi16 => Finding::new("colours", format!("16 ({why})")).better(more),
        ColorDepth::None if variable("NO_COLOR").is_empty() => {
            Finding::new("colours", format!("none ({why})"))
                .better("set TERM to a value with colours, such as xterm-256color")
        }
        ColorDepth::None => Finding::new("colours", format!("none, as requested ({why})")),
    }
}

/// Checks that the locale is UTF-8, for bars, braille and half blocks.
fn characters(variable: impl Fn(&str) -> String) -> Finding {
    let said = ["LC_ALL", "LC_CTYPE", "LANG"].map(|name| (name, variable(name)));
    let Some((name, value)) = said.iter().find(|(_, value)| !value.is_empty()) else {
        return Finding::new("characters", "no locale is set").better("export LANG=C.UTF-8");
    };
    let found = Finding::new("characters", format!("{name}={value}"));
    let plain = value.to_lowercase().replace('-', "");
    if plain.contains("utf8") {
        found
    } else {
        found.better("set a UTF-8 locale, such as LANG=C.UTF-8: charts use its characters")
    }
}

fn line(variable: impl Fn(&str) -> String) -> Finding {
    let from = variable("SSH_CONNECTION");
    match from.split_whitespace().next() {
        Some(client) => Finding::new(
            "line",
            format!("SSH from {client}: pictures are compressed"),
        ),
        None if !variable("SSH_TTY").is_empty() => {
            Finding::new("line", "SSH: pictures are compressed")
        }
        None => Finding::new("line", "local, not over SSH"),
    }
}

fn clipboard(variable: impl Fn(&str) -> String) -> Finding {
    let found = Finding::new(
        "clipboard",
        "copied text is sent as OSC 52; terminals do not confirm it",
    );
    if variable("VTE_VERSION").is_empty() {
        found
    } else {
        found.better("older VTE terminals ignore OSC 52: select text with Shift and the mouse")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)], what: &str) -> Finding {
        let variable = |name: &str| {
            let found = pairs.iter().find(|(known, _)| *known == name);
            found.map_or_else(String::new, |(_, value)| (*value).to_owned())
        };
        let found = findings(variable);
        found.into_iter().find(|found| found.what == what).unwrap()
    }

    #[test]
    fn colours_say_who_said_so() {
        let found = with(&[("TERM", "xterm-256color")], "colours");
        assert_eq!(found.value, "256 (TERM=xterm-256color)");
        assert!(found.better.contains("COLORTERM"));
        let found = with(&[("TERM", "xterm"), ("COLORTERM", "truecolor")], "colours");
        assert_eq!(
            (found.value.as_str(), found.better.as_str()),
            ("24 bits (COLORTERM=truecolor)", "")
        );
        let found = with(&[("TERM", "xterm"), ("NO_COLOR", "1")], "colours");
        assert_eq!(
            (found.value.as_str(), found.better.as_str()),
            ("none, as requested (NO_COLOR=1)", "")
        );
        assert!(!with(&[("TERM", "dumb")], "colours").better.is_empty());
    }

    #[test]
    fn the_locale_must_be_utf8() {
        assert_eq!(with(&[("LANG", "de_DE.UTF-8")], "characters").better, "");
        assert_eq!(with(&[("LANG", "C.utf8")], "characters").better, "");
        assert!(
            !with(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")], "characters")
                .better
                .is_empty()
        );
        assert!(!with(&[], "characters").better.is_empty());
    }

    #[test]
    fn the_terminal_and_the_line_are_named() {
        assert_eq!(
            with(
                &[("TERM", "xterm-kitty"), ("KITTY_WINDOW_ID", "1")],
                "terminal"
            )
            .value,
            "kitty (from KITTY_WINDOW_ID), TERM=xterm-kitty"
        );
        let named = [
            ("TERM_PROGRAM", "WezTerm"),
            ("TERM_PROGRAM_VERSION", "2026"),
            ("TERM", "xterm"),
        ];
        assert_eq!(
            with(&named, "terminal").value,
            "WezTerm 2026 (from TERM_PROGRAM), TERM=xterm"
        );
        assert!(!with(&[], "terminal").better.is_empty());
        assert!(
            with(&[("SSH_CONNECTION", "10.0.0.7 1 10.0.0.8 22")], "line")
                .value
                .contains("10.0.0.7")
        );
        assert!(!size(Some((60, 24))).better.is_empty());
        assert_eq!(size(Some((80, 24))).better, "");
    }
}
