//! The loop: waits for keys and answers, lets the state change, draws once.

use std::collections::HashMap;
use std::io::{self, Write};
use std::mem::Discriminant;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyEventKind};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use config::{ColumnMap, Settings, remember_columns, write_whole};
use engine::{Answer, Engine, Memory, Query, QueryError};
use graphics::{Bandwidth, Images, Reply, Worker, probe};
use job::{FOR_GOOD, Newest, Ticket};
use record::Table;
use workspace::Lens;
use workspace::columns::{Unmapped, unmapped};
use workspace::follow::{self, Growth, Signal};
use workspace::load::{self, Progress, Request};
use workspace::rerun_worker::{RerunEvent, RerunWorker};
use workspace::verdicts::Audit;

use super::app::{App, Effect, Loading};
use super::event_loop_error::UiError;
use super::hold::Down;
use super::keymap::Keymap;
use super::screen::{receive_live, receive_news, render};
use super::scribe::{News, Scribe};
use super::session::{Keep, Session};
use super::terminal::{self, Screen};
use super::theme::{ColorDepth, Theme};

/// How long the terminal may take to say what it can show.
const DEADLINE: Duration = Duration::from_millis(600);
/// Messages that wait for the loop at most.
const WAITING: usize = 256;

/// What the terminal UI begins with.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// What to open.
    pub request: Request,
    /// The lens to begin with.
    pub lens: Lens,
    /// Theme name.
    pub theme: String,
    /// The user's keymap.
    pub keymap: Option<String>,
    /// How pictures are shown.
    pub images: Images,
    /// Whose verdicts, and where.
    pub audit: Audit,
    /// Where the session is kept; `None`: nowhere.
    pub keep: Option<Keep>,
    /// How many bytes they may cost.
    pub bandwidth: Bandwidth,
    /// Whether logs that grow are followed.
    pub follow: bool,
    /// Model servers by name.
    pub settings: Settings,
}

/// What other threads tell the loop.
enum Message {
    Progress(Progress),
    Table(Table, bool),
    Grown(Growth),
    Resting,
    /// Tables whose columns nobody knows.
    Unmapped(Vec<Unmapped>),
    Answer(Ticket, Box<Query>, Result<Answer, QueryError>),
    Picture(Reply),
    Verdicts(News),
    Live(RerunEvent),
}

/// Runs the terminal UI until the user leaves.
///
/// # Errors
/// The terminal cannot be used, or no theme is called so.
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
            let app = App::new(&theme, depth, options.lens.clone());
            let mut app = App {
                keymap,
                request: options.request.clone(),
                ..app
            };
            begin_session(&mut app, options.keep.as_ref());
            let mut ui = Ui::new(options, app)?;
            let outcome = ui.run().await;
            outcome.and(ui.leave())
        })
    });
    terminal::leave()?;
    outcome
}

struct Ui {
    app: App,
    keep: Option<(Keep, String)>,
    screen: Screen,
    down: Down,
    farewell: &'static str,
    worker: Worker,
    scribe: Scribe,
    reruns: RerunWorker,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    /// What answers queries.
    engine: Memory,
    /// The last query of each kind, and who waits for its answer.
    newest: HashMap<Discriminant<Query>, (Query, Newest)>,
    /// Queries that are not answered yet.
    asked: usize,
    /// Wakes the one who follows the logs.
    follower: std::sync::mpsc::Sender<Signal>,
    /// Whether the follower waits for the word that its table is on the screen.
    hungry: bool,
    /// Whether logs that grow are followed.
    follow: bool,
}

