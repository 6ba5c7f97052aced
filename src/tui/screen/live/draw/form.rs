//! Draws the form. The request count or the earlier runs are below it.

use ratatui::Frame;
use ratatui::layout::Constraint::{Fill, Length};
use ratatui::layout::{Layout, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use crate::action::Action;
use crate::screen::MIN_HEIGHT_BELOW;
use crate::screen::live::LiveView;
use crate::shared::AppState;
use crate::view::View as _;
use crate::widget::prose::rows_of_all;
use crate::widget::{fit, width};
use ask::{Protocol, Temperature, USUAL_PORTS, local_model};
use base::format::{compact, counted, visible};

use super::super::field::FormField;
use super::super::state::LiveStage;
use super::{earlier, protocols};

/// Width of the field names, in cells.
const NAMES: usize = 13;
/// Width of the values, in cells. It is fixed, so that the remarks do not move.
const VALUES: usize = 18;

/// Splits the area into head, form and the rest below.
fn parts(live: &LiveView, area: Rect) -> [Rect; 3] {
    let rows = u16::try_from(live.fields().len()).unwrap_or(u16::MAX);
    Layout::vertical([Length(3), Length(rows + 1), Fill(1)]).areas(area)
}

/// Returns the form's row at a screen position.
pub fn row_at(live: &LiveView, area: Rect, (x, y): (u16, u16)) -> Option<usize> {
    let is_form = live.stage.is_form();
    let [area, _] = protocols::parts(live, area);
    let [_, form, _] = parts(live, area);
    let row = usize::from(y.checked_sub(form.y)?);
    let is_row = is_form && form.contains(Position { x, y }) && row < live.fields().len();
    is_row.then_some(row)
}

/// Returns the area that form, list of protocols and earlier runs leave free.
pub fn below(live: &LiveView, shared: &AppState, area: Rect) -> Rect {
    let [left, list] = protocols::parts(live, area);
    let [_, _, rest] = parts(live, left);
    let told = rows_of_all(&ready(live, shared), rest.width);
    let form = (rest.y - area.y).saturating_add(told + earlier::height(live));
    let taken = form.max(protocols::height(list)).saturating_add(1);
    Rect {
        y: area.y.saturating_add(taken),
        height: area.height.saturating_sub(taken),
        ..area
    }
}

/// Draws the form, with a remark on each value.
pub fn render(live: &LiveView, shared: &AppState, frame: &mut Frame<'_>, area: Rect) {
    let whole = area;
    let [area, list] = protocols::parts(live, area);
    protocols::render(live, shared, frame, list);
    let [head, form, below] = parts(live, area);
    let theme = &shared.theme;
    let head_lines = vec![
        Line::styled("Rerun: ask a live model again", theme.header()),
        Line::styled(what(live, shared), theme.dim()),
    ];
    frame.render_widget(Paragraph::new(head_lines), head);
    let lines: Vec<Line<'_>> = live
        .fields()
        .into_iter()
        .map(|field| row(live, shared, field, form.width))
        .collect();
    frame.render_widget(Paragraph::new(lines), form);
    let (told, details) = match &live.stage {
        LiveStage::Counting => {
            let words = "Contacting the server and counting …   x cancels";
            (vec![Line::styled(words, theme.dim())], Vec::new())
        }
        LiveStage::Counted(counted) => super::counted::lines(live, shared, counted),
        _ => (ready(live, shared), Vec::new()),
    };
    let height = rows_of_all(&told, below.width);
    let told = Paragraph::new(told).wrap(Wrap { trim: false });
    let [told_at, rest] = Layout::vertical([Length(height), Fill(1)]).areas(below);
    frame.render_widget(told, told_at);
    if matches!(live.stage, LiveStage::Form) {
        let samples = live
            .drill_down(shared)
            .map(|_| self::below(live, shared, whole));
        let height = if samples.is_some_and(|samples| samples.height >= MIN_HEIGHT_BELOW) {
            earlier::height(live)
        } else {
            rest.height
        };
        earlier::render(live, shared, frame, Rect { height, ..rest });
    } else {
        let details = super::paged::Paged {
            lines: details,
            page: live.count_page,
            turns: Action::PageDown,
        };
        details.render(shared, frame, rest);
    }
}

fn ready(live: &LiveView, shared: &AppState) -> Vec<Line<'static>> {
    let theme = &shared.theme;
    if live.exam.is_none() && shared.is_published_only(&shared.lens.benchmark) {
        let text = "Published scores have no samples to ask about; b goes to the next benchmark.";
        return vec![Line::styled(text, theme.dim())];
    }
    let counts = match &live.form_data.asks_first {
        None if live.exam.is_some() => {
            " draws the exam, and shows its precision and cost before anything is sent".to_owned()
        }
        None => " counts requests, tokens and cost; nothing is sent before you confirm".to_owned(),
        Some((address, key)) => format!(
            " asks {} for its models{}, and counts; no question is sent before you confirm",
            visible(address),
            super::counted::with_key(key.as_ref())
        ),
    };
    let mut lines = vec![Line::from(vec![
        Span::styled("r", theme.accent()),
        Span::styled(counts, theme.dim()),
    ])];
    lines.push(Line::styled(servers(live), theme.dim()));
    let ticks = live.exam.is_none().then(|| {
        Line::from(vec![
            Span::styled("Space", theme.accent()),
            Span::styled(
                " ticks several values of a row; they run side by side",
                theme.dim(),
            ),
        ])
    });
    lines.extend(ticks);
    if let Some(trouble) = &live.trouble {
        lines.push(Line::default());
        lines.push(Line::styled(visible(trouble).into_owned(), theme.error()));
    }
    lines
}

