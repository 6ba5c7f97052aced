//! Converts a row of a table to a record.

use std::path::{Path, PathBuf};

use record::{
    Choice, Content, Direction, ImageRef, LabelledBox, Labels, Record, Role, Rule, Sent, Target,
    Value,
};

use super::ability::Task;
use super::cells;
use super::dataset::DataSet;
use super::results::{Hit, REFERENCE};
use super::table::Row;
use crate::json::plain;
use serde_json::Value as Json;

/// Columns that do not become tags. They belong to the harness, or are stored in a field of the
/// record.
const FIELDS: [&str; 27] = [
    "answers",
    "answer_option",
    "choices",
    "eval_gt",
    "eval_match",
    "eval_pred",
    "eval_score",
    "extract",
    "extracted",
    "gpt4_ans",
    "gpt4_score",
    "log_extract",
    "log_score",
    "res",
    "score",
    "index",
    "image",
    "image_path",
    "question",
    "hint",
    "answer",
    "prediction",
    "hit",
    "log",
    "thinking",
    "extra_records",
    "category",
];
/// Columns whose values stay texts even if they look like numbers.
const NAMES: [&str; 2] = ["split", "l2-category"];
/// Maximum length of a tag in bytes. Longer texts are content.
const TAG: usize = 200;
/// Maximum number of characters in a cell of a workbook. Longer texts were truncated.
const CELL: usize = 32_767;
/// Maximum number of pictures per question.
const PICTURES: usize = 64;

/// Data shared by all rows of a unit.
#[derive(Debug)]
pub struct Source<'a> {
    /// Model that answered.
    pub model: &'a str,
    /// Data set that was answered.
    pub dataset: &'a str,
    /// Kind of the data set.
    pub task: Task,
    /// Rule used for boxes: `IoU`, or position of the centre.
    pub box_rule: Rule,
    /// File of the data set, if it was found.
    pub data: Option<&'a DataSet>,
    /// Folders in which exported pictures are searched.
    pub image_roots: &'a [PathBuf],
}

