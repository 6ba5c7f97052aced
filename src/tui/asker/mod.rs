//! Asks live models on threads of its own: the loop gives orders and hears what comes of them.

mod order;
mod work;

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use config::Settings;
use record::Table;
use rerun::{Choice, Control, Launch, newest};
use workspace::hash::hashes;

pub use order::{Again, Begun, Counted, Form, Heard, Looked, Order};

/// The threads that ask.
pub struct Asker {
    settings: Settings,
    tell: Sender<Heard>,
    ready: Arc<Mutex<Option<(u64, Launch)>>>,
    control: Control,
    running: Option<std::thread::JoinHandle<()>>,
}

impl Asker {
    /// Tells `tell` what happens, from one thread, in order.
    pub fn start(settings: Settings, tell: Box<dyn Fn(Heard) + Send>) -> Self {
        // Questions end on the threads of a runtime, which must not wait for the loop.
        let (sender, heard) = channel();
        std::thread::spawn(move || heard.into_iter().for_each(tell));
        Self {
            settings,
            tell: sender,
            ready: Arc::default(),
            control: Control::default(),
            running: None,
        }
    }

    /// Does what the loop wants.
    pub fn order(&mut self, order: Order) {
        match order {
            Order::Look(form) => {
                self.aside(move |_| Heard::Looked(form.ticket, Box::new(work::looked(&form))));
            }
            Order::Count(form) => {
                let ready = Arc::clone(&self.ready);
                self.aside(move |settings| {
                    let ticket = form.ticket;
                    let launch = work::counted(*form, settings);
                    told(ticket, launch.map(|launch| (launch, None)), &ready)
                });
            }
            Order::Again(again) => {
                let ready = Arc::clone(&self.ready);
                self.aside(move |settings| {
                    let launch = work::again(&again, settings);
                    let launch = launch.map(|(launch, begun)| (launch, Some(begun)));
                    told(again.ticket, launch, &ready)
                });
            }
            Order::Go(ticket, table, choice) => self.go(ticket, table, choice),
            Order::Pause(paused) => self.control.pause(paused),
            Order::Stop => self.control.stop(),
        }
    }

    /// Stops what runs and waits until its answers are kept.
    pub fn finish(self) {
        self.control.stop();
        if let Some(running) = self.running {
            // What a thread that broke down leaves is in its journal.
            drop(running.join());
        }
    }

    fn aside(&self, work: impl FnOnce(&Settings) -> Heard + Send + 'static) {
        let (settings, tell) = (self.settings.clone(), self.tell.clone());
        // Nobody listens when the user has left.
        std::thread::spawn(move || drop(tell.send(work(&settings))));
    }

    fn go(&mut self, ticket: u64, table: Table, choice: Choice) {
        let ready = self
            .ready
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some((_, launch)) = ready.filter(|(counted, _)| *counted == ticket) else {
            let why = "what was counted is not there any more: count again".to_owned();
            return drop(self.tell.send(Heard::Ended(Err(why))));
        };
        self.control = Control::default();
        let (control, tell) = (self.control.clone(), self.tell.clone());
        self.running = Some(std::thread::spawn(move || {
            let paths = table
                .sources()
                .iter()
                .map(|source| source.path.display().to_string());
            let sources = paths.zip(hashes(table.sources())).collect();
            let events = Mutex::new(tell.clone());
            let on_event = Arc::new(move |event| {
                let events = events.lock().unwrap_or_else(PoisonError::into_inner);
                drop(events.send(Heard::Event(event)));
            });
            let ended = launch.go(choice, sources, control, on_event);
            let ended = ended.map(|(folder, ended)| (folder, Arc::new(ended)));
            drop(tell.send(Heard::Ended(ended)));
        }));
    }
}

/// Keeps what was counted until the user says so.
fn told(
    ticket: u64,
    launch: Result<(Launch, Option<Begun>), String>,
    ready: &Mutex<Option<(u64, Launch)>>,
) -> Heard {
    let told = launch.map(|(launch, begun)| {
        let counted = Counted {
            ticket,
            plan: Arc::clone(&launch.plan),
            estimate: launch.estimate,
            address: launch.address.clone(),
            price: launch.price,
            stored: (launch.stored.len(), newest(&launch.stored)),
            begun,
        };
        let mut ready = ready.lock().unwrap_or_else(PoisonError::into_inner);
        *ready = Some((ticket, launch));
        Box::new(counted)
    });
    Heard::Counted(ticket, told)
}
