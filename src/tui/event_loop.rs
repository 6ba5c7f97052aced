//! The event loop: waits for input and answers, updates the app, and draws.

use std::collections::HashMap;
use std::io::{self, Write};
use std::mem::Discriminant;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyEventKind};
use crossterm::style::Print;
use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use crossterm::{execute, queue};
use ratatui::Frame;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::graphics::{Bandwidth, Images, Worker, probe};
use ask::worker::RerunWorker;
use base::config::{Settings, remember_columns, write_whole};
use base::format::visible;
use base::job::{FOR_GOOD, Newest};
use base::platform::signals::{self, SignalAction, Signals};
use engine::{Engine, Query};
use workspace::Lens;
use workspace::follow::PollSettings;
use workspace::load::Request;
use workspace::open::Workspace;
use workspace::verdicts::Audit;

use super::action::Action;
use super::answer_sources::AnswerSources;
use super::app::{App, Session, SessionOptions};
use super::clipboard;
use super::effect::Effect;
use super::frame_output::FrameOutput;
use super::keymap::Keymap;
use super::listen::{WAITING, listen};
use super::message::{Message, is_whole};
use super::order::{self, WriteJob, WriteSources};
use super::progress::{ProgressBar, percent};
use super::recent_models::RecentModels;
use super::saved_views::{SavedViewChange, SavedViews};
use super::shared::Loading;
use super::terminal::{self, Screen};
use crate::widget::ascii;
use crate::widget::theme::{ColorDepth, Theme};

/// Time between two frames while the progress of reading pictures is shown.
const PROGRESS: Duration = Duration::from_millis(250);
/// Deadline for the terminal's responses to capability queries.
const DEADLINE: Duration = Duration::from_millis(600);

/// Startup options of the terminal UI.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Logs to open, and how to read them.
    pub request: Request,
    /// Lens shown at the start.
    pub lens: Lens,
    /// Name of the theme; must be in `Theme::NAMES`.
    pub theme: String,
    /// Text of the user's keymap file.
    pub keymap: Option<String>,
    /// Picture protocol, or automatic detection.
    pub images: Images,
    /// Author and location of verdicts.
    pub audit: Audit,
    /// Where the session is stored; `None` to store none.
    pub keep: Option<SessionOptions>,
    /// Byte limit of pictures.
    pub bandwidth: Bandwidth,
    /// Polling of growing logs; `None` to turn it off.
    pub follow: Option<PollSettings>,
    /// Settings, including model servers by name.
    pub settings: Settings,
}