impl Source<'_> {
    /// Returns the record of a row, and messages about the row's problems.
    pub fn record(&self, row: &Row, index: String, hit: Option<Hit>) -> (Record, Vec<String>) {
        let mut problems = Vec::new();
        let entry = self.data.and_then(|data| data.get(&index));
        let answer = match (entry.and_then(|entry| entry.answer.clone()), answer(row)) {
            (Some(counts), Some(own)) if !same(&counts, &own) => {
                problems.push(format!(
                    "the target is {own:.40} here but {counts:.40} in the data set; the latter counts"
                ));
                Some(counts)
            }
            (counts, own) => counts.or(own),
        };
        let choices = choices(row);
        let hit = hit.unwrap_or_default();
        let evaluator = Evaluator::of(self.dataset);
        let (category, group) = (row.text("category"), row.text("l2-category"));
        let ability = self
            .task
            .ability(self.dataset, category.as_deref(), group.as_deref());
        let rule = match evaluator {
            Some(evaluator) => evaluator.rule(&hit),
            None if hit.parsed.is_some() && hit.score.is_some() => Rule::Stored,
            None => self.task.rule(self.box_rule, &choices),
        };
        let metric = match evaluator.filter(|_| rule != Rule::Unstated) {
            Some(evaluator) => hit.metric.or(Some(evaluator.metric())),
            None => hit
                .score
                .map(|_| hit.metric.unwrap_or(self.task.metric(self.box_rule))),
        };
        let response = row
            .get("prediction")
            .map(ToString::to_string)
            .unwrap_or_default();
        if response.chars().count() == CELL || response.encode_utf16().count() == CELL {
            problems.push(
                "the response fills its cell of 32,767 characters: the end may be missing"
                    .to_owned(),
            );
        }
        let record = Record {
            benchmark: self.task.benchmark(self.dataset).to_owned(),
            ability: ability.to_owned(),
            // Files of several models can be concatenated.
            model: row.text("model").unwrap_or_else(|| self.model.to_owned()),
            condition: self.task.condition(),
            parsed: parsed(rule, &hit, answer.as_deref()).or(hit.parsed),
            content: self.content(
                row,
                &index,
                answer,
                choices,
                hit.score.is_some(),
                &mut problems,
            ),
            response: Some(response),
            metric: metric.map(str::to_owned),
            // A judge gives higher scores to better answers.
            direction: hit.metric.map(|_| Direction::Higher),
            stored: hit.score,
            beside: (hit.reference.into_iter())
                .map(|score| (REFERENCE.to_owned(), score))
                .collect(),
            rule,
            sample_id: index,
            ..Record::default()
        };
        (record, problems)
    }

    fn content(
        &self,
        row: &Row,
        index: &str,
        answer: Option<String>,
        choices: Vec<Choice>,
        is_scored: bool,
        problems: &mut Vec<String>,
    ) -> Content {
        let question = row.text("question").unwrap_or_default();
        let mut content = Content {
            choices,
            images: self.images(row, index),
            tags: self.tags(row),
            ..Content::default()
        };
        match answer {
            // The judge can use another reference than the annotated answer.
            None if is_scored => {}
            None => problems.push("a row without a target".to_owned()),
            Some(answer) if matches!(self.task, Task::Grounding(_)) => {
                match cells::rectangle(&answer) {
                    Some(xyxy) => {
                        content.target = Some(Target::Box(xyxy));
                        let label = question.clone();
                        let target = LabelledBox::new(label, Role::Target, xyxy);
                        content.boxes.push(target);
                    }
                    None => problems.push(format!("the target is not a box: {answer:.40}")),
                }
            }
            Some(answer) => content.target = Some(Target::Text(answer)),
        }
        content.question = match row.text("hint") {
            Some(hint) => {
                // Store the number of lines, so that a hint of several lines can be separated from
                // the question.
                content.sent = Some(Box::new(Sent {
                    hint_lines: hint.split('\n').count(),
                    ..Sent::default()
                }));
                format!("Hint: {hint}\n{question}")
            }
            None => question,
        };
        content
    }

    fn tags(&self, row: &Row) -> Labels {
        let mut tags = Labels::new();
        if let Some(category) = row.text("category") {
            self.task.tag_category(&category, &mut tags);
        }
        for (name, cell) in &row.cells {
            let text = cell.to_string();
            let option = matches!(name.as_bytes(), [letter] if letter.is_ascii_uppercase());
            let content = text.len() > TAG || text.starts_with(['[', '{']);
            if option
                || content
                || FIELDS.contains(&&**name)
                || name.is_empty()
                || cells::is_missing(&text)
            {
                continue;
            }
            let value = if NAMES.contains(&&**name) {
                Value::Text(text)
            } else {
                cells::tag(cell)
            };
            tags.insert(name.to_string(), value);
        }
        tags
    }

    /// Returns the pictures in the data set. If it contains none, returns the files exported by the
    /// harness.
    fn images(&self, row: &Row, index: &str) -> Vec<ImageRef> {
        let cells = self.data.map(|data| data.images(index)).unwrap_or_default();
        if !cells.is_empty() {
            return cells;
        }
        let names = match row.text("image_path") {
            Some(paths) => cells::list(&paths),
            None => self.dumped(index),
        };
        names.into_iter().map(ImageRef::Path).collect()
    }

    /// Returns the file names of a question's exported pictures. They are `<index>.png`, or
    /// `<index>_<number>.png`.
    fn dumped(&self, index: &str) -> Vec<String> {
        if Path::new(index).components().count() != 1 {
            return Vec::new();
        }
        let exists = |name: &String| {
            self.image_roots
                .iter()
                .any(|root| root.join(name).is_file())
        };
        let single = [format!("{index}.png"), format!("{index}.jpg")]
            .into_iter()
            .find(exists);
        single.map_or_else(
            || {
                let numbered = |first: usize| {
                    let names = (first..PICTURES).map(|number| format!("{index}_{number}.png"));
                    names.take_while(exists).collect::<Vec<_>>()
                };
                Some(numbered(0))
                    .filter(|names| !names.is_empty())
                    .unwrap_or_else(|| numbered(1))
            },
            |name| vec![name],
        )
    }
}

/// Returns the extracted letter. It is known only if the answer is right and was not chosen at
/// random.
fn parsed(rule: Rule, hit: &Hit, answer: Option<&str>) -> Option<String> {
    let right =
        rule == Rule::ChoiceMatching && !hit.guessed && hit.score.is_some_and(|score| score >= 1.0);
    answer.filter(|_| right).map(str::to_owned)
}

fn choices(row: &Row) -> Vec<Choice> {
    let choice = |letter: u8| {
        let letter = char::from(letter).to_string();
        row.text(&letter).map(|text| Choice { letter, text })
    };
    let lettered: Vec<Choice> = (b'A'..=b'Z').filter_map(choice).collect();
    if !lettered.is_empty() {
        return lettered;
    }
    // Tables written by other programs can contain an object with all options.
    let object = row
        .text("options")
        .and_then(|text| serde_json::from_str(&text).ok());
    if let Some(Json::Object(options)) = object {
        let options = options.into_iter();
        return options
            .map(|(letter, text)| Choice {
                letter,
                text: plain(&text),
            })
            .collect();
    }
    // In `MathVista` and `MathVision`, one cell contains all options.
    let listed = row.text("choices").map(|texts| cells::list(&texts));
    let listed = listed.into_iter().flatten().zip((0..).map(Choice::letters));
    let listed = listed.map(|(text, letter)| Choice { letter, text });
    let listed: Vec<Choice> = listed.collect();
    let answer = row.text("answer").unwrap_or_default();
    let is_letter = listed.iter().any(|option| option.letter == answer.trim());
    if is_multiple_choice(row) || is_letter {
        return listed;
    }
    Vec::new()
}

