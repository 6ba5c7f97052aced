//! What the environment says about the terminal, read once.
//!
//! The only place of this crate that reads the environment, so everything else can be tested. The environment is a
//! hint: little of it travels over SSH, and some of it is stale in tmux.

use std::env;
use std::io::{self, IsTerminal};

use super::depth::ColorDepth;

/// Facts about the terminal that need no query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, not states"
)]
pub struct Environment {
    /// Standard input and output are both terminals, so the terminal can be queried.
    pub can_ask: bool,
    /// Standard output is a terminal.
    pub is_terminal: bool,
    /// `TERM` names a terminal that answers no queries, such as the Linux console.
    pub is_plain: bool,
    /// Inside tmux or screen, here or at the other end of an SSH connection.
    pub multiplexed: bool,
    /// Over SSH.
    pub remote: bool,
    /// The colour depth.
    pub depth: ColorDepth,
}

impl Environment {
    /// Reads the process's environment and standard streams.
    #[must_use]
    pub fn read() -> Self {
        let is_terminal = io::stdout().is_terminal();
        let can_ask = is_terminal && io::stdin().is_terminal();
        let variable = |name: &str| env::var(name).unwrap_or_default();
        Self::from_variables(can_ask, is_terminal, variable)
    }

    fn from_variables(can_ask: bool, is_terminal: bool, variable: impl Fn(&str) -> String) -> Self {
        let term = variable("TERM");
        let is_set = |name: &str| !variable(name).is_empty();
        let depth = if is_set("NO_COLOR") {
            ColorDepth::None
        } else {
            ColorDepth::from_words(&variable("COLORTERM"), &term)
        };
        Self {
            can_ask,
            is_terminal,
            is_plain: matches!(term.as_str(), "" | "dumb" | "linux"),
            multiplexed: is_set("TMUX") || term.starts_with("tmux") || term.starts_with("screen"),
            remote: is_set("SSH_CONNECTION") || is_set("SSH_TTY"),
            depth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(pairs: &[(&str, &str)]) -> Environment {
        Environment::from_variables(true, true, |name| {
            let found = pairs.iter().find(|(key, _)| *key == name);
            found.map_or_else(String::new, |(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn consoles_are_plain_and_emulators_are_not() {
        assert!(with(&[]).is_plain);
        assert!(with(&[("TERM", "linux")]).is_plain);
        assert!(!with(&[("TERM", "xterm-256color")]).is_plain);
    }

    #[test]
    fn tmux_is_known_by_its_variable_and_over_ssh_by_term() {
        assert!(with(&[("TERM", "xterm"), ("TMUX", "/tmp/x,1,0")]).multiplexed);
        assert!(with(&[("TERM", "tmux-256color")]).multiplexed);
        assert!(!with(&[("TERM", "xterm-kitty")]).multiplexed);
    }

    #[test]
    fn no_color_is_obeyed() {
        let colourful = [("TERM", "xterm"), ("COLORTERM", "truecolor")];
        assert_eq!(with(&colourful).depth, ColorDepth::True);
        let plain = [colourful[0], colourful[1], ("NO_COLOR", "1")];
        assert_eq!(with(&plain).depth, ColorDepth::None);
    }
}
