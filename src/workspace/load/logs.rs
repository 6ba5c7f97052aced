//! Reads logs into a table in order. Meanwhile, other threads read the next logs.

use std::ops::ControlFlow;
use std::thread;

use super::ahead::{ReadAhead, StopGuard};
use super::append::Appender;
use super::log_element::LogElement;
use super::normalise::Normaliser;
use reader::own;
use reader::{Context, Position, Unit};

/// Reads logs until the table is full or the load is stopped. Returns their indices among the
/// sources.
///
/// Logs of the native format are not read in advance, because reading one uses all cores.
pub fn read(units: &[Unit], context: &Context, append: &mut Appender<'_>) -> Vec<u32> {
    let is_ahead = |unit: &Unit| !unit.superseded && unit.format != own::FORMAT;
    let ahead: Vec<&Unit> = units.iter().filter(|unit| is_ahead(unit)).collect();
    let (logs, hasher) = (ReadAhead::new(ahead.len()), append.hasher());
    let read_ahead = |log: usize| {
        let hand_on = |found: &mut LogElement| {
            let found = std::mem::replace(found, LogElement::Done(0));
            flow(logs.give(log, found))
        };
        let mut normalise = Normaliser::new(ahead[log], hasher.clone(), hand_on);
        reader::read(ahead[log], context, None, &mut normalise);
        normalise.finish();
    };
    thread::scope(|scope| {
        let _stop = StopGuard(&logs);
        let spawn = |_: &usize| {
            let thread = thread::Builder::new().name("read logs".to_owned());
            thread.spawn_scoped(scope, || logs.run(read_ahead)).is_ok()
        };
        // With a single thread, logs are read one after another.
        let threads = match rayon::current_num_threads() {
            1 => 0,
            most => (0..most.min(ahead.len())).filter(spawn).count(),
        };
        let (mut sources, mut next, mut flow) = (Vec::new(), 0, ControlFlow::Continue(()));
        for unit in units {
            sources.push(append.begin(unit));
            if !unit.superseded && flow.is_continue() {
                tracing::debug!(
                    path = base::format::path(&unit.path),
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

/// Adds a log that was read in advance. `Break` stops the load.
fn take(logs: &ReadAhead, log: usize, append: &mut Appender<'_>) -> ControlFlow<()> {
    while let Some(mut found) = logs.take(log) {
        append.take(&mut found)?;
    }
    ControlFlow::Continue(())
}

/// Reads one log on this thread, from the beginning or from a saved position. `Break` stops the
/// load.
pub fn read_now(
    unit: &Unit,
    context: &Context,
    from: Option<Position>,
    append: &mut Appender<'_>,
) -> ControlFlow<()> {
    let hasher = append.hasher();
    let mut normalise = Normaliser::new(unit, hasher, |found| append.take(found));
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