/// Error that ended the terminal UI.
#[derive(Debug, thiserror::Error)]
pub enum UiError {
    /// The terminal cannot be used.
    #[error("the terminal cannot be used: {0}")]
    Terminal(#[from] io::Error),
    /// The user's keymap is invalid.
    #[error("keymap.toml: {0}")]
    Keymap(#[from] super::keymap::KeymapError),
    /// No theme has this name.
    #[error("unknown theme `{0}`; use one of {names}", names = crate::widget::theme::Theme::NAMES.join(", "))]
    Theme(String),
    /// A signal ended the program.
    #[error("ended by {0}")]
    Signal(&'static str),
    /// Verdicts are lost because they could not be written: count and reason.
    #[error("{0} could not be saved: {1}")]
    Unsaved(String, String),
    /// Verdicts are saved locally but not uploaded to their store: reason.
    #[error("{0}")]
    Waiting(String),
}

/// Runs the terminal UI until the user quits.
///
/// # Errors
/// The terminal cannot be used, the keymap is invalid, or no theme has this name.
pub fn run(options: &Options) -> Result<(), UiError> {
    let theme =
        Theme::named(&options.theme).ok_or_else(|| UiError::Theme(options.theme.clone()))?;
    let keymap = options
        .keymap
        .as_deref()
        .map_or_else(|| Ok(Keymap::default()), Keymap::with_user)?;
    let depth = ColorDepth::of_environment(|name| std::env::var(name).ok());
    terminal::install_panic_hook();
    terminal::enter()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let outcome = runtime.map_err(UiError::from).and_then(|runtime| {
        runtime.block_on(async {
            let mut app = App::new(&theme, depth, options.lens.clone());
            app.shared.keymap = keymap;
            Session::begin_kept(&mut app, options.keep.as_ref());
            let mut ui = Ui::new(options, app)?;
            let outcome = ui.run().await;
            if outcome.is_err() {
                ui.keep_session();
            }
            outcome.and(ui.leave())
        })
    });
    let left = terminal::leave();
    // An error of the loop is more important than an error while restoring the terminal.
    outcome.and_then(|()| Ok(left?))
}

struct Ui {
    app: App,
    keep: Option<(SessionOptions, String)>,
    screen: Screen,
    farewell: &'static str,
    worker: Worker,
    workspace: Workspace,
    reruns: RerunWorker,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    answer_sources: AnswerSources,
    /// The last query of each kind, and the token that cancels earlier queries of this kind.
    newest: HashMap<Discriminant<Query>, (Query, Newest)>,
    /// Verdict files, which no other output may overwrite.
    verdicts: Vec<PathBuf>,
    /// Number of queries in progress.
    asked: usize,
    /// True until the last table and its scores have been drawn.
    is_unshown: bool,
    abilities: TextAbilities,
    progress: ProgressBar,
    /// Input that arrived during the query for the terminal's capabilities.
    typed: Vec<Event>,
}

/// Capabilities of the terminal for displaying text.
#[derive(Clone, Copy, Debug)]
struct TextAbilities {
    /// True if it supports only ASCII.
    is_ascii: bool,
    /// True if links to local files work.
    has_links: bool,
}

/// Draws a frame, adapted to the terminal's capabilities.
fn draw(app: &App, abilities: TextAbilities, frame: &mut Frame<'_>) -> FrameOutput {
    let drawn = app.draw(frame);
    if abilities.is_ascii {
        ascii::replace(frame.buffer_mut());
    }
    if abilities.has_links {
        app.shared.links.put_into(frame.buffer_mut());
    }
    drawn
}

impl Ui {
    fn new(options: &Options, mut app: App) -> Result<Self, UiError> {
        let (sender, receiver) = channel(WAITING);
        let mut screen = terminal::screen(&app.shared.meter)?;
        // Draw the first frame before any file is read or the terminal is queried.
        let mut abilities = TextAbilities {
            is_ascii: ascii::is_promised(|name| std::env::var(name).ok()),
            has_links: false,
        };
        let mut drawn = FrameOutput::default();
        if terminal::has_room(&screen)? {
            screen.draw(|frame| drawn = draw(&app, abilities, frame))?;
        }
        app.keep(drawn);
        // Files are read while the terminal is queried, because its answer can take until the
        // deadline.
        let events = sender.clone();
        let workspace = Workspace::open(
            options.request.clone(),
            options.audit.clone(),
            options.follow.clone(),
            Box::new(
                move |event| match events.blocking_send(Message::Open(event)) {
                    Ok(()) => ControlFlow::Continue(()),
                    // The user has quit.
                    Err(_) => ControlFlow::Break(()),
                },
            ),
        )?;
        let asked = Instant::now();
        let (shows, typed) = probe(options.images, DEADLINE);
        app.shared.pictures.set_terminal(&shows);
        app.shared.pictures.bandwidth = options.bandwidth;
        app.shared.prices.clone_from(&options.settings.prices);
        if shows.was_asked {
            let took = asked.elapsed().as_millis();
            app.shared.pictures.how = format!("{}; queried in {took} ms", shows.why);
        }
        // Over SSH, the files are not on the machine of the terminal, so links would not work.
        abilities.has_links = shows.has_answered() && !shows.remote;
        let progress = ProgressBar::new(&shows);
        app.dirty = true;
        let farewell = shows.cleanup_sequence();
        let replies = sender.clone();
        // Sending fails only after the loop has ended.
        let worker = Worker::start(
            shows,
            Box::new(move |reply| drop(replies.blocking_send(Message::Picture(reply)))),
        )?;
        app.shared.verdicts.author.clone_from(&options.audit.author);
        app.views.live.set_settings(&options.settings);
        app.views.playground.set_settings(&options.settings);
        if let Some(keep) = &options.keep {
            let recent = RecentModels::read(&keep.models_file());
            app.views.live.recall(recent);
            match SavedViews::read(&keep.views_file()) {
                Ok(saved) => app.shared.saved = saved,
                Err(why) => app.shared.notice = Some(format!("saved views: {why}")),
            }
        }
        let events = sender.clone();
        let reruns = RerunWorker::start(
            options.settings.clone(),
            Box::new(move |event| drop(events.blocking_send(Message::Live(event)))),
        )?;
        let usual = |keep: &SessionOptions| (keep.clone(), options.theme.clone());
        Ok(Self {
            app,
            keep: options.keep.as_ref().map(usual),
            screen,
            farewell,
            worker,
            workspace,
            reruns,
            sender,
            receiver,
            answer_sources: AnswerSources::default(),
            newest: HashMap::new(),
            verdicts: options.audit.written(),
            asked: 0,
            is_unshown: false,
            abilities,
            progress,
            typed,
        })
    }

    async fn run(&mut self) -> Result<(), UiError> {
        let mut events = listen()?;
        let mut signals = Signals::listen()?;
        for event in std::mem::take(&mut self.typed) {
            let effects = self.on_event(&event);
            if self.perform(effects)?.is_break() {
                return self.print_farewell();
            }
        }
        loop {
            self.draw()?;
            if self.is_unshown && self.asked == 0 && !self.app.dirty {
                self.is_unshown = false;
                self.workspace.shown();
            }
            if self.app.dirty {
                // The new pictures are not in this frame. They are drawn in the next frame, unless
                // a key press comes first.
                if self.drain(&mut events)?.is_break() {
                    return self.print_farewell();
                }
                continue;
            }
            let effects = tokio::select! {
                biased;
                heard = signals.next() => {
                    match heard {
                        SignalAction::End(name) => return Err(UiError::Signal(name)),
                        SignalAction::Stop => self.stop()?,
                        // Turn off modes that can still be on, because some terminals count how
                        // often a mode is turned on.
                        SignalAction::Continued => {
                            terminal::leave()?;
                            self.restore_screen()?;
                        }
                        SignalAction::Resized => self.redraw(),
                    }
                    continue;
                }
                Some(event) = events.recv() => self.on_event(&event?),
                Some(message) = self.receiver.recv() => self.on_message(message),
                () = tokio::time::sleep(PROGRESS), if self.app.awaits_pictures() => {
                    self.app.dirty = true;
                    continue;
                }
                else => return Ok(()),
            };
            if self.perform(effects)?.is_break() || self.drain(&mut events)?.is_break() {
                return self.print_farewell();
            }
            self.stop_unawaited();
        }
    }

    /// Handles all waiting input before the next frame.
    fn drain(
        &mut self,
        events: &mut Receiver<io::Result<Event>>,
    ) -> Result<ControlFlow<()>, UiError> {
        while let Ok(event) = events.try_recv() {
            let effects = self.on_event(&event?);
            if self.perform(effects)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        while let Ok(message) = self.receiver.try_recv() {
            let effects = self.on_message(message);
            if self.perform(effects)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Ends the workers, and waits until all verdicts are on disk.
    fn leave(self) -> Result<(), UiError> {
        // Close the channel, so that no background thread waits for space in it.
        drop(self.receiver);
        self.reruns.finish();
        let finished = self.workspace.finish();
        let unsaved = finished.unsaved;
        match unsaved.first() {
            None => finished
                .waiting
                .map_or(Ok(()), |why| Err(UiError::Waiting(why))),
            Some(why) => {
                let count = base::format::counted(unsaved.len() as u64, "verdict");
                Err(UiError::Unsaved(count, why.clone()))
            }
        }
    }

    fn print_farewell(&mut self) -> Result<(), UiError> {
        let progress = self.progress.sequence(None);
        let out = self.screen.backend_mut();
        out.write_all(progress.as_bytes())?;
        out.write_all(self.farewell.as_bytes())?;
        std::io::Write::flush(out)?;
        Ok(())
    }

    fn draw(&mut self) -> Result<(), UiError> {
        if !self.app.dirty {
            return Ok(());
        }
        self.app.dirty = false;
        // An oversized window is not drawn until it shrinks.
        if !terminal::has_room(&self.screen)? {
            return Ok(());
        }
        let shared = &mut self.app.shared;
        let (table, links) = (&shared.table, &mut shared.links);
        links.know_logs(table.generation(), table.sources());
        let (before, begun) = (self.app.shared.meter.total(), Instant::now());
        let mut drawn = FrameOutput::default();
        // Text and pictures of a frame must appear together (mode 2026). Terminals without this
        // mode ignore it.
        queue!(self.screen.backend_mut(), BeginSynchronizedUpdate)?;
        (self.screen).draw(|frame| drawn = draw(&self.app, self.abilities, frame))?;
        let progress = self.progress.sequence(percent(&self.app));
        queue!(self.screen.backend_mut(), Print(progress))?;
        execute!(self.screen.backend_mut(), EndSynchronizedUpdate)?;
        let bytes = self.app.shared.meter.total() - before;
        let (wanted, ahead) = self.app.after_frame(drawn, bytes, begun.elapsed());
        if !wanted.is_empty() {
            self.worker.show(wanted);
        }
        if !ahead.is_empty() {
            self.worker.prefetch(ahead);
        }
        for effect in self.app.ask_wanted() {
            if let Effect::Ask(query) = effect {
                self.ask(*query);
            }
        }
        Ok(())
    }

    fn on_event(&mut self, event: &Event) -> Vec<Effect> {
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => Vec::new(),
            Event::Key(key) => {
                self.app.shared.pictures.words_first = self.app.shared.pictures.budget().is_some();
                self.app.on_key(*key)
            }
            Event::FocusLost => Vec::new(),
            Event::Mouse(mouse) => self.app.on_mouse(*mouse),
            Event::Paste(text) => self.app.on_paste(text),
            Event::FocusGained if !self.app.shared.pictures.fade() => Vec::new(),
            Event::Resize(_, _) | Event::FocusGained => {
                self.redraw();
                Vec::new()
            }
        }
    }

    /// Requests that the next frame draws everything, including its pictures.
    fn redraw(&mut self) {
        self.app.shared.pictures.forget();
        self.app.dirty = true;
    }

    fn on_message(&mut self, message: Message) -> Vec<Effect> {
        match message {
            Message::Open(event) => {
                self.is_unshown |= is_whole(&event);
                self.answer_sources
                    .handle_event(&event, &mut self.app.shared);
                self.app.receive(event)
            }
            Message::Answer(ticket, query, generation, answer) => {
                self.asked = self.asked.saturating_sub(1);
                match answer.filter(|_| ticket.is_wanted()) {
                    Some(answer) => self.app.receive_answer(*query, generation, answer),
                    None => Vec::new(),
                }
            }
            Message::Read(portion) => {
                self.answer_sources.has_read(*portion);
                Vec::new()
            }
            Message::Live(event) => self.app.receive_live(event),
            Message::Written(written) => {
                self.app.receive_written(written);
                Vec::new()
            }
            Message::Picture(reply) => {
                self.app.dirty |= self.app.shared.pictures.receive(reply);
                Vec::new()
            }
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Result<ControlFlow<()>, UiError> {
        for effect in effects {
            match effect {
                Effect::Ask(query) => self.ask(*query),
                Effect::SaveVerdict(entry) => self.workspace.save_verdict(*entry),
                Effect::ReadVerdicts => self.workspace.read_verdicts(),
                Effect::CheckAddresses => {
                    let notice = if self.workspace.check_for_changes() {
                        "checking the store for changes"
                    } else {
                        "nothing to refresh: following is off"
                    };
                    self.app.shared.notice = Some(notice.to_owned());
                    self.app.dirty = true;
                }
                Effect::MapColumns(map) => {
                    self.app.shared.notice = Some(match remember_columns(&map) {
                        Ok(file) => format!("columns saved in {}", base::format::path(&file)),
                        Err(why) => format!("cannot save the columns: {why}"),
                    });
                    self.workspace.map_columns(*map)?;
                }
                Effect::ChooseRuns(chosen) => self.workspace.choose(chosen)?,
                Effect::SaveDecision(decision) => {
                    if let Err(why) = self.app.shared.request.joins.remember() {
                        let notice = format!("cannot save your choice: {why}");
                        self.app.shared.notice = Some(notice);
                    }
                    self.workspace.decide(decision)?;
                }
                Effect::OpenLog(log) => self.workspace.add(log)?,
                Effect::Live(command) => self.reruns.command(command),
                Effect::ChangeViews(change) => self.change_views(change),
                Effect::Write(writing) => self.write(*writing)?,
                Effect::Copy(text) => clipboard::copy(&text, self.screen.backend_mut())?,
                Effect::Redraw => {
                    terminal::blank(&mut self.screen)?;
                    self.redraw();
                }
                Effect::Suspend => self.stop()?,
                Effect::Quit => {
                    self.keep_session();
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Answers a query in the background. A newer query of the same kind cancels it.
    fn ask(&mut self, query: Query) {
        let ticket = if matches!(query, Query::Detail(_)) {
            FOR_GOOD.clone()
        } else {
            let last = self.newest.entry(query.kind());
            let (known, newest) = last.or_insert_with(|| (query.clone(), Newest::default()));
            known.clone_from(&query);
            newest.ticket()
        };
        let (table, book) = (&self.app.shared.table, &self.app.shared.verdicts.book);
        let method = self.answer_sources.method(&query, table, book);
        let (generation, sender) = (table.generation(), self.sender.clone());
        let shower = self.workspace.shower();
        self.asked += 1;
        rayon::spawn(move || {
            // Sending fails only after the loop has ended.
            let read = |portion| drop(sender.blocking_send(Message::Read(Box::new(portion))));
            // Drop the engine before the answer is sent, because it can hold the last copy of an
            // old table.
            let answer = || method.answer(&query, &ticket, &shower, &read);
            let answer = base::job::caught("calculation", answer);
            let answer = answer.unwrap_or_else(|failure| Some(Err(failure.into())));
            let query = Box::new(query);
            drop(sender.blocking_send(Message::Answer(ticket, query, generation, answer)));
        });
    }

    /// Writes a file in the background.
    fn write(&mut self, writing: WriteJob) -> io::Result<()> {
        let shared = &self.app.shared;
        let engine = self
            .answer_sources
            .engine(&shared.table, &shared.verdicts.book);
        let sender = self.sender.clone();
        let (request, prices) = (shared.request.clone(), shared.prices.clone());
        let verdicts = self.verdicts.clone();
        let sources = move |engine: &dyn Engine| WriteSources {
            inputs: request.inputs(engine.table(), verdicts),
            request,
            prices,
        };
        // Sending fails only after the loop has ended.
        let tell = move |written| drop(sender.blocking_send(Message::Written(written)));
        order::write_aside(writing, engine, sources, tell)
    }

    /// Cancels queries whose answers no view or popup needs.
    fn stop_unawaited(&mut self) {
        let app = &self.app;
        self.newest.retain(|_, (query, newest)| {
            let is_awaited = app.awaits(query);
            if !is_awaited {
                newest.stop();
            }
            is_awaited
        });
    }

    /// Changes the saved views in their file, and shows the result as a notice.
    fn change_views(&mut self, change: SavedViewChange) {
        let Some((keep, _)) = &self.keep else {
            let words = "not saved: sessions are off, or there is no state folder";
            self.app.shared.notice = Some(words.to_owned());
            return;
        };
        let done = match &change {
            SavedViewChange::Save(name, _) => {
                let key = self.app.shared.key(self.app.shared.view, Action::Jump);
                format!("view saved as {}; {key} goes there", visible(name))
            }
            SavedViewChange::Delete(name) => format!("saved view {} deleted", visible(name)),
        };
        let changed = SavedViews::change(&keep.views_file(), change);
        self.app.shared.notice = Some(match changed {
            Ok(saved) => {
                self.app.shared.saved = saved;
                done
            }
            Err(why) => format!("not saved: {why}"),
        });
    }

    /// Writes the recently asked models. Errors are only logged.
    fn keep_models(&self) {
        let recent = &self.app.views.live.recent;
        let text = recent.text().filter(|_| !recent.all().is_empty());
        if let (Some((keep, _)), Some(text)) = (&self.keep, text) {
            let file = keep.models_file();
            if let Err(why) = write_whole(&file, &text) {
                tracing::warn!("{}: {why}", file.display());
            }
        }
    }

    /// Writes the session if everything was read, and the recently asked models. Errors are only
    /// logged.
    fn keep_session(&self) {
        self.keep_models();
        let Some((keep, usual)) = self
            .keep
            .as_ref()
            .filter(|_| self.app.shared.loading == Loading::Done)
        else {
            return;
        };
        let text = Session::of(&self.app, &keep.paths, usual).text();
        let written = text.map(|text| write_whole(&keep.file, &text));
        if let Some(Err(why)) = written {
            tracing::warn!("{}: {why}", keep.file.display());
        }
    }

    /// Suspends the program until the shell resumes it.
    fn stop(&mut self) -> Result<(), UiError> {
        if !signals::can_stop() {
            let words = "this system cannot suspend programs";
            self.app.shared.notice = Some(words.to_owned());
            return Ok(());
        }
        self.keep_session();
        terminal::leave()?;
        signals::stop()?;
        self.restore_screen()
    }

    /// Sets up the terminal again and redraws, because another program may have used it.
    fn restore_screen(&mut self) -> Result<(), UiError> {
        terminal::enter()?;
        terminal::blank(&mut self.screen)?;
        self.redraw();
        Ok(())
    }
}