/// Describes which local ports were checked for model servers, and which servers answered.
fn servers(live: &LiveView) -> String {
    let ports = USUAL_PORTS.map(|(port, _)| port.to_string()).join(", ");
    match live.servers.as_deref() {
        None => format!("looking for model servers on local ports {ports} …"),
        Some([]) => format!("no model server on local ports {ports}"),
        Some(found) => {
            let found = found.iter().map(|server| {
                let count = counted(server.models.len() as u64, "model");
                format!("{} (usually {}, {count})", server.address, server.usual)
            });
            let found = found.collect::<Vec<_>>().join("; ");
            format!("found {found}; tried local ports {ports}")
        }
    }
}

/// Describes the samples to ask about.
fn what(live: &LiveView, shared: &AppState) -> String {
    if let Some(counted) = live.stage.counted_alone()
        && let Some(begun) = &counted.begun
    {
        return format!("continues {}", visible(&begun.run));
    }
    if live.exam.is_some() {
        return "an exam: fresh questions with known answers, the same for every model".to_owned();
    }
    if live.row.is_some() {
        return "the sample from the last screen; r in Samples reruns all listed ones".to_owned();
    }
    let more = match shared.lens.filter.as_str() {
        "" => "; / selects fewer",
        _ => "",
    };
    format!(
        "the samples of {}, {}{more}",
        visible(&shared.lens.benchmark),
        shared.lens_words()
    )
}

fn row(live: &LiveView, shared: &AppState, field: FormField, room: u16) -> Line<'static> {
    let (theme, live) = (&shared.theme, &live);
    let value = live.value(field);
    let is_here = live.run.is_none() && field == live.field;
    let style = if is_here {
        theme.cursor()
    } else {
        theme.text()
    };
    let value = match (field, value.as_str()) {
        (FormField::Against, "") => same(live, shared),
        (FormField::Model, "") => visible(&default_model(live)).into_owned(),
        (FormField::Protocol, "vanilla") => "vanilla: as logged".to_owned(),
        // The whole path does not fit, so show only the file's name.
        (FormField::Protocol, value) if value.starts_with("file:") => {
            let name = std::path::Path::new(value).file_stem().unwrap_or_default();
            visible(&format!("file:{}", name.to_string_lossy())).into_owned()
        }
        (_, "") => "–".to_owned(),
        (_, value) => visible(value).into_owned(),
    };
    let is_turned = !matches!(
        field,
        FormField::Model
            | FormField::Words
            | FormField::System
            | FormField::Tokens
            | FormField::Seed
    );
    let sign = if is_here && is_turned {
        "‹ ›"
    } else {
        "   "
    };
    let gap = VALUES.saturating_sub(usize::from(width(&value)));
    let taken = NAMES + 1 + usize::from(width(&value)) + gap + 5;
    let room = room.saturating_sub(u16::try_from(taken).unwrap_or(u16::MAX));
    let beside = fit(&visible(&field_details(live, field)), room).into_owned();
    Line::from(vec![
        Span::styled(format!("{:NAMES$} ", field.name()), theme.dim()),
        Span::styled(value, style),
        Span::raw(" ".repeat(gap)),
        Span::styled(format!(" {sign} "), theme.dim()),
        Span::styled(beside, theme.dim()),
    ])
}

/// Returns the model that is used if the field is empty: the built-in encoder, or the model that
/// the server reported. Returns a dash until it is known.
fn default_model(live: &LiveView) -> String {
    match live.stage.counted_alone() {
        Some(counted) => counted.plan.asking.model.clone(),
        None => local_model(&live.endpoint).unwrap_or_else(|| "–".to_owned()),
    }
}

