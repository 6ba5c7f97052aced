//! Filter terms on answers and targets. An option matches by its letter or by its text.

use super::evaluate::{Evaluator, MatchFlags, Outcome};
use super::text::Pattern;
use super::{Comparison, Leaf};
use crate::answered::{ValueLabel, answer_in, each, option_texts};
use base::job::FOR_GOOD;
use record::Row;

/// Returns true if a pattern matches one of the names. For `!=`, neither name may equal the value.
fn fits(pattern: &Pattern, [short, name]: [&str; 2]) -> bool {
    match pattern {
        Pattern::Unequal(_) => pattern.matches(short) && pattern.matches(name),
        _ => pattern.matches(short) || pattern.matches(name),
    }
}

impl Evaluator<'_> {
    /// Returns the rows that a term has to test.
    fn asked(&self, among: Option<&[bool]>) -> Vec<u32> {
        let rows = u32::try_from(self.table.len()).unwrap_or(u32::MAX);
        let is_asked = |row: &u32| among.is_none_or(|among| among[*row as usize]);
        (0..rows).filter(is_asked).collect()
    }

    /// Selects predictions by their parsed answer. An empty value selects unreadable responses.
    pub(super) fn answer(&self, leaf: &Leaf, among: Option<&[bool]>) -> Outcome {
        // Check the value before reading the logs.
        self.pattern(leaf, true)?;
        let (table, scoring) = (self.table, self.scoring);
        let rows = self.asked(among);
        let said = each(table, &rows, &FOR_GOOD, |row, record| {
            answer_in(table, row, record, scoring)
        });
        let names = |said: &Option<ValueLabel>| match said {
            Some(said) => [said.short.clone(), said.name.clone()],
            None => [String::new(), String::new()],
        };
        let said: Vec<(u32, [String; 2])> = rows
            .into_iter()
            .zip(said)
            .filter_map(|(row, said)| Some((row, names(&said?))))
            .collect();
        let is_it = |name: &String| name.eq_ignore_ascii_case(&leaf.value);
        let exact = leaf.value.is_empty() || said.iter().any(|(_, names)| names.iter().any(is_it));
        let pattern = self.pattern(leaf, exact)?;
        let mut flags = vec![false; table.len()];
        for (row, [short, name]) in &said {
            flags[*row as usize] = fits(&pattern, [short, name]);
        }
        Ok(MatchFlags::Predictions(flags))
    }

    /// Selects samples by their target. A term compares it with the target in the log, or the text
    /// of its option.
    pub(super) fn target(&self, leaf: &Leaf, among: Option<&[bool]>) -> Outcome {
        self.pattern(leaf, true)?;
        let table = self.table;
        let texts = if leaf.comparison == Comparison::Equal && leaf.value.is_empty() {
            std::collections::HashMap::new()
        } else {
            option_texts(table, &self.asked(among), &FOR_GOOD)
        };
        let is_logged = || {
            table
                .item_of()
                .iter()
                .any(|&item| table.target(record::ItemId(item)) == leaf.value)
        };
        let is_text = |text: &String| text.eq_ignore_ascii_case(&leaf.value);
        let exact = texts.values().any(is_text) || is_logged();
        let pattern = self.pattern(leaf, exact)?;
        Ok(self.items(|item| {
            let logged = table.target(item);
            let text = texts.get(&item.0).map_or(logged, String::as_str);
            fits(&pattern, [logged, text])
        }))
    }

    /// Selects predictions by their response.
    pub(super) fn response(&self, leaf: &Leaf, among: Option<&[bool]>) -> Outcome {
        let pattern = self.pattern(leaf, false)?;
        let rows = self.asked(among).into_iter().map(Row);
        let found = super::text::scan_responses(self.table, rows, &pattern);
        Ok(MatchFlags::Predictions(found))
    }
}
