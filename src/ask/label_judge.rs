//! Lets a model judge annotations with their pictures: is the label right?
//!
//! The judge's verdicts are compared with those of people. They count only in an analysis that
//! opens their file.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::{Plan, Protocol, Sample, StepResult, TurnWords};
use analysis::Selection;
use analysis::audit::sample_key;
use record::verdict::{Book, Entry, SampleKey, Verdict};

use super::answer_judge::{JudgeAgreement, judge_sample};
use super::asked;

/// Ability of the judge's questions.
const ABILITY: &str = "label";
/// Answer options of the judge: letter, verdict, text.
const CHOICES: [(&str, Verdict, &str); 4] = [
    ("A", Verdict::Ok, "yes, the annotated answer is right"),
    ("B", Verdict::WrongLabel, "no, another answer is right"),
    (
        "C",
        Verdict::Ambiguous,
        "several answers are defensible, or the question is unclear",
    ),
    (
        "D",
        Verdict::BadImage,
        "the picture cannot answer the question",
    ),
];

/// An annotation and the question for the judge.
pub struct LabelQuestion {
    /// Key of the judged sample.
    pub key: SampleKey,
    /// The question to the judge, as a sample.
    pub sample: Sample,
}

/// Returns the annotations of at most `limit` selected samples, each once. The second result is the
/// number of samples that cannot be judged.
pub fn asked(selection: Selection<'_>, limit: usize) -> (Vec<LabelQuestion>, usize) {
    let ways = [(&Protocol::Vanilla, TurnWords::On)];
    let (samples, mut others) = asked::asked(selection, &ways, None, limit);
    let (mut known, mut found) = (BTreeSet::new(), Vec::new());
    for sample in samples {
        let Some(row) = sample.before.as_ref().map(|before| before.row) else {
            continue;
        };
        let key = sample_key(selection.table, selection.table.item(row));
        if !known.insert(key.clone()) {
            continue;
        }
        match question(&key, sample) {
            Some(sample) => found.push(LabelQuestion { key, sample }),
            None => others += 1,
        }
    }
    (found, others)
}

/// Builds the question for the judge; `None` without annotation or picture.
fn question(key: &SampleKey, sample: Sample) -> Option<Sample> {
    let content = &sample.record.content;
    let target = content.target.as_ref()?.to_string();
    // Join into one line, so that the target cannot imitate the question.
    let target = target.split_whitespace().collect::<Vec<_>>().join(" ");
    if content.question.is_empty() || sample.pictures.is_empty() {
        return None;
    }
    let options = content.choices.iter();
    let options = options.map(|choice| format!("{}. {}", choice.letter, choice.text));
    let lines = content.question.lines().map(str::to_owned).chain(options);
    // Prefix each line, so that the sample's question cannot imitate the question to the judge.
    let quoted: Vec<String> = lines.map(|line| format!("> {line}\n")).collect();
    let words = format!(
        "Here is a question about the picture, and the answer that somebody annotated. Look at the picture and check the \
         annotation.\n\nQuestion:\n{}Annotated answer: {target}\n\nIs the annotated answer right?",
        quoted.concat()
    );
    let id = [&key.benchmark, &key.ability, &key.sample_id];
    let id = id.map(String::as_str).join(" / ");
    let options = CHOICES.map(|(letter, _, text)| (letter, text));
    Some(Sample {
        pictures: sample.pictures,
        ..judge_sample(ABILITY, id, words, &options)
    })
}

/// Returns the judge's verdict on each annotation; `None` if it is missing or unreadable.
pub fn verdicts(
    plan: &Plan,
    finished: &[Arc<StepResult>],
    asked: &[LabelQuestion],
) -> Vec<Option<Verdict>> {
    let words: HashMap<&str, Verdict> = finished
        .iter()
        .filter_map(|one| {
            let (sample, _) = plan.at(one.item)?;
            let read = one.judged.read.as_deref()?;
            Some((sample.record.sample_id.as_str(), verdict(read)?))
        })
        .collect();
    let word = |asked: &LabelQuestion| words.get(asked.sample.record.sample_id.as_str()).copied();
    asked.iter().map(word).collect()
}