/// Returns the annotated answer. For `MathVista`'s multiple choice, returns the letter of the
/// option.
fn answer(row: &Row) -> Option<String> {
    let option = row
        .text("answer_option")
        .filter(|_| is_multiple_choice(row));
    option
        .or_else(|| row.text("answer"))
        .or_else(|| row.text("answers"))
}

fn is_multiple_choice(row: &Row) -> bool {
    row.text("question_type").as_deref() == Some("multi_choice")
}

/// True if two answers are equal as text or as numbers.
fn same(one: &str, other: &str) -> bool {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    one.trim() == other.trim() || number(one).is_some_and(|value| number(other) == Some(value))
}

/// Evaluator of a data set: scoring rule and metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evaluator {
    rule: Rule,
    metric: &'static str,
}

/// Prefixes of data set names, each with the rule and metric that the harness uses in
/// `image_vqa.py`.
const KNOWN: [(&str, Rule, &str); 10] = [
    // Caption metrics are computed only over the whole data set.
    ("COCO", Rule::Stored, "CIDEr"),
    ("OCRBench", Rule::Contained, "accuracy"),
    ("TextVQA", Rule::TableVqaAccuracy, "vqa_accuracy"),
    ("ChartQA", Rule::Relaxed, "relaxed_accuracy"),
    ("DocVQA", Rule::Anls, "anls"),
    ("InfoVQA", Rule::Anls, "anls"),
    ("OCRVQA", Rule::SameText, "accuracy"),
    ("GQA", Rule::SameText, "accuracy"),
    ("MathVista", Rule::MathVista, "accuracy"),
    ("MathVision", Rule::MathVista, "accuracy"),
];
/// Possible rests of data set names after a prefix in [`KNOWN`]. Other names, such as
/// `OCRBench_v2`, have other evaluators.
const PARTS: [&str; 7] = [
    "",
    "VAL",
    "TEST",
    "TESTCORE",
    "TestDev_Balanced",
    "MINI",
    "MINI_TEST",
];

impl Evaluator {
    /// Returns the evaluator of a data set; `None` if its name is unknown.
    pub fn of(dataset: &str) -> Option<Self> {
        let is_of = |name: &str| {
            let rest = dataset.strip_prefix(name);
            rest.is_some_and(|rest| {
                let part = rest.strip_prefix('_').unwrap_or(rest);
                PARTS.contains(&part) && (rest.is_empty() || rest.starts_with('_'))
            })
        };
        let known = KNOWN.iter().find(|(name, ..)| is_of(name));
        known.map(|&(_, rule, metric)| Self { rule, metric })
    }

    /// Returns the rule for a row. The rule of `MathVista` can only be applied to an answer
    /// extracted by a judge.
    pub fn rule(self, hit: &Hit) -> Rule {
        match self.rule {
            Rule::MathVista if hit.parsed.is_none() => Rule::Unstated,
            rule => rule,
        }
    }

    /// Returns the name of the evaluator's metric.
    pub const fn metric(self) -> &'static str {
        self.metric
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;

    fn row(cells: &[(&str, &str)]) -> Row {
        let cells = cells
            .iter()
            .map(|(name, text)| (Rc::from(*name), Value::from(*text)))
            .collect();
        Row { line: 2, cells }
    }

