//! Builds a table with one row per model and ability, for filters that need only these.

use record::{Content, Labels, ModelId, Prediction, RequestFingerprint, Run, Table, TableBuilder};

use crate::warehouse::Outline;

/// Builds a table with one row per model and ability, in the order of the outline. It contains no
/// other data.
pub fn index(outline: &Outline) -> Table {
    let (names, mut builder) = (outline.names.names(), TableBuilder::default());
    for (model, facts) in &names.facts {
        builder.set_facts(model, facts.clone());
    }
    for (model, spellings) in &names.spellings {
        for spelling in spellings {
            builder.add_spelling(model, spelling);
        }
    }
    let condition = builder.condition(&Labels::new()).unwrap_or_default();
    let metric = builder.metric("").unwrap_or_default();
    for one in &outline.counts {
        let model = code(&mut builder, names.model(one.model), &names.runs);
        let ability = names.ability(one.ability).map(|name| builder.ability(name));
        let (Some(model), Some(Some(ability))) = (model, ability) else {
            continue;
        };
        let item = builder.item(ability, condition, "", RequestFingerprint::default());
        if item.new {
            builder.describe(&Content::default(), None, f64::NAN);
        }
        let prediction = Prediction::scored(model, metric, f64::NAN);
        builder.push(item.id, &prediction, &[]);
    }
    builder.finish()
}

/// Returns the code of a model or of one of its runs.
fn code(
    builder: &mut TableBuilder,
    name: &str,
    runs: &std::collections::BTreeMap<String, Run>,
) -> Option<ModelId> {
    match runs.get(name) {
        Some(run) => builder.run_of(&run.model, Some(&run.run)),
        None => builder.model(name),
    }
}
