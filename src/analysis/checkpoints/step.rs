//! Finds the training step of a checkpoint in its model's name, in the facts about models, or in
//! the settings of a log.

use std::sync::LazyLock;

use base::format::pattern;
use record::{Labels, Names, STEPS, Value};
use regex::Regex;

/// Name of the curve if the model names contain only the step.
const UNNAMED: &str = "checkpoints";

static STEP: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?ix)(?:^|[^a-z0-9])(?:global[-_\x20]?)?
        (?:(steps?|iterations?|iters?)|(checkpoint|ckpt)|(epochs?|ep))
        [-_=:\x20]?(\d{1,15}(?:\.\d+)?)([km]?)",
    )
});
/// Number of training tokens in a name, which changes with the step.
static TOKENS: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)[-_ ]?tokens?[-_]?\d+(?:\.\d+)?[kmbt]?"));

/// Returns the name of a model without its step, and the step; `None` if it is not a checkpoint. A
/// step among the facts about models takes precedence over the name. In a name with several
/// numbers, a step takes precedence over a checkpoint, and a checkpoint over an epoch.
pub(crate) fn of_model(names: &Names, model: &str) -> Option<(String, f64)> {
    let facts = names.facts(model);
    let told = facts.and_then(|facts| facts.step);
    let (line, own) = parse(model);
    let family = facts.and_then(|facts| facts.family.clone());
    match (told, own) {
        (Some(step), _) => Some((family.unwrap_or(line), step)),
        (None, Some(step)) => Some((line, step)),
        (None, None) => None,
    }
}

/// Returns the step in a condition; `None` if there is no step or it is negative.
pub(super) fn of_condition(labels: &Labels) -> Option<f64> {
    let mut steps = STEPS.iter().filter_map(|name| labels.get(*name));
    let step = steps.find_map(Value::number)?;
    (step.is_finite() && step >= 0.0).then_some(step)
}

/// Splits a name into the part without steps, and the step.
fn parse(name: &str) -> (String, Option<f64>) {
    let mut found: Option<(usize, f64)> = None;
    let (mut line, mut end) = (String::new(), 0);
    for groups in STEP.captures_iter(name) {
        let (Some(whole), Some(number)) = (groups.get(0), groups.get(4)) else {
            continue;
        };
        let rest = name.get(whole.end()..).unwrap_or_default();
        // Not steps: `ep3b` is a size, `step2a` a variant.
        if rest.starts_with(|next: char| next.is_alphanumeric()) {
            continue;
        }
        let Ok(number) = number.as_str().parse::<f64>() else {
            continue;
        };
        let factor = match groups
            .get(5)
            .map(|it| it.as_str().to_lowercase())
            .as_deref()
        {
            Some("k") => 1e3,
            Some("m") => 1e6,
            _ => 1.0,
        };
        let kind = (1..4)
            .position(|group| groups.get(group).is_some())
            .unwrap_or(3);
        if found.is_none_or(|(known, _)| kind < known) {
            found = Some((kind, number * factor));
        }
        line.push_str(name.get(end..whole.start()).unwrap_or_default());
        end = whole.end();
    }
    line.push_str(name.get(end..).unwrap_or_default());
    let Some((_, step)) = found else {
        return (name.to_owned(), None);
    };
    let line = TOKENS.replace_all(&line, "");
    let line = line.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | '('));
    let line = if line.is_empty() { UNNAMED } else { line };
    (line.to_owned(), Some(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_read_from_names() {
        for (name, line, step) in [
            ("qwen-vl-step1000", "qwen-vl", 1_000.0),
            ("llava/checkpoint-2000", "llava", 2_000.0),
            ("dinov2_qwen2_lora_epoch_10", "dinov2_qwen2_lora", 10.0),
            ("siglip_ep3", "siglip", 3.0),
            ("OLMo-7B step140000-tokens588B", "OLMo-7B", 140_000.0),
            ("net_iter_5k", "net", 5_000.0),
            ("epoch=1-step=1500", "checkpoints", 1_500.0),
            ("step0", "checkpoints", 0.0),
            ("a_global_step250_lora", "a_lora", 250.0),
            ("Qwen · checkpoint-40", "Qwen", 40.0),
        ] {
            assert_eq!(parse(name), (line.to_owned(), Some(step)), "{name}");
        }
        for name in [
            "qwen2-7b",
            "stepfun-1",
            "deep3",
            "x-ep3b",
            "two-steps",
            "footstep9",
        ] {
            assert_eq!(parse(name), (name.to_owned(), None), "{name}");
        }
    }

    #[test]
    fn settings_hold_steps_as_numbers() {
        let labels = |value| Labels::from([("step".to_owned(), value)]);
        assert_eq!(of_condition(&labels(Value::Number(500.0))), Some(500.0));
        assert_eq!(of_condition(&labels(Value::Number(-1.0))), None);
        assert_eq!(of_condition(&labels(Value::Flag(true))), None);
        assert_eq!(of_condition(&Labels::new()), None);
    }

    #[test]
    fn a_condition_is_a_step_or_a_repeat_and_never_both() {
        for name in STEPS.into_iter().chain(record::REPEATS) {
            let labels = Labels::from([(name.to_owned(), Value::Number(3.0))]);
            let is_step = of_condition(&labels).is_some();
            assert_ne!(is_step, record::is_repeated(&labels), "{name}");
        }
    }
}
