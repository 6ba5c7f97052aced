//! HELM and VHELM: one folder per run. It contains `run_spec.json`, `scenario_state.json` (requests
//! and answers), `per_instance_stats.json` (scores) and `stats.json` (aggregates).
//!
//! The scores stored by HELM are used. Perturbed samples have the condition `perturbation`, and
//! their metrics are named after it, because HELM's own headline excludes them.

mod run;
mod run_folders;
mod sample;
mod stats;
#[cfg(test)]
mod tests;

/// Name of the format in the list of sources.
pub const FORMAT: &str = "helm";

reader! {
    /// Reader of HELM's run folders.
    Helm, FORMAT, run_folders::plan, |unit, _, _, sink| {
        // `Break` means that the sink asked to stop. Reading has ended, so there is nothing to do.
        let _ = run::read(unit, sink);
    }
}
