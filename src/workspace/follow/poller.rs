//! Polls opened addresses and downloads new or changed objects into the cache. There they are
//! followed like local logs.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use store::{Address, DownloadResult, Downloader, Meter, Scheme, StoreError};

use super::watch::Signal;
use crate::load::{LatestPolls, Request, shown};

/// Maximum pause between polls, as a multiple of the pause in the settings.
const LONGEST: u32 = 8;

/// Settings for polling addresses.
#[derive(Clone, Debug, Default)]
pub struct PollSettings {
    /// Pause between polls while data arrives. With zero, polls happen only on request.
    pub every: Duration,
    /// Meter of the requests and bytes of all polls.
    pub meter: Meter,
}

/// Result of a poll, and cost of all polls so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PollResult {
    /// Number of requests of all polls.
    pub requests: u64,
    /// Number of bytes received by all polls.
    pub bytes: u64,
    /// Number of objects downloaded by this poll.
    pub fetched: u64,
    /// Pause before the next poll; `None` if polls happen only on request.
    pub next: Option<Duration>,
    /// Failure of the poll; `None` if it succeeded.
    pub trouble: Option<String>,
    /// True if the previous poll did not report the same failure.
    pub is_news: bool,
}

/// Schedule of polls. The pause grows as long as no new data arrives.
#[derive(Clone, Copy, Debug)]
struct PollSchedule {
    every: Duration,
    /// Number of consecutive polls without new data.
    quiet: u32,
}

impl PollSchedule {
    fn pause(self) -> Option<Duration> {
        let times = 2_u32.saturating_pow(self.quiet).min(LONGEST);
        (!self.every.is_zero()).then(|| self.every.saturating_mul(times))
    }

    const fn count(&mut self, came: bool) {
        self.quiet = if came {
            0
        } else {
            self.quiet.saturating_add(1)
        };
    }
}

/// Handle of the polling thread. Dropping it ends the thread.
#[derive(Debug)]
pub struct Poller {
    orders: Sender<()>,
    stop: Arc<AtomicBool>,
}

impl Drop for Poller {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Poller {
    /// Starts to poll the addresses of a request, and to send the results. `None` if it has no
    /// addresses.
    pub fn start(
        request: &Request,
        polling: &PollSettings,
        signals: Sender<Signal>,
    ) -> Option<Self> {
        let addresses = addresses(request);
        if addresses.is_empty() {
            return None;
        }
        let (orders, inbox) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let state = PollerState {
            known: LatestPolls::of_copies(&addresses),
            addresses,
            meter: polling.meter.clone(),
            turns: PollSchedule {
                every: polling.every,
                quiet: 0,
            },
            stop: Arc::clone(&stop),
            trouble: None,
        };
        let failed = |failure: base::job::Failure| tracing::warn!("{failure}");
        let work = move || state.work(&inbox, &signals);
        base::job::spawn("store poller", work, failed).ok()?;
        Some(Self { orders, stop })
    }

    /// Starts a poll, unless one is running.
    pub fn poll(&self) {
        // If the thread has failed, that is already reported.
        let _ = self.orders.send(());
    }
}

/// Returns the addresses that can be polled, each with its index among the paths.
fn addresses(request: &Request) -> Vec<(usize, Address)> {
    let address = |path: &Path| Address::of(path)?.ok();
    let all = request.paths.iter().enumerate();
    let all = all.filter_map(|(which, path)| Some((which, address(path)?)));
    all.filter(|(_, address)| address.scheme != Scheme::ClickHouse)
        .collect()
}

/// State of the polling thread.
struct PollerState {
    addresses: Vec<(usize, Address)>,
    meter: Meter,
    turns: PollSchedule,
    stop: Arc<AtomicBool>,
    /// Latest result of each address.
    known: LatestPolls,
    /// The failure that was last reported.
    trouble: Option<String>,
}

impl PollerState {
    fn work(mut self, inbox: &Receiver<()>, signals: &Sender<Signal>) {
        let begun = self.result(0, None);
        let mut next = signals.send(Signal::Polled(Box::new((self.known.clone(), begun))));
        while next.is_ok() {
            let waited = match self.turns.pause() {
                Some(pause) => inbox.recv_timeout(pause),
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            if waited == Err(RecvTimeoutError::Disconnected) {
                return;
            }
            let polled = self.poll_all();
            // This poll also serves the requests that arrived meanwhile.
            inbox.try_iter().for_each(drop);
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            next = signals.send(Signal::Polled(Box::new((self.known.clone(), polled))));
        }
    }

    fn poll_all(&mut self) -> PollResult {
        let (mut fetched, mut gone, mut trouble) = (0, 0, None);
        // Names that cannot be requested were already reported when the address was opened.
        let lasting = StoreError::Name.to_string();
        for (which, address) in self.addresses.clone() {
            match self.poll_address(&address) {
                Ok(brought) => {
                    (fetched, gone) = (fetched + brought.fetched, gone + brought.gone);
                    let first = brought.troubles.iter().find(|one| one.why != lasting);
                    let first = first.map(|first| format!("{}: {}", first.address, first.why));
                    trouble = trouble.or(first);
                    self.known.put(which, Ok(brought));
                }
                Err(why) => {
                    trouble = trouble.or(Some(format!("{}: {why}", shown_address(&address))));
                    self.known.put(which, Err(why));
                }
            }
        }
        self.turns.count(fetched + gone > 0);
        self.result(fetched, trouble)
    }

    fn poll_address(&self, address: &Address) -> Result<DownloadResult, String> {
        let bring = Downloader::usual(reader::fetched_first).map_err(|why| why.to_string())?;
        let mut go_on = |_| {
            if self.stop.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let looked = bring.refresh(address, &self.meter, &mut go_on);
        looked.map_err(|why| why.to_string())
    }

    fn result(&mut self, fetched: u64, trouble: Option<String>) -> PollResult {
        let is_news = trouble.is_some() && trouble != self.trouble;
        self.trouble.clone_from(&trouble);
        PollResult {
            requests: self.meter.requests(),
            bytes: self.meter.bytes(),
            fetched,
            next: self.turns.pause(),
            trouble,
            is_news,
        }
    }
}

fn shown_address(address: &Address) -> String {
    shown(Path::new(&address.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_become_rare_while_nothing_comes_and_none_comes_by_itself_without_a_pause() {
        let mut turns = PollSchedule {
            every: Duration::from_secs(60),
            quiet: 0,
        };
        let mut pauses = Vec::new();
        for came in [false, false, false, false, false, true, false] {
            pauses.push(turns.pause().unwrap().as_secs());
            turns.count(came);
        }
        assert_eq!(pauses, [60, 120, 240, 480, 480, 480, 60]);
        turns.every = Duration::ZERO;
        assert_eq!(turns.pause(), None);
        turns.every = Duration::MAX;
        assert_eq!(turns.pause(), Some(Duration::MAX));
    }

    #[test]
    fn databases_and_paths_are_not_looked_at() {
        let paths = [
            "runs",
            "s3://a/b",
            "clickhouse://h/db",
            "https://h/x",
            "s3://a:b@c",
        ];
        let request = Request {
            paths: paths.map(Into::into).into(),
            ..Request::default()
        };
        let found: Vec<usize> = addresses(&request).into_iter().map(|(at, _)| at).collect();
        assert_eq!(found, [1, 3]);
    }
}