impl Ui {
    fn new(options: &Options, mut app: App) -> Result<Self, UiError> {
        let (sender, receiver) = channel(WAITING);
        let mut screen = terminal::screen(&app.meter)?;
        // The first frame comes before any file is read and before the terminal is asked anything.
        screen.draw(|frame| render(&mut app, frame))?;
        let asked = Instant::now();
        let shows = probe(options.images, DEADLINE);
        app.pictures.know(&shows);
        app.pictures.bandwidth = options.bandwidth;
        app.prices.clone_from(&options.settings.prices);
        let took = asked.elapsed().as_millis();
        app.pictures.how = format!("{}; asked in {took} ms", shows.why);
        app.dirty = true;
        let farewell = shows.farewell();
        let replies = sender.clone();
        // The loop is gone when nobody takes the picture.
        let worker = Worker::start(
            shows,
            Box::new(move |reply| drop(replies.blocking_send(Message::Picture(reply)))),
        )?;
        app.audit.author.clone_from(&options.audit.author);
        let news = sender.clone();
        let scribe = Scribe::start(
            options.audit.clone(),
            Box::new(move |told| drop(news.blocking_send(Message::Verdicts(told)))),
        );
        app.live.know(&options.settings);
        let events = sender.clone();
        let reruns = RerunWorker::start(
            options.settings.clone(),
            Box::new(move |event| drop(events.blocking_send(Message::Live(event)))),
        )?;
        let signals = follow::signals();
        let follower = signals.0.clone();
        let signals = options.follow.then_some(signals);
        read(options.request.clone(), sender.clone(), signals);
        let usual = |keep: &Keep| (keep.clone(), options.theme.clone());
        Ok(Self {
            app,
            keep: options.keep.as_ref().map(usual),
            screen,
            down: Down::default(),
            farewell,
            worker,
            scribe,
            reruns,
            sender,
            receiver,
            engine: Memory::default(),
            newest: HashMap::new(),
            asked: 0,
            follower,
            hungry: false,
            follow: options.follow,
        })
    }

    async fn run(&mut self) -> Result<(), UiError> {
        let mut events = listen();
        loop {
            self.draw()?;
            if self.hungry && self.asked == 0 && !self.app.dirty {
                self.hungry = false;
                // Nobody may follow.
                drop(self.follower.send(Signal::Ready));
            }
            if self.app.dirty {
                // A frame without its new pictures: they follow unless a key was quicker.
                if self.drain(&mut events)?.is_break() {
                    return self.say_farewell();
                }
                continue;
            }
            let effects = tokio::select! {
                biased;
                Some(event) = events.recv() => self.on_event(&event?),
                Some(message) = self.receiver.recv() => self.on_message(message),
                else => return Ok(()),
            };
            if self.perform(effects)?.is_break() || self.drain(&mut events)?.is_break() {
                return self.say_farewell();
            }
            self.stop_unawaited();
        }
    }

    /// Whatever waits is taken before the next frame.
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

    /// Waits for verdicts that are not on the disk yet.
    fn leave(self) -> Result<(), UiError> {
        // Nobody listens any more, so that nobody waits to be heard.
        drop(self.receiver);
        self.reruns.finish();
        let unsaved = self.scribe.finish();
        match unsaved.first() {
            None => Ok(()),
            Some(why) => {
                let count = format::counted(unsaved.len() as u64, "verdict");
                Err(UiError::Unsaved(count, why.clone()))
            }
        }
    }

    fn say_farewell(&mut self) -> Result<(), UiError> {
        let out = self.screen.backend_mut();
        out.write_all(self.farewell.as_bytes())?;
        std::io::Write::flush(out)?;
        Ok(())
    }

    fn draw(&mut self) -> Result<(), UiError> {
        if !self.app.dirty {
            return Ok(());
        }
        self.app.dirty = false;
        self.app.pictures.begin();
        let (before, begun) = (self.app.meter.total(), Instant::now());
        let app = &mut self.app;
        self.screen.draw(|frame| render(app, frame))?;
        let bytes = self.app.meter.total() - before;
        self.app.after_frame(bytes, begun.elapsed());
        let (wanted, ahead) = self.app.pictures.take_wishes();
        if !wanted.is_empty() {
            self.worker.show(wanted);
        }
        if !ahead.is_empty() {
            self.worker.prefetch(ahead);
        }
        Ok(())
    }

