//! Shows progress in the terminal's tab or taskbar (OSC 9;4).

use crate::app::App;
use crate::graphics::Terminal;
use crate::shared::Loading;

/// Name prefixes of terminals that show progress. Other terminals may show the sequence as a
/// notification.
const TERMINALS: [&str; 4] = ["ghostty", "WezTerm", "Konsole", "mintty"];
/// First version of iTerm2 that shows progress.
const ITERM2: [u32; 3] = [3, 6, 6];

/// State of the progress bar.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProgressBar {
    is_known: bool,
    shown: Option<u8>,
}

impl ProgressBar {
    /// Creates the bar for a terminal. In unknown terminals and multiplexers, the bar is off.
    pub fn new(terminal: &Terminal) -> Self {
        let is_known = !terminal.multiplexed && terminal.name().is_some_and(shows_progress);
        let shown = None;
        Self { is_known, shown }
    }

    /// Returns the sequence that shows this percentage; `None` removes the bar. Returns an empty
    /// text if nothing changed.
    pub fn sequence(&mut self, percent: Option<u8>) -> String {
        if !self.is_known || self.shown == percent {
            return String::new();
        }
        self.shown = percent;
        match percent {
            Some(percent) => format!("\x1b]9;4;1;{percent}\x1b\\"),
            None => "\x1b]9;4;0;\x1b\\".to_owned(),
        }
    }
}

fn shows_progress(name: &str) -> bool {
    if let Some(version) = name.strip_prefix("iTerm2 ") {
        let parts = version.split('.').map(|part| part.parse().unwrap_or(0));
        return parts.collect::<Vec<u32>>().as_slice() >= ITERM2.as_slice();
    }
    TERMINALS.iter().any(|known| name.starts_with(known))
}

/// Returns the percentage of the rerun in progress, otherwise of reading. Returns `None` if neither
/// is in progress.
pub fn percent(app: &App) -> Option<u8> {
    let [done, all] = match (app.views.live.in_progress(), &app.shared.loading) {
        (Some(run), _) => run,
        (None, Loading::Running(progress)) => [progress.done, progress.total],
        (None, _) => return None,
    };
    let percent = done.saturating_mul(100) / all.max(1);
    u8::try_from(percent.min(100)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_terminals_that_show_progress_are_sent_any() {
        for (name, shows) in [
            ("ghostty 1.3.1", true),
            ("WezTerm 20240203-110809", true),
            ("iTerm2 3.6.10", true),
            ("iTerm2 3.5.9", false),
            ("kitty(0.40.0)", false),
            ("XTerm(379)", false),
        ] {
            assert_eq!(shows_progress(name), shows, "{name}");
        }
    }

    #[test]
    fn a_percentage_is_sent_once() {
        let mut bar = ProgressBar {
            is_known: true,
            shown: None,
        };
        let percents = [None, Some(3), Some(3), Some(4), None, None];
        let sent = percents.map(|percent| bar.sequence(percent));
        let [three, four] = [3, 4].map(|part| format!("\x1b]9;4;1;{part}\x1b\\"));
        assert_eq!(sent, ["", &three, "", &four, "\x1b]9;4;0;\x1b\\", ""]);
        let mut other = ProgressBar::default();
        assert_eq!(other.sequence(Some(3)), "");
    }
}
