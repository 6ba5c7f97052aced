//! The text on the right of the trail: location of the open logs, and cost of checking them.

use crate::action::Action;
use crate::keymap::ViewId;
use crate::meter::compact_bytes;
use crate::shared::AppState;
use crate::widget::text::width;
use base::format::{counted, visible};
use workspace::follow::PollResult;
use workspace::load::shown;

/// Number of characters shown from the end of an address that does not fit.
const END_OF_ADDRESS: usize = 32;
/// Columns reserved between the trail's steps and this text.
const BESIDE: u16 = 6;
/// Placeholder with the width of the separator between two steps.
const BETWEEN: &str = " > ";

/// Returns the store of the logs, the cost of checking it, and the position of the lens's
/// benchmark. The text is shortened until it fits next to the trail's steps, or at least next to
/// the last step.
pub fn place(shared: &AppState, steps: &[&str], columns: u16) -> String {
    let open = &shared.answers.benchmarks;
    let at = open.iter().position(|name| *name == shared.lens.benchmark);
    let benchmark = match at {
        _ if shared.view == ViewId::Overview => None,
        Some(at) if open.len() > 1 => {
            Some(format!("benchmark {} of {}  b next", at + 1, open.len()))
        }
        _ => None,
    };
    let stores = store_of(shared);
    let short = stores.as_ref().map(|[_, short]| short);
    let looks = shared
        .growth
        .last_poll
        .as_ref()
        .filter(|_| stores.is_some());
    let key = shared.key(shared.view, Action::LookAgain);
    let costs = looks.map_or_else(
        || vec![None],
        |looked| costs(looked, &key).into_iter().map(Some).collect(),
    );
    let words = |store: Option<&String>, cost: Option<&String>| {
        let all = [store, cost, benchmark.as_ref()];
        let all: Vec<&str> = all.into_iter().flatten().map(String::as_str).collect();
        all.join("  ")
    };
    let last = width(steps.last().copied().unwrap_or_default());
    let whole = width(&steps.join(BETWEEN));
    let fits = |beside: u16| {
        let stores = stores.iter().flatten();
        let mut all = stores.flat_map(|store| {
            let costs = costs.iter().map(Option::as_ref);
            costs.map(|cost| words(Some(store), cost))
        });
        all.find(|words| width(words) + beside + BESIDE <= columns)
    };
    fits(whole)
        .or_else(|| fits(last))
        .unwrap_or_else(|| words(short, None))
}

/// Returns texts about cost and time of store checks, longest first.
fn costs(looked: &PollResult, key: &str) -> Vec<String> {
    let asked = counted(looked.requests, "request");
    let bytes = compact_bytes(looked.bytes);
    let has_failed = looked.trouble.is_some();
    let failed = if has_failed {
        ", the last check failed"
    } else {
        ""
    };
    let short = if has_failed { "check failed, " } else { "" };
    let next = match looked.next {
        Some(pause) => format!("every {}", pause_words(pause.as_secs())),
        None if key.is_empty() => "on request".to_owned(),
        None => format!("on {key}"),
    };
    vec![
        format!("polled {next}: {asked}, {bytes}{failed}"),
        format!("{short}{asked}, {bytes}"),
    ]
}

/// Returns the first open address in full length, and shortened.
fn store_of(shared: &AppState) -> Option<[String; 2]> {
    let paths = &shared.request.paths;
    let mut addresses = paths.iter().filter(|path| store::is_address(path));
    let address = visible(&shown(addresses.next()?)).into_owned();
    let more = match addresses.count() {
        0 => String::new(),
        more => format!(" +{more}"),
    };
    Some([
        format!("{address}{more}"),
        format!("{}{more}", shortened(&address)),
    ])
}

/// Shortens an address to its scheme and its end.
fn shortened(address: &str) -> String {
    let (kind, rest) = match address.split_once("://") {
        Some((kind, rest)) => (format!("{kind}://"), rest),
        None => (String::new(), address),
    };
    let beyond = rest.chars().count().saturating_sub(END_OF_ADDRESS);
    let end: String = rest.chars().skip(beyond).collect();
    let mark = if beyond > 0 { "…" } else { "" };
    format!("{kind}{mark}{end}")
}

/// Formats a duration in seconds or minutes: `60 s`, `8 min`.
fn pause_words(seconds: u64) -> String {
    match seconds {
        0..120 => format!("{seconds} s"),
        _ => format!("{} min", seconds / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_long_address_keeps_its_kind_and_its_end() {
        assert_eq!(shortened("s3://team/live"), "s3://team/live");
        let long = "clickhouse://evals.example.org:8443/results_of_the_vision_team";
        let short = shortened(long);
        assert_eq!(short, "clickhouse://…:8443/results_of_the_vision_team");
        assert_eq!(short.chars().count(), 13 + 1 + END_OF_ADDRESS);
    }

    #[test]
    fn what_looks_cost_is_said_in_long_and_in_short() {
        let mut looked = PollResult {
            requests: 3,
            bytes: 1200,
            next: Some(Duration::from_secs(480)),
            ..PollResult::default()
        };
        assert_eq!(
            costs(&looked, "f5")[0],
            "polled every 8 min: 3 requests, 2 kB"
        );
        assert_eq!(costs(&looked, "f5")[1], "3 requests, 2 kB");
        looked.next = None;
        looked.trouble = Some("no".to_owned());
        assert_eq!(
            costs(&looked, "f5")[0],
            "polled on f5: 3 requests, 2 kB, the last check failed"
        );
    }
}
