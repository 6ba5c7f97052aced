//! HELM and VHELM: one folder per run with `run_spec.json`, `scenario_state.json` (requests and
//! answers), `per_instance_stats.json` (scores) and `stats.json` (aggregates).
//!
//! HELM's stored scores are used. Perturbed samples have the condition `perturbation` and metrics
//! named after it, because HELM's own headline leaves them out.

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
        // `Break` means that the sink asked to stop; nothing is left to do.
        let _ = run::read(unit, sink);
    }
}