    fn source(dataset: &str) -> Source<'_> {
        Source {
            model: "m",
            dataset,
            task: Task::of(dataset),
            box_rule: Rule::BoxCentroid,
            data: None,
            image_roots: &[],
        }
    }

    fn hit(score: f64, guessed: bool) -> Option<Hit> {
        Some(Hit {
            score: Some(score),
            guessed,
            ..Hit::default()
        })
    }

    #[test]
    fn math_vision_has_its_options_in_one_cell_and_an_extracted_answer() {
        let score = |choices: &str, answer: &str, extracted: &str| {
            let cells = [
                ("question", "Which?"),
                ("choices", choices),
                ("answer", answer),
                ("prediction", "We count."),
                ("res", extracted),
                ("log", "ok"),
            ];
            let row = row(&cells);
            let hit = Hit::of(&row).unwrap();
            let (record, problems) = source("MathVision_MINI").record(&row, "1".into(), hit);
            assert_eq!(problems, [""; 0]);
            scorer::judge(&record).harness.outcome.score
        };
        assert_eq!(score("['2', '3']", "B", "3"), Some(1.0));
        assert_eq!(score("['2', '3']", "B", "A"), Some(0.0));
        assert_eq!(score("[]", "12", "12.0"), Some(1.0));
        assert_eq!(score("[]", "12", "13"), Some(0.0));
    }

    #[test]
    fn a_multiple_choice_row() {
        let row = row(&[
            ("index", "7"),
            ("hint", "Look."),
            ("question", "Which?"),
            ("A", "1"),
            ("B", "nan"),
            ("C", "cat"),
            ("answer", "C"),
            ("category", "shape"),
            ("l2-category", "2"),
            ("split", "dev"),
            ("source", "3"),
            ("context", "[1]"),
            ("prediction", "it is C"),
            ("thinking", "hm"),
            ("image_path", "['a.png', 'b.png']"),
        ]);
        let (record, problems) = source("MiniMulti").record(&row, "7".to_owned(), hit(1.0, false));
        assert!(problems.is_empty());
        assert_eq!(
            (&*record.benchmark, &*record.ability, record.rule),
            ("MiniMulti", "shape", Rule::ChoiceMatching)
        );
        assert_eq!(record.content.question, "Hint: Look.\nWhich?");
        assert_eq!(
            record
                .content
                .choices
                .iter()
                .map(|choice| &*choice.letter)
                .collect::<Vec<_>>(),
            ["A", "C"]
        );
        assert_eq!(record.content.target, Some(Target::Text("C".to_owned())));
        assert_eq!(record.content.images.len(), 2);
        let tags: Vec<_> = record
            .content
            .tags
            .iter()
            .map(|(name, value)| format!("{name}={value:?}"))
            .collect();
        assert_eq!(
            tags,
            [
                "category=Text(\"shape\")",
                "l2-category=Text(\"2\")",
                "source=Number(3.0)",
                "split=Text(\"dev\")",
            ]
        );
        assert_eq!(
            (record.parsed.as_deref(), record.stored),
            (Some("C"), Some(1.0))
        );
        assert_eq!(record.metric.as_deref(), Some("accuracy"));
    }

    #[test]
    fn a_guess_is_not_a_parsed_answer() {
        let row = row(&[("A", "x"), ("answer", "A")]);
        let parsed = |hit| source("d").record(&row, "1".to_owned(), hit).0.parsed;
        assert_eq!(parsed(hit(1.0, true)), None);
        assert_eq!(parsed(hit(0.0, false)), None);
        assert_eq!(parsed(None), None);
    }

    #[test]
    fn a_grounding_row_has_a_box_and_a_turn() {
        let row = row(&[
            ("question", "red car"),
            ("answer", "[0, 0.1, 0.5, 1]"),
            ("category", "visual_grounding"),
        ]);
        let (record, _) = source("tdbench_grounding_rot90").record(&row, "1".to_owned(), None);
        assert_eq!(
            record.content.target,
            Some(Target::Box([0.0, 0.1, 0.5, 1.0]))
        );
        assert_eq!(record.content.boxes[0].label, "red car");
        assert_eq!(record.condition["rotation"], Value::Number(90.0));
        assert_eq!(
            (record.rule, record.metric, &*record.response.unwrap()),
            (Rule::BoxCentroid, None, "")
        );
        assert!(record.content.tags.is_empty());
    }

    #[test]
    fn a_case_study_has_its_number_as_a_tag() {
        let row = row(&[
            ("category", "80m"),
            ("answer", "A"),
            ("A", "x"),
            ("prediction", &"y".repeat(CELL)),
        ]);
        let (record, problems) = source("tdbench_cs_height").record(&row, "1".to_owned(), None);
        assert_eq!(
            (&*record.benchmark, &*record.ability),
            ("tdbench", "case_height")
        );
        assert_eq!(record.content.tags["altitude_m"], Value::Number(80.0));
        assert_eq!(record.content.tags["category"], Value::from("80m"));
        assert_eq!(problems.len(), 1);
    }
}

#[cfg(test)]
mod evaluator_tests {
    use super::*;

    #[test]
    fn data_sets_of_one_family_have_one_evaluator() {
        let metric = |name| Evaluator::of(name).map(Evaluator::metric);
        assert_eq!(metric("TextVQA_VAL"), Some("vqa_accuracy"));
        assert_eq!(metric("OCRBench"), Some("accuracy"));
        assert_eq!(metric("DocVQA_TEST"), Some("anls"));
        assert_eq!(metric("COCO_VAL"), Some("CIDEr"));
        for other in ["OCRBench_v2", "ChartQAPro", "MiniVQA", "MyTextVQA_VAL"] {
            assert_eq!(metric(other), None, "{other}");
        }
    }
}
