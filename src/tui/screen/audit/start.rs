//! The audit before anything was judged: what it is, and the key that starts it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::drawn::Drawn;
use crate::keymap::ViewId;
use crate::screen::part::say;
use crate::shared::Shared;
use format::visible;

/// Draws the screen.
pub fn draw(shared: &Shared, size: usize, frame: &mut Frame<'_>, area: Rect) -> Drawn {
    let theme = &shared.theme;
    if shared.is_published_only() {
        let text = "Published scores have no samples to judge; b leads to the next benchmark.";
        return say(shared, text, frame, area);
    }
    let text = |text: &str| Line::styled(text.to_owned(), theme.text());
    let dim = |text: String| Line::styled(text, theme.dim());
    let audit = |action| shared.key(ViewId::Audit, action);
    let sample = |action| shared.key(ViewId::Sample, action);
    let of = shared.lens.ability.as_deref().map_or_else(
        || "all abilities".to_owned(),
        |ability| visible(ability).into_owned(),
    );
    let lines = vec![
        Line::default(),
        Line::styled("How many labels are wrong?", theme.header()),
        Line::default(),
        text("A spot check draws samples at random, spread over abilities and data sets."),
        text("You judge each label with one key; the models' answers stay hidden."),
        text("It tells the label error rate, and which ranks depend on wrong labels."),
        Line::default(),
        Line::from(vec![
            Span::styled(format!("  {}  ", audit(Action::SpotCheck)), theme.accent()),
            Span::styled(format!("draw {size} samples of {of}"), theme.text()),
            Span::styled(
                format!(
                    "   {} {} more or fewer   {} ability",
                    audit(Action::LargerCheck),
                    audit(Action::SmallerCheck),
                    audit(Action::NextAbility)
                ),
                theme.dim(),
            ),
        ]),
        Line::default(),
        dim("The same keys judge any sample in the lists:".to_owned()),
        dim(format!(
            "{} ok   {} wrong label   {} ambiguous   {} bad image   {} note   {} undo",
            sample(Action::JudgeOk),
            sample(Action::JudgeWrongLabel),
            sample(Action::JudgeAmbiguous),
            sample(Action::JudgeBadImage),
            sample(Action::Note),
            sample(Action::UndoVerdict)
        )),
        dim(format!(
            "Likely label errors first: {} in Samples until it says suspect.",
            shared.key(ViewId::Samples, Action::SortNext)
        )),
        Line::default(),
        dim(format!(
            "Verdicts of {} go to {}",
            visible(&shared.verdicts.author),
            visible(&shared.verdicts.place)
        )),
    ];
    frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: false }), area);
    Drawn::default()
}
