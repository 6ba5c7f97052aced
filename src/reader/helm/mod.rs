//! HELM and VHELM: one folder per run with `run_spec.json`, `scenario_state.json` (requests and
//! answers), `per_instance_stats.json` (scores) and `stats.json` (aggregates).
//!
//! Scores are those that HELM stored. Perturbed samples have the condition `perturbation`, and
//! their metrics its name, because HELM's own headline leaves them out.

mod run;
mod run_folders;
mod sample;
mod stats;
#[cfg(test)]
mod tests;

use super::{Candidate, Context, Reader, Sink, Unit};

/// Name of the format, as listed under `sources`.
pub const FORMAT: &str = "helm";

/// Reader of HELM's run folders.
#[derive(Clone, Copy, Debug, Default)]
pub struct Helm;

impl Reader for Helm {
    fn format(&self) -> &'static str {
        FORMAT
    }

    fn plan(&self, files: &mut Vec<Candidate>, context: &Context) -> Vec<Unit> {
        run_folders::plan(files, context)
    }

    fn read(&self, unit: &Unit, _context: &Context, sink: &mut dyn Sink) {
        // `Break` means that the sink asked to stop; nothing is left to do.
        let _ = run::read(unit, sink);
    }
}
