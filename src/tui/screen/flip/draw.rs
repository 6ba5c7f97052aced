//! Draws a flip: a column for the log's picture and a column for each picture that was sent.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length, Percentage};
use ratatui::layout::{Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::FlipView;
use crate::frame_output::{FrameOutput, ViewArea, uncovered_part};
use crate::graphics::Request;
use crate::picture::{FramePictures, Pictures};
use crate::screen::part::draw_text;
use crate::screen::sample::show_picture;
use crate::shared::{AppState, FrameNeeds};
use crate::widget::{fit, width};
use base::format::{counted, visible, visible_lines};
use media::Turn;
use workspace::page::Detail;
use workspace::picture::{Layers, marked, sources};
use workspace::sample_panel::sample_panels;

/// Minimum width of an answer's column, in cells.
const NARROWEST: u16 = 15;

/// Minimum screen height at which the question and its options get several lines.
const HIGH: u16 = 18;

/// Number of cells per row that word wrap can leave unused.
const BREAK: u16 = 12;

/// Draws a sample with its pictures and answers.
pub fn draw(
    view: &FlipView,
    shared: &AppState,
    frame: &mut Frame<'_>,
    room: ViewArea,
) -> FrameOutput {
    let here = view.here();
    let Some(first) = here.first() else {
        let text = "No sample is selected: press Enter on one in view 6.";
        return draw_text(shared, text, frame, room.area);
    };
    let mut drawn = FrameOutput {
        wanted: FrameNeeds {
            details: here.to_vec(),
            ..FrameNeeds::default()
        },
        ..FrameOutput::default()
    };
    let [head, _] = parts(room.area);
    if let Some(Ok(detail)) = shared.fetched.details.peek(first) {
        let lines = head_lines(view, shared, detail, head);
        frame.render_widget(Paragraph::new(lines).wrap(Wrap { trim: true }), head);
    }
    for (column, area) in columns(view, room.area) {
        let Some(row) = here.get(column) else {
            continue;
        };
        let of_column = ViewArea { area, ..room };
        match shared.fetched.details.peek(row) {
            Some(Ok(detail)) => {
                let column = FlipColumn {
                    detail,
                    is_log: detail.list.model != view.run,
                    is_here: column == view.column,
                    scrolled: view.scrolled,
                };
                column.draw(shared, &mut drawn.pictures, frame, of_column);
            }
            Some(Err(why)) => {
                let text = Line::styled(visible(why).into_owned(), shared.theme.error());
                frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
            }
            None => {}
        }
    }
    drawn
}

/// Splits the area into the lines at the top and the columns below.
fn parts(area: Rect) -> [Rect; 2] {
    let rows = if area.height >= HIGH { 5 } else { 3 };
    Layout::vertical([Length(rows), Fill(1)]).areas(area)
}

/// Returns the visible columns with their areas. If not all fit, returns the columns around the
/// cursor.
pub fn columns(view: &FlipView, area: Rect) -> Vec<(usize, Rect)> {
    let [_, below] = parts(area);
    let count = view.here().len();
    let fits = usize::from((below.width / NARROWEST).max(1)).min(count);
    let from = view.column.saturating_sub(fits / 2).min(count - fits);
    let places = Layout::horizontal(vec![Fill(1); fits]);
    let places = places.spacing(1).split(below).to_vec();
    (from..).zip(places).collect()
}

/// Returns the lines with the sample, its position in the list, and its question.
fn head_lines(
    view: &FlipView,
    shared: &AppState,
    detail: &Detail,
    head: Rect,
) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let listed = &detail.list;
    let place = format!("  sample {} of {}", view.at + 1, view.samples.len());
    let answers = counted(view.here().len() as u64, "answer");
    let question = listed
        .question
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let choices = detail.record.content.choices.iter();
    let options = choices.map(|choice| format!("{}. {}", choice.letter, choice.text));
    let options = options.collect::<Vec<_>>().join("  ");
    let asked = format!("{question}  {options}");
    let target = visible(&listed.target).into_owned();
    // Leave room for unused cells of word wrap, so that cut text always gets a mark.
    let taken = width(&target).saturating_add(9);
    let rows = head.height.saturating_sub(2);
    let broken = BREAK * rows.saturating_sub(1);
    let room = (head.width * rows).saturating_sub(taken + broken);
    let asked = fit(&visible(asked.trim_end()), room).into_owned();
    vec![
        Line::from(vec![
            Span::styled(visible(&listed.sample_id).into_owned(), theme.header()),
            Span::styled(format!("{place}, {answers}"), theme.dim()),
        ]),
        Line::from(vec![
            Span::styled("target ", theme.dim()),
            Span::styled(target, theme.target()),
            Span::styled(format!("  {asked}"), theme.dim()),
        ]),
    ]
}

