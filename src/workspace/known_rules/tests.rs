//! Tests of the summary of an ability, and of tied models.

use super::{AbilityRules, RuleResult, RuleScore};

/// Returns a rule that scores ten predictions per model. The best model under the log comes first.
fn rule(name: &'static str, read: u64, models: &[(&str, f64, u32)]) -> RuleResult {
    let n = 10 * models.len() as u64;
    RuleResult {
        rule: name,
        words: "",
        source: "",
        n,
        read,
        differs: 0,
        models: models
            .iter()
            .map(|(model, score, rank)| RuleScore {
                model: (*model).to_owned(),
                n: 10,
                read: 10,
                score: Some(*score),
                rank: (*rank > 0).then_some(*rank),
            })
            .collect(),
        examples: Vec::new(),
    }
}

fn ability(first: &[&str], rules: Vec<RuleResult>) -> AbilityRules {
    AbilityRules {
        n: rules.iter().map(|rule| rule.n).max().unwrap_or_default(),
        first: first.iter().map(|name| (*name).to_owned()).collect(),
        rules,
        ..AbilityRules::default()
    }
}

#[test]
fn the_line_tells_the_range_of_the_first_model_and_where_first_place_changes() {
    let kept = rule("pope", 20, &[("a", 0.743, 1), ("b", 0.7, 2)]);
    let moved = rule("mme", 20, &[("a", 0.593, 2), ("b", 0.6, 1)]);
    let tied = rule("strict", 20, &[("a", 0.6, 1), ("b", 0.6, 1)]);
    let lines = [
        (
            vec![kept.clone(), moved.clone()],
            "under 2 known rules: 0.593 to 0.743 (a); first place changes under 1",
        ),
        (
            vec![kept.clone(), kept.clone()],
            "under 2 known rules: 0.743 to 0.743 (a); first place never changes",
        ),
        (
            vec![kept.clone(), tied],
            "under 2 known rules: 0.600 to 0.743 (a); first place changes under 1",
        ),
    ];
    for (rules, line) in lines {
        assert_eq!(ability(&["a"], rules).line().as_deref(), Some(line));
    }
    assert_eq!(ability(&["a"], vec![kept]).line(), None);
}

#[test]
fn rules_for_a_form_that_answers_lack_do_not_count() {
    let read = rule("pope", 10, &[("a", 0.5, 1)]);
    let unread = rule("inspect_answer", 4, &[("a", 0.0, 1)]);
    let part = RuleResult {
        n: 5,
        ..rule("vqa", 5, &[("a", 1.0, 1)])
    };
    let found = ability(&["a"], vec![read.clone(), unread, part]);
    let counts: Vec<bool> = found.rules.iter().map(|rule| found.counts(rule)).collect();
    assert_eq!(counts, [true, false, false]);
    assert_eq!(found.line(), None);
    let found = ability(&["a"], vec![read.clone(), read]);
    assert_eq!(
        found.line().as_deref(),
        Some("under 2 known rules: 0.500 to 0.500")
    );
}

#[test]
fn nothing_moves_where_nothing_is_ranked() {
    let unranked = rule("pope", 20, &[("a", 0.4, 0), ("b", 0.6, 0)]);
    let found = ability(&[], vec![unranked.clone(), unranked]);
    assert!(!found.moves_first(&found.rules[0]));
    assert_eq!(
        found.line().as_deref(),
        Some("under 2 known rules: 0.400 to 0.400 (a); nothing is ranked")
    );
}
