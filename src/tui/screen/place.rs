//! The right end of the line below the tabs: where what is open lies, and what it costs to look there.

use crate::action::Action;
use crate::keymap::ViewId;
use crate::meter::compact_bytes;
use crate::shared::Shared;
use format::{counted, visible};
use widget::text::width;
use workspace::follow::Looked;
use workspace::load::shown;

/// Characters of an address that are shown.
const LONGEST_ADDRESS: usize = 40;
/// Columns of the trail between its steps and its right end, as it needs them to show both.
const BESIDE: u16 = 6;
/// As long as what stands between two steps.
const BETWEEN: &str = " > ";

/// The store in which the logs lie, what looking at it has cost, and where the lens's benchmark stands among those that are
/// open; in words so short that they fit beside the steps of the trail, or at least beside the last one.
pub fn place(shared: &Shared, steps: &[&str], columns: u16) -> String {
    let open = &shared.answers.benchmarks;
    let at = open.iter().position(|name| *name == shared.lens.benchmark);
    let benchmark = match at {
        _ if shared.view == ViewId::Overview => None,
        Some(at) if open.len() > 1 => {
            Some(format!("benchmark {} of {}  b next", at + 1, open.len()))
        }
        _ => None,
    };
    let store = store_of(shared);
    let looks = shared.growth.looked.as_ref().filter(|_| store.is_some());
    let key = shared.key(shared.view, Action::LookAgain);
    let costs = looks.map(|looked| costs(looked, &key));
    let costs = costs.unwrap_or_default();
    let words = |cost: Option<&String>| {
        let all = [&store, &cost.cloned(), &benchmark].map(Clone::clone);
        let all: Vec<String> = all.into_iter().flatten().collect();
        all.join("  ")
    };
    let last = width(steps.last().copied().unwrap_or_default());
    let whole = width(&steps.join(BETWEEN));
    let fits = |beside: u16| {
        let mut all = costs.iter().map(|cost| words(Some(cost)));
        all.find(|words| width(words) + beside + BESIDE <= columns)
    };
    fits(whole)
        .or_else(|| fits(last))
        .unwrap_or_else(|| words(None))
}

/// What looks at a store have cost and when the next one comes, in long and in short.
fn costs(looked: &Looked, key: &str) -> Vec<String> {
    let asked = counted(looked.requests, "request");
    let bytes = compact_bytes(looked.bytes);
    let has_failed = looked.trouble.is_some();
    let failed = if has_failed {
        ", the last look failed"
    } else {
        ""
    };
    let short = if has_failed { "look failed, " } else { "" };
    let next = match looked.next {
        Some(pause) => format!("every {}", pause_words(pause.as_secs())),
        None if key.is_empty() => "when asked".to_owned(),
        None => format!("on {key}"),
    };
    vec![
        format!("polled {next}: {asked}, {bytes}{failed}"),
        format!("{short}{asked}, {bytes}"),
    ]
}

/// The first address that is open, its end where it is long.
fn store_of(shared: &Shared) -> Option<String> {
    let paths = &shared.request.paths;
    let mut addresses = paths.iter().filter(|path| store::is_address(path));
    let address = visible(&shown(addresses.next()?)).into_owned();
    let more = match addresses.count() {
        0 => String::new(),
        more => format!(" +{more}"),
    };
    let beyond = address.chars().count().saturating_sub(LONGEST_ADDRESS);
    let cut: String = address.chars().skip(beyond).collect();
    let mark = if beyond > 0 { "…" } else { "" };
    Some(format!("{mark}{cut}{more}"))
}

/// `60 s`, `8 min`.
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
    fn what_looks_cost_is_said_in_long_and_in_short() {
        let mut looked = Looked {
            requests: 3,
            bytes: 1200,
            next: Some(Duration::from_secs(480)),
            ..Looked::default()
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
            "polled on f5: 3 requests, 2 kB, the last look failed"
        );
    }
}