    fn on_event(&mut self, event: &Event) -> Vec<Effect> {
        match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => {
                if self.down.release(*key, Instant::now()) {
                    self.app.on_release(*key);
                }
                Vec::new()
            }
            Event::Key(key) => {
                self.app.pictures.words_first = self.app.pictures.budget().is_some();
                let key = self.down.press(*key, Instant::now());
                self.app.on_key(key)
            }
            Event::FocusLost => {
                self.down.forget();
                Vec::new()
            }
            Event::Mouse(mouse) => {
                let size = self.screen.size().unwrap_or_default();
                self.app.on_mouse(*mouse, size)
            }
            Event::Paste(text) => self.app.on_paste(text),
            Event::FocusGained if !self.app.pictures.fade() => Vec::new(),
            Event::Resize(_, _) | Event::FocusGained => {
                self.app.pictures.forget();
                self.app.dirty = true;
                Vec::new()
            }
        }
    }

    fn on_message(&mut self, message: Message) -> Vec<Effect> {
        match message {
            Message::Progress(progress) => {
                if self.app.loading != Loading::Done {
                    self.app.loading = Loading::Running(progress);
                    self.app.dirty = true;
                }
                Vec::new()
            }
            Message::Table(table, whole) => {
                self.hungry = whole;
                self.app.receive_table(table, whole)
            }
            Message::Grown(growth) => {
                self.hungry = true;
                self.app.receive_growth(growth)
            }
            Message::Resting => self.app.receive_rest(),
            Message::Unmapped(tables) => {
                self.app.ask_for_columns(tables);
                Vec::new()
            }
            Message::Answer(ticket, query, answer) => {
                self.asked = self.asked.saturating_sub(1);
                if ticket.is_wanted() {
                    self.app.receive_answer(*query, answer)
                } else {
                    Vec::new()
                }
            }
            Message::Verdicts(news) => receive_news(&mut self.app, news),
            Message::Live(event) => receive_live(&mut self.app, event),
            Message::Picture(reply) => {
                self.app.dirty |= self.app.pictures.receive(reply);
                Vec::new()
            }
        }
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Result<ControlFlow<()>, UiError> {
        for effect in effects {
            match effect {
                Effect::Ask(query) => self.ask(*query),
                Effect::Keep(entry) => self.scribe.keep(*entry),
                Effect::ReadVerdicts => self.scribe.read(),
                Effect::MapColumns(map) => self.map_columns(&map),
                Effect::Live(command) => self.reruns.command(command),
                Effect::Reload => reload(self.app.request.clone(), self.sender.clone()),
                Effect::Copy(text) => copy(&text, self.screen.backend_mut())?,
                Effect::Redraw => {
                    self.app.pictures.forget();
                    terminal::blank(&mut self.screen)?;
                    self.app.dirty = true;
                }
                Effect::Suspend => {
                    self.keep_session();
                    self.suspend()?;
                }
                Effect::Quit => {
                    self.keep_session();
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Reads everything anew with one more column map.
    fn map_columns(&mut self, map: &ColumnMap) {
        if let Err(why) = remember_columns(map) {
            self.app.notice = Some(format!("the columns cannot be remembered: {why}"));
        }
        drop(self.follower.send(Signal::Stop));
        let signals = follow::signals();
        self.follower = signals.0.clone();
        self.app.loading = Loading::Starting;
        self.app.dirty = true;
        let signals = self.follow.then_some(signals);
        read(self.app.request.clone(), self.sender.clone(), signals);
    }

    /// Answers a query aside. A query that a newer one of its kind overtakes is not answered.
    fn ask(&mut self, query: Query) {
        let ticket = if matches!(query, Query::Detail(_)) {
            FOR_GOOD.clone()
        } else {
            let last = self.newest.entry(query.kind());
            let (known, newest) = last.or_insert_with(|| (query.clone(), Newest::default()));
            known.clone_from(&query);
            newest.ticket()
        };
        self.engine.hold(&self.app.table, &self.app.audit.book);
        let (engine, sender) = (self.engine.clone(), self.sender.clone());
        self.asked += 1;
        rayon::spawn(move || {
            let answer = engine.ask(&query, &ticket);
            // The table may be the last copy of one that has grown since.
            drop(engine);
            // The loop is gone when nobody takes the answer.
            drop(sender.blocking_send(Message::Answer(ticket, Box::new(query), answer)));
        });
    }

    /// Stops the work on answers that no view and no popup waits for any more.
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

    /// Writes the session, if everything was read. That it cannot be written is no reason to stay.
    fn keep_session(&self) {
        let Some((keep, usual)) = self
            .keep
            .as_ref()
            .filter(|_| self.app.loading == Loading::Done)
        else {
            return;
        };
        let text = Session::of(&self.app, &keep.paths, usual).text();
        let written = text.map(|text| write_whole(&keep.file, &text));
        if let Some(Err(why)) = written {
            tracing::warn!("{}: {why}", keep.file.display());
        }
    }

    fn suspend(&mut self) -> Result<(), UiError> {
        terminal::leave()?;
        // The shell takes over until it brings this process to the front again.
        std::process::Command::new("kill")
            .args(["-TSTP", &std::process::id().to_string()])
            .status()?;
        terminal::enter()?;
        self.app.pictures.forget();
        terminal::blank(&mut self.screen)?;
        self.app.dirty = true;
        Ok(())
    }
}

/// What was kept of these logs, until everything is read.
fn begin_session(app: &mut App, keep: Option<&Keep>) {
    let Some(keep) = keep.filter(|keep| !keep.fresh) else {
        return;
    };
    app.session = Session::read(&keep.file, &keep.paths);
    if let Some(session) = app.session.clone() {
        session.begin(app, keep.theme_is_named);
    }
}

/// Puts a text on the clipboard of the terminal, near or far (OSC 52).
fn copy(text: &str, out: &mut impl Write) -> Result<(), UiError> {
    use base64::Engine as _;
    let encoded = base64::engine::general_purpose::STANDARD.encode(text);
    write!(out, "\x1b]52;c;{encoded}\x07")?;
    out.flush()?;
    Ok(())
}

/// Keys and mouse, read on a thread of their own: the loop can take all that wait without losing one.
fn listen() -> Receiver<io::Result<Event>> {
    let (sender, receiver) = channel(WAITING);
    std::thread::spawn(move || {
        // The loop is gone when nobody takes the event.
        while sender.blocking_send(crossterm::event::read()).is_ok() {}
    });
    receiver
}

/// Reads the logs aside, and goes on with those that grow.
fn read(request: Request, sender: Sender<Message>, signals: Option<follow::Signals>) {
    std::thread::spawn(move || {
        let (table, reading) = load::open(&request, true, &mut |event| {
            let message = match event {
                load::Event::Progress(progress) => Message::Progress(progress),
                load::Event::Partial(table) => Message::Table(table, false),
            };
            heard(&sender.blocking_send(message))
        });
        let whole = Message::Table(table.clone(), true);
        let unknown = unmapped(&table);
        let mut heard_out = sender.blocking_send(whole).is_ok();
        if !unknown.is_empty() {
            heard_out &= sender.blocking_send(Message::Unmapped(unknown)).is_ok();
        }
        if let Some(signals) = signals.filter(|_| heard_out) {
            follow::follow(&request, (table, reading), signals, &mut |event| {
                let message = match event {
                    follow::Event::Grown(growth) => Message::Grown(growth),
                    follow::Event::Resting => Message::Resting,
                };
                heard(&sender.blocking_send(message))
            });
        }
    });
}

/// The user has left when nobody listens.
fn heard<E>(sent: &Result<(), E>) -> ControlFlow<()> {
    match sent {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

/// Reads everything anew aside; what is shown stays until all is read.
fn reload(request: Request, sender: Sender<Message>) {
    std::thread::spawn(move || {
        let table = load::load(&request, false, &mut |_| ControlFlow::Continue(()));
        // The user has left when nobody listens.
        drop(sender.blocking_send(Message::Table(table, true)));
    });
}
