//! Wordings of the harnesses, so that a live model gets the same prompt as the log's models.

use super::sample::Sample;
use super::step::Step;
use super::template::{options, split_hint};
use record::{Content, Record, Rule};

/// The text of a question, and the name of its wording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// The text as it is sent.
    pub text: String,
    /// Source and version of the wording; part of the answer's key.
    pub version: String,
}

/// Returns the text with which a step asks about a sample; `content` is the sample's content after
/// the step's changes.
pub fn wording(sample: &Sample, step: &Step, content: &Content) -> Wording {
    if let Some(template) = &step.wording {
        return Wording {
            text: template.fill(content),
            version: template.version(),
        };
    }
    let (version, text) = of_harness(&sample.format, &sample.record, content);
    Wording {
        text,
        version: version.to_owned(),
    }
}

fn of_harness(format: &str, record: &Record, content: &Content) -> (&'static str, String) {
    let question = content.question.as_str();
    match (format, record.rule) {
        ("vlmevalkit", Rule::BoxCentroid | Rule::BoxIou) => {
            ("vlmevalkit/grounding-1", grounding(question))
        }
        ("vlmevalkit", _) if !content.choices.is_empty() => {
            ("vlmevalkit/mcq-1", multiple_choice(content))
        }
        ("vlmevalkit", _) => ("vlmevalkit/question-1", question.to_owned()),
        ("ava-bench", _) if record.ability == "fine_grained" => {
            ("ava-bench/fine-grained-1", fine_grained(question))
        }
        ("ava-bench", _) => ("ava-bench/question-1", question.to_owned()),
        _ if matches!(record.benchmark.as_str(), "gepbench" | "exam-gepbench")
            && !content.choices.is_empty() =>
        {
            ("eyechart/gepbench-1", with_options(content, LETTER_ONLY))
        }
        _ if content.choices.is_empty() || names_options(content) => {
            ("eyechart/question-1", question.to_owned())
        }
        _ => ("eyechart/choice-1", with_options(content, LETTER)),
    }
}

/// Instruction for logs with options but no wording.
const LETTER: &str = "Answer with the letter of the right option.";
/// Instruction for GePBench. The paper shows its prompt only as a picture, so
/// the wording is Eyechart's.
const LETTER_ONLY: &str = "Look at the figure and answer with the letter of the right option only.";

/// Source: `image_mcq.py`, `build_prompt`.
fn multiple_choice(content: &Content) -> String {
    let (hint, question) = split_hint(content);
    let hint = hint
        .map(|hint| format!("Hint: {hint}\n"))
        .unwrap_or_default();
    format!(
        "{hint}Question: {question}\nOptions:\n{}\nPlease select the correct answer from the options above. \n",
        options(content)
    )
}

/// Source: `image_vqa.py`, `TDBenchGrounding.build_prompt`.
fn grounding(object: &str) -> String {
    format!(
        "\nPlease output the coordinates of the {object} in the image in the format [x1, y1, x2, y2]. \
         Do not include any additional text. Respond with relative coordinates between 0 and 1, \
         with top left corner (0, 0), top right (1, 0) and bottom right (1, 1)."
    )
}

/// Source: `tinyllava/eval/fine_grained/eval_custom.py`. A log without its questions
/// file already has the suffix.
fn fine_grained(question: &str) -> String {
    const SUFFIX: &str = "\nAnswer the question using a single word or phrase.";
    let question = question.strip_suffix(SUFFIX).unwrap_or(question);
    format!("{question}{SUFFIX}")
}

fn with_options(content: &Content, request: &str) -> String {
    format!("{}\n{}\n{request}", content.question, options(content))
}

/// Returns true if the question's own text lists the options.
fn names_options(content: &Content) -> bool {
    let question = &content.question;
    content
        .choices
        .iter()
        .all(|choice| question.contains(&choice.text))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use record::Choice;

    fn asked(format: &str, ability: &str, rule: Rule, question: &str, choices: &[&str]) -> Wording {
        let choice = |(at, text): (usize, &&str)| Choice {
            letter: ["A", "B", "C"][at].to_owned(),
            text: (*text).to_owned(),
        };
        let content = Content {
            question: question.to_owned(),
            choices: choices.iter().enumerate().map(choice).collect(),
            ..Content::default()
        };
        let record = Record {
            ability: ability.to_owned(),
            content: content.clone(),
            rule,
            ..Record::default()
        };
        let sample = Sample {
            record,
            pictures: Vec::new(),
            format: format.to_owned(),
            before: None,
            turned: BTreeMap::new(),
        };
        wording(&sample, &Step::default(), &content)
    }

    #[test]
    fn each_harness_is_repeated_to_the_letter() {
        let mcq = asked(
            "vlmevalkit",
            "x",
            Rule::ChoiceMatching,
            "Hint: look\nWhat?",
            &["cat", "dog"],
        );
        assert_eq!(
            mcq.text,
            "Hint: look\nQuestion: What?\nOptions:\nA. cat\nB. dog\nPlease select the correct answer from the options above. \n"
        );
        let box_of = asked(
            "vlmevalkit",
            "visual_grounding",
            Rule::BoxCentroid,
            "red car",
            &[],
        );
        assert!(
            box_of
                .text
                .starts_with("\nPlease output the coordinates of the red car in the image")
        );
        assert!(
            box_of.text.ends_with(
                "with top left corner (0, 0), top right (1, 0) and bottom right (1, 1)."
            )
        );
        let fine = asked("ava-bench", "fine_grained", Rule::AvaBench, "Which?", &[]);
        assert_eq!(
            fine.text,
            "Which?\nAnswer the question using a single word or phrase."
        );
        assert_eq!(
            asked("ava-bench", "fine_grained", Rule::AvaBench, &fine.text, &[]),
            fine
        );
        assert_eq!(
            asked("ava-bench", "counting", Rule::AvaBench, "How many?", &[]).text,
            "How many?"
        );
    }

    #[test]
    fn options_are_added_where_the_question_does_not_list_them() {
        let added = asked("eyechart", "x", Rule::Strict, "What?", &["cat", "dog"]);
        assert_eq!(
            added.text,
            "What?\nA. cat\nB. dog\nAnswer with the letter of the right option."
        );
        let listed = asked(
            "eyechart",
            "x",
            Rule::Strict,
            "What? A. cat B. dog",
            &["cat", "dog"],
        );
        assert_eq!(listed.text, "What? A. cat B. dog");
        assert_ne!(added.version, listed.version);
    }
}
