//! What was counted, before the user says so.

use ratatui::text::{Line, Span};

use crate::screen::live::LiveView;
use crate::shared::Shared;
use format::{counted, visible};
use workspace::rerun_worker::Counted;

/// What it takes, what is excluded, and the key that begins.
pub fn lines(live: &LiveView, shared: &Shared, told: &Counted) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let requests = told.requests(live.choice);
    let all = told.plan.len();
    let mut lines = Vec::new();
    if let Some(begun) = &told.begun {
        lines.push(Line::styled(
            format!(
                "{} of {all} answered, {} failed, {} could not be asked",
                begun.answered, begun.failed, begun.unasked
            ),
            theme.text(),
        ));
        if begun.lost > 0 {
            lines.push(Line::styled(
                format!(
                    "{} of it are not in the logs that are open",
                    counted(begun.lost as u64, "sample")
                ),
                theme.warning(),
            ));
        }
    }
    lines.push(Line::styled(
        told.estimate.of_some(requests).to_string(),
        theme.text(),
    ));
    lines.extend(told.plan.unfit.iter().map(|(why, count)| {
        let left = counted(*count as u64, "sample");
        Line::styled(format!("excluded, {why}: {left}"), theme.warning())
    }));
    if told.estimate.unaskable > 0.0 {
        let share = told.estimate.unaskable * 100.0;
        let words = format!(
            "about {share:.0} % cannot be asked: a picture is missing or damaged, or nothing would change"
        );
        lines.push(Line::styled(words, theme.warning()));
    }
    lines.push(Line::default());
    let model = visible(&told.plan.asking.model).into_owned();
    let asks = if told.estimate.is_here {
        format!(" asks {model} {}", counted(requests as u64, "question"))
    } else {
        format!(
            " sends {} to {model} at {}",
            counted(requests as u64, "request"),
            visible(&told.address)
        )
    };
    lines.push(Line::from(vec![
        Span::styled("r", theme.accent()),
        Span::styled(asks, theme.header()),
    ]));
    lines.push(Line::from(vec![
        Span::styled("x", theme.accent()),
        Span::styled(
            format!(
                " goes back; nothing was sent yet. The new run is to be called {}.",
                visible(&told.plan.asking.label)
            ),
            theme.dim(),
        ),
    ]));
    if all > 0 && requests == 0 {
        lines.push(Line::styled("Every answer is known.", theme.dim()));
    }
    lines
}