/// Returns the model to compare with if the field is empty.
fn same(live: &LiveView, shared: &AppState) -> String {
    let asked = match live.model.as_str() {
        "" => default_model(live),
        named => named.to_owned(),
    };
    let is_known = |model: &str| shared.table.names().models.find(model).is_some();
    if live.ticked_words(FormField::Model).is_some() || is_known(&asked) {
        return "same model".to_owned();
    }
    let of_lens = shared.lens.model.as_deref();
    of_lens.map_or_else(
        || "first model in log".to_owned(),
        |model| visible(model).into_owned(),
    )
}

/// Returns the remark next to a field's value.
fn field_details(live: &LiveView, field: FormField) -> String {
    if let Some(ticked) = live.ticked_words(field) {
        return ticked;
    }
    let live = &live;
    match field {
        FormField::Endpoint => endpoint(live),
        FormField::Model if live.model.is_empty() && default_model(live) == "–" => {
            "the server's model; r shows it".to_owned()
        }
        FormField::Model if live.model.is_empty() => "the endpoint's model".to_owned(),
        FormField::Model => String::new(),
        FormField::Protocol if live.protocol == "prompt" => {
            "your own wording: does it fix the answer".to_owned()
        }
        // Reading the file in every frame would be slow, so use a fixed text.
        FormField::Protocol if live.protocol.starts_with("file:") => {
            "your saved edit: does it help overall".to_owned()
        }
        FormField::Protocol => Protocol::parse(&live.protocol)
            .map_or_else(|error| error.to_string(), |known| known.about().to_owned()),
        FormField::Words => live.protocol().map_or_else(
            |error| error,
            |_| "Enter edits them on a real question".to_owned(),
        ),
        FormField::Temperature => match live.temperature {
            Temperature::Usual if live.protocol.starts_with("file:") => {
                "the file's, else the log's, else 0".to_owned()
            }
            Temperature::Usual => "the log's, else 0; repeats 0.7".to_owned(),
            Temperature::Unsent => "the server's default".to_owned(),
            Temperature::At(_) => String::new(),
        },
        FormField::Questions => match live.exam_set() {
            Some((set, _)) => set.about.to_owned(),
            None => "the log's samples; ‹ › selects an exam".to_owned(),
        },
        FormField::Samples if let Some((set, count)) = live.exam_set() => format!(
            "of each of {} abilities, {} in all",
            set.abilities,
            compact(count as u64)
        ),
        FormField::Samples if live.row.is_some() => "just this one".to_owned(),
        FormField::Samples => {
            let all = compact(live.form_data.samples as u64);
            format!("maximum, of {all}; evenly sampled")
        }
        FormField::Controls => "for filters by outcome; shown separately".to_owned(),
        FormField::UntilClear => "stops when one column is clearly better".to_owned(),
        FormField::Against => "its logged answers are the baseline".to_owned(),
        FormField::Turning => "words such as `left` turn; r shows them".to_owned(),
        FormField::System => "replaces the log's system prompt".to_owned(),
        FormField::Tokens => "maximum per answer".to_owned(),
        FormField::Seed => "for the server's sampling".to_owned(),
        FormField::Stored | FormField::Failed => decided(live, field),
    }
}

fn decided(live: &LiveView, field: FormField) -> String {
    let counted = live.stage.counted();
    let all: usize = counted.iter().map(|known| known.plan.len()).sum();
    if field == FormField::Failed {
        let begun = counted.iter().filter_map(|known| known.begun.as_ref());
        let failed: usize = begun.map(|begun| begun.failed).sum();
        return format!("{failed} of {all} failed");
    }
    let stored: usize = counted.iter().map(|known| known.stored.0).sum();
    let newest = counted.iter().map(|known| known.stored.1).max();
    let age = ask::age(newest.unwrap_or_default());
    let are = if stored == 1 { "is" } else { "are" };
    format!("{stored} of {all} {are} already answered, {age}")
}

/// Describes an endpoint's address, and whether its key is set.
fn endpoint(live: &LiveView) -> String {
    let live = &live;
    if let Some(known) = live.endpoints.get(&live.endpoint) {
        let key = match &known.key_env {
            Some(name) if std::env::var_os(name).is_none() => {
                format!("; its key ${name} is not set")
            }
            Some(name) => format!(", key ${name}"),
            None if known.key_command.is_some() => ", key from a command".to_owned(),
            None => String::new(),
        };
        return format!("{}{key}", ask::client::without_secrets(&known.url));
    }
    let mut servers = live.servers.iter().flatten();
    if let Some(server) = servers.find(|server| server.address == live.endpoint) {
        let models = counted(server.models.len() as u64, "model");
        return format!("on this machine, {models}; the arrows on `model` change it");
    }
    if local_model(&live.endpoint).is_some() {
        return "needs no network; Enter types an address".to_owned();
    }
    if live.endpoints.is_empty() {
        return "an address; Enter types another".to_owned();
    }
    format!(
        "an address; {} in the config file",
        counted(live.endpoints.len() as u64, "endpoint")
    )
}
