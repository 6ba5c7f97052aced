//! Reads logs into a table: log by log in their order, while logs to come are read ahead on other threads.

use std::ops::ControlFlow;
use std::thread;

use super::ahead::{Ahead, Stop};
use super::append::Append;
use super::found::Found;
use super::normalise::Normalise;
use reader::own;
use reader::{Context, Position, Unit};

/// Reads logs until the table has enough; gives each one's index among the sources.
///
/// Logs of Eyechart's own format are read in their turn, as each of them keeps all cores busy.
pub fn read(units: &[Unit], context: &Context, append: &mut Append<'_>) -> Vec<u32> {
    let is_ahead = |unit: &Unit| !unit.superseded && unit.format != own::FORMAT;
    let ahead: Vec<&Unit> = units.iter().filter(|unit| is_ahead(unit)).collect();
    let (logs, hasher) = (Ahead::new(ahead.len()), append.hasher());
    let read_ahead = |log: usize| {
        let hand_on = |found: &mut Found| {
            let found = std::mem::replace(found, Found::Done(0));
            flow(logs.give(log, found))
        };
        let mut normalise = Normalise::new(ahead[log], hasher.clone(), hand_on);
        reader::read(ahead[log], context, None, &mut normalise);
        normalise.finish();
    };
    thread::scope(|scope| {
        let _stop = Stop(&logs);
        let spawn = |_: &usize| {
            let thread = thread::Builder::new().name("read logs".to_owned());
            thread.spawn_scoped(scope, || logs.run(read_ahead)).is_ok()
        };
        // With one thread to work on, logs are read in their turn.
        let threads = match rayon::current_num_threads() {
            1 => 0,
            most => (0..most.min(ahead.len())).filter(spawn).count(),
        };
        let (mut sources, mut next, mut flow) = (Vec::new(), 0, ControlFlow::Continue(()));
        for unit in units {
            sources.push(append.begin(unit));
            if !unit.superseded && flow.is_continue() {
                tracing::debug!(
                    path = format::path(&unit.path),
                    format = unit.format,
                    "reading"
                );
                flow = if threads > 0 && is_ahead(unit) {
                    next += 1;
                    take(&logs, next - 1, append)
                } else {
                    read_now(unit, context, None, append)
                };
                if let Some(rescaled) = append.rescaled(unit) {
                    let _ = read_now(&rescaled, context, None, append);
                }
            }
            append.end(unit);
        }
        sources
    })
}

/// Takes what is read of a log ahead. `Break`: the table has enough.
fn take(logs: &Ahead, log: usize, append: &mut Append<'_>) -> ControlFlow<()> {
    while let Some(mut found) = logs.take(log) {
        append.take(&mut found)?;
    }
    ControlFlow::Continue(())
}

/// Reads one log on this thread, from its beginning or from where its reading stopped. `Break`: the table has enough.
pub fn read_now(
    unit: &Unit,
    context: &Context,
    from: Option<Position>,
    append: &mut Append<'_>,
) -> ControlFlow<()> {
    let hasher = append.hasher();
    let mut normalise = Normalise::new(unit, hasher, |found| append.take(found));
    reader::read(unit, context, from, &mut normalise);
    flow(normalise.finish())
}

fn flow(stopped: bool) -> ControlFlow<()> {
    if stopped {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    }
}