/// A picture with its answer.
struct FlipColumn<'a> {
    detail: &'a Detail,
    /// True for the log's picture.
    is_log: bool,
    /// True for the column under the cursor.
    is_here: bool,
    /// Scroll position of the answer.
    scrolled: u16,
}

impl FlipColumn<'_> {
    fn draw(
        &self,
        shared: &AppState,
        shown: &mut FramePictures,
        frame: &mut Frame<'_>,
        room: ViewArea,
    ) {
        let (theme, detail) = (&shared.theme, self.detail);
        let [caption, picture, said] =
            Layout::vertical([Length(1), Percentage(45), Fill(1)]).areas(room.area);
        let condition = &detail.list.condition;
        let words = match (self.is_log, condition.as_str()) {
            (true, _) => format!("log: {}", detail.list.model),
            (false, "") => "as logged".to_owned(),
            (false, condition) => condition.to_owned(),
        };
        let style = if self.is_here {
            theme.cursor()
        } else {
            theme.header()
        };
        let words = fit(&visible(&words), caption.width).into_owned();
        frame.render_widget(Line::styled(words, style), caption);
        self.draw_picture(
            shared,
            shown,
            frame,
            ViewArea {
                area: picture,
                ..room
            },
        );
        let text = Paragraph::new(answer(shared, detail)).wrap(Wrap { trim: false });
        frame.render_widget(text.scroll((self.scrolled, 0)), said);
    }

    fn draw_picture(
        &self,
        shared: &AppState,
        shown: &mut FramePictures,
        frame: &mut Frame<'_>,
        room: ViewArea,
    ) {
        let detail = self.detail;
        let all = sources(&shared.table, detail);
        let known = marked(detail, None);
        let models = [detail.list.model.as_str(), ""];
        let panels = sample_panels(all, &known, &[], Layers::All, models);
        let Some(panel) = panels.into_iter().next() else {
            let text = Line::styled("no picture", shared.theme.dim());
            return frame.render_widget(text, room.area);
        };
        shown.areas.push(room.area);
        let covered = room.covered.filter(|_| shared.pictures.are_fragile());
        let area = covered.map_or(room.area, |covered| uncovered_part(room.area, covered));
        let name = panel.source.name();
        let request = Pictures::keyed(Request {
            key: 0,
            source: panel.source,
            area: (area.width, area.height),
            overlays: panel.overlays,
            layers: panel.maps,
            region: None,
            turn: Turn::NONE,
            budget: shared.pictures.budget(),
        });
        show_picture(shared, request, &visible(&name), shown, frame, area);
    }
}

/// Returns the verdict, the parsed answer, and the response.
fn answer(shared: &AppState, detail: &Detail) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    let list = &detail.list;
    let (sign, style, word) = match (list.invalid, list.correct) {
        (true, _) => ("?", theme.warning(), "could not be read"),
        (_, Some(right)) => {
            let (sign, style) = theme.verdict(right);
            (sign, style, if right { "right" } else { "wrong" })
        }
        (_, None) => ("·", theme.dim(), list.without_verdict()),
    };
    let read = detail.reading.as_ref();
    let read = read.map_or_else(String::new, |read| format!(": {}", read.answer));
    let verdict = format!("{sign} {word}{}", visible(&read));
    let target = format!("target {}", visible(&list.target));
    let said = detail.record.response.as_deref().unwrap_or_default();
    let said = visible_lines(said).into_owned();
    let mut lines = vec![
        Line::styled(verdict, style),
        Line::styled(target, theme.dim()),
        Line::default(),
    ];
    lines.extend(
        said.lines()
            .map(|line| Line::styled(line.to_owned(), theme.text())),
    );
    lines
}