/// Parses an option's letter or text as a verdict.
fn verdict(read: &str) -> Option<Verdict> {
    let mut choices = CHOICES.into_iter();
    let is_it = |letter: &str, text: &str| read == letter || read == text;
    let (_, verdict, _) = choices.find(|(letter, _, text)| is_it(letter, text))?;
    Some(verdict)
}

/// Formats the judge's verdicts as lines of a verdict file.
pub fn lines(asked: &[LabelQuestion], said: &[Option<Verdict>], judge: &str) -> Vec<u8> {
    let lines = asked.iter().zip(said).filter_map(|(asked, said)| {
        let entry = Entry::now(asked.key.clone(), (*said)?, "", judge);
        let mut line = entry.line().ok()?;
        line.push(b'\n');
        Some(line)
    });
    lines.flatten().collect()
}

/// Measures how often a judge and people agree that annotations are right. Ignores the judge's own
/// earlier verdicts.
pub fn measured(
    book: &Book,
    asked: &[LabelQuestion],
    said: &[Option<Verdict>],
    judge: &str,
) -> JudgeAgreement {
    let people = |key: &SampleKey| {
        let words = book.of(key).into_iter().filter(|word| word.author != judge);
        let mut votes = [0_usize; 2];
        for word in words {
            votes[usize::from(word.verdict == Verdict::Ok)] += 1;
        }
        // A tie between people does not count.
        (votes[0] != votes[1]).then(|| votes[1] > votes[0])
    };
    let pairs: Vec<(bool, bool)> = asked
        .iter()
        .zip(said)
        .filter_map(|(asked, said)| Some(((*said)? == Verdict::Ok, people(&asked.key)?)))
        .collect();
    JudgeAgreement::new("people's verdicts on the labels", &pairs)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use record::Record;

    fn key(id: &str) -> SampleKey {
        SampleKey {
            sample_id: id.to_owned(),
            benchmark: "b".to_owned(),
            ability: "a".to_owned(),
            ..SampleKey::default()
        }
    }

    fn label(id: &str) -> LabelQuestion {
        LabelQuestion {
            key: key(id),
            sample: Sample {
                record: Record::default(),
                pictures: Vec::new(),
                format: String::new(),
                before: None,
                turned: BTreeMap::new(),
            },
        }
    }

    #[test]
    fn a_judge_is_measured_against_people_and_not_against_itself() {
        let mut book = Book::default();
        for (id, verdict, author) in [
            ("1", Verdict::Ok, "p"),
            ("2", Verdict::WrongLabel, "p"),
            ("3", Verdict::Ok, "p"),
            ("3", Verdict::Ambiguous, "q"),
            ("4", Verdict::Ok, "judge"),
        ] {
            book.add(0, Entry::now(key(id), verdict, "", author));
        }
        let asked = ["1", "2", "3", "4", "5"].map(label);
        let said = [
            Some(Verdict::Ok),
            Some(Verdict::Ok),
            None,
            Some(Verdict::Ok),
            None,
        ];
        let found = measured(&book, &asked, &said, "judge");
        assert_eq!(
            (found.agreement.n, found.judge_only, found.rule_only),
            (2, 1, 0)
        );
        let lines = lines(&asked, &said, "judge");
        let lines = String::from_utf8(lines).unwrap();
        assert_eq!(lines.lines().count(), 3);
        assert!(Entry::parse(lines.lines().next().unwrap().as_bytes()).is_ok());
    }

    #[test]
    fn letters_are_verdicts() {
        assert_eq!(verdict("B"), Some(Verdict::WrongLabel));
        assert_eq!(
            verdict("the picture cannot answer the question"),
            Some(Verdict::BadImage)
        );
        assert_eq!(verdict("E"), None);
    }
}
