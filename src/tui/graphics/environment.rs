//! Reads facts about the terminal from the environment, once.
//!
//! Other modules in `graphics` do not read the environment, so they can be tested. The environment
//! is only a hint: few variables are passed over SSH, and tmux keeps old values.

use std::env;
use std::io::{self, IsTerminal};

use super::depth::ColorDepth;
use super::images::Images;

/// A terminal multiplexer in which this process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Multiplexer {
    /// tmux, which passes sequences through if `allow-passthrough` is on.
    Tmux,
    /// GNU screen, which passes no pictures through.
    Screen,
}

impl Multiplexer {
    /// Detects the multiplexer in which this process runs, locally or at the other end of an SSH
    /// connection. `variable` returns the value of an environment variable, or an empty string.
    pub fn from_variables(variable: impl Fn(&str) -> String) -> Option<Self> {
        let term = variable("TERM");
        let is_set = |name: &str| !variable(name).is_empty();
        match (is_set("TMUX"), is_set("STY")) {
            // If tmux and screen run inside each other, both variables are set, and the inner
            // program sets `TERM`. Only GNU screen sets a `TERM` that starts with `screen.`.
            (true, true) | (false, false) if term.starts_with("screen.") => Some(Self::Screen),
            (true, _) => Some(Self::Tmux),
            (false, true) => Some(Self::Screen),
            (false, false) => {
                let is_far = term.starts_with("tmux") || term.starts_with("screen");
                is_far.then_some(Self::Tmux)
            }
        }
    }
}

/// A picture protocol suggested by an environment variable. The variable can come from another
/// terminal, so it is only shown to the user and never used for detection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Name of the variable.
    pub variable: &'static str,
    /// Value of `--images` that selects the protocol.
    pub images: Images,
}

/// Values of `TERM_PROGRAM` and `LC_TERMINAL` for programs with iTerm2's images.
const ITERM2_PROGRAMS: [&str; 9] = [
    "iTerm",
    "WezTerm",
    "mintty",
    "vscode",
    "Tabby",
    "Hyper",
    "rio",
    "Bobcat",
    "WarpTerminal",
];

impl Hint {
    fn from_variables(variable: impl Fn(&str) -> String) -> Option<Self> {
        let names_iterm2 = |name: &str| {
            let value = variable(name);
            ITERM2_PROGRAMS.iter().any(|known| value.contains(known))
        };
        let is_set = |name: &str| !variable(name).is_empty();
        let by = |variable, images| Some(Self { variable, images });
        let named = ["TERM_PROGRAM", "LC_TERMINAL"];
        let own = ["ITERM_SESSION_ID", "WEZTERM_EXECUTABLE", "KONSOLE_VERSION"];
        let kitty = ["KITTY_WINDOW_ID", "GHOSTTY_RESOURCES_DIR"];
        if let Some(name) = named.into_iter().find(|name| names_iterm2(name)) {
            return by(name, Images::Iterm2);
        }
        if let Some(name) = own.into_iter().find(|name| is_set(name)) {
            return by(name, Images::Iterm2);
        }
        let name = kitty.into_iter().find(|name| is_set(name))?;
        by(name, Images::Kitty)
    }
}

/// Facts about the terminal that need no query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent facts, not states"
)]
pub struct Environment {
    /// True if standard input and output are both terminals. Only then can the terminal be queried.
    pub can_ask: bool,
    /// True if standard output is a terminal.
    pub is_terminal: bool,
    /// True if `TERM` names a terminal that does not answer queries, such as the Linux console.
    pub is_plain: bool,
    /// The multiplexer in which this process runs, locally or at the other end of an SSH
    /// connection.
    pub multiplexer: Option<Multiplexer>,
    /// Picture protocol suggested by an environment variable.
    pub hint: Option<Hint>,
    /// True over SSH.
    pub remote: bool,
    /// Colour depth of the terminal.
    pub depth: ColorDepth,
}

impl Environment {
    /// Reads the process's environment and standard streams.
    pub fn read() -> Self {
        let is_terminal = io::stdout().is_terminal();
        let can_ask = is_terminal && io::stdin().is_terminal();
        let variable = |name: &str| env::var(name).unwrap_or_default();
        Self::from_variables(can_ask, is_terminal, variable)
    }

    pub(super) fn from_variables(
        can_ask: bool,
        is_terminal: bool,
        variable: impl Fn(&str) -> String,
    ) -> Self {
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
            multiplexer: Multiplexer::from_variables(&variable),
            hint: Hint::from_variables(&variable),
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
        let around = |pairs: &[(&str, &str)]| with(pairs).multiplexer;
        let tmux = ("TMUX", "/tmp/x,1,0");
        assert_eq!(around(&[("TERM", "xterm"), tmux]), Some(Multiplexer::Tmux));
        for term in ["tmux-256color", "screen-256color", "screen"] {
            assert_eq!(around(&[("TERM", term)]), Some(Multiplexer::Tmux), "{term}");
        }
        assert_eq!(around(&[("TERM", "xterm-kitty")]), None);
    }

    #[test]
    fn screen_is_not_taken_for_tmux() {
        let around = |pairs: &[(&str, &str)]| with(pairs).multiplexer;
        let (sty, tmux) = (("STY", "1.pts"), ("TMUX", "/tmp/x,1,0"));
        for pairs in [
            &[("TERM", "screen.xterm-256color"), sty][..],
            &[("TERM", "screen"), sty],
            &[("TERM", "screen.xterm-256color")],
            &[("TERM", "screen.xterm-256color"), sty, tmux],
        ] {
            assert_eq!(around(pairs), Some(Multiplexer::Screen), "{pairs:?}");
        }
        let inner = [("TERM", "tmux-256color"), sty, tmux];
        assert_eq!(around(&inner), Some(Multiplexer::Tmux));
    }

    #[test]
    fn a_variable_suggests_a_protocol() {
        let hint = |name, value| {
            let hint = with(&[(name, value)]).hint?;
            assert_eq!(hint.variable, name);
            Some(hint.images)
        };
        for (name, value) in [
            ("TERM_PROGRAM", "vscode"),
            ("TERM_PROGRAM", "iTerm.app"),
            ("LC_TERMINAL", "iTerm2"),
            ("ITERM_SESSION_ID", "w0t0p0"),
            ("WEZTERM_EXECUTABLE", "/x/wezterm"),
        ] {
            assert_eq!(hint(name, value), Some(Images::Iterm2), "{name}={value}");
        }
        assert_eq!(hint("KITTY_WINDOW_ID", "1"), Some(Images::Kitty));
        assert_eq!(hint("TERM_PROGRAM", "Apple_Terminal"), None);
    }

    #[test]
    fn no_color_is_obeyed() {
        let colourful = [("TERM", "xterm"), ("COLORTERM", "truecolor")];
        assert_eq!(with(&colourful).depth, ColorDepth::True);
        let plain = [colourful[0], colourful[1], ("NO_COLOR", "1")];
        assert_eq!(with(&plain).depth, ColorDepth::None);
    }
}
