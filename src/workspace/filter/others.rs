//! Filter keys for the result of another model on the same sample: `right:NAME`, `wrong:NAME`,
//! `beats:NAME`, `loses:NAME`, `ties:NAME`, `disagree:NAME`.
//!
//! A name can end in `@0.5`: the minimum graded score that counts as right. With `@all`, the other
//! model must be right under every condition of the sample, as in rotational evaluations.

use std::cmp::Ordering;

use crate::merit::merits;
use crate::page::Correctness;
use record::{Row, Scoring, Table};

/// Keys whose value is the name of another model.
pub const KEYS: [&str; 6] = ["right", "wrong", "beats", "loses", "ties", "disagree"];

/// When another model's answer counts as right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cut {
    /// By the same rule as the key `correct`.
    Usual,
    /// If its score is at least this number.
    At(f64),
    /// If the answer is right under all conditions of the sample.
    All,
}

/// Splits a value at `@` into name and cut, unless the whole value is the name of a model.
pub fn name_and_cut<'a>(value: &'a str, models: &[String]) -> (&'a str, Cut) {
    let whole = models.iter().any(|name| name.eq_ignore_ascii_case(value));
    let Some((name, cut)) = value.rsplit_once('@').filter(|_| !whole) else {
        return (value, Cut::Usual);
    };
    match (cut, cut.parse::<f64>()) {
        ("all", _) => (name, Cut::All),
        (_, Ok(score)) if score.is_finite() => (name, Cut::At(score)),
        _ => (value, Cut::Usual),
    }
}

/// Predictions of some models, by item.
pub struct Others<'a> {
    table: &'a Table,
    scoring: Scoring,
    /// One flag per model.
    models: &'a [bool],
}

impl<'a> Others<'a> {
    /// Selects the predictions of the flagged models.
    pub const fn new(table: &'a Table, scoring: Scoring, models: &'a [bool]) -> Self {
        Self {
            table,
            scoring,
            models,
        }
    }

    /// Returns one flag per prediction for one of [`KEYS`].
    pub fn select(&self, key: &str, cut: Cut) -> Vec<bool> {
        match key {
            "right" => self.of_items(&self.right(cut), Some(true)),
            "wrong" => self.of_items(&self.right(cut), Some(false)),
            "beats" => self.compared(|own, other| own > other),
            "loses" => self.compared(|own, other| own < other),
            "ties" => self.compared(|own, other| own.partial_cmp(&other) == Some(Ordering::Equal)),
            _ => self.disagreeing(cut),
        }
    }

    /// Returns (row, item) pairs of the models' predictions.
    fn rows(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let rows = self.table.item_of().iter().zip(self.table.model_of());
        let is_other = |model: u16| self.models.get(usize::from(model)) == Some(&true);
        rows.enumerate()
            .filter(move |(_, (_, model))| is_other(**model))
            .map(|(row, (item, _))| (row, *item as usize))
    }

    fn correctness(&self, cut: Cut) -> Correctness<'a> {
        match cut {
            Cut::At(score) => Correctness::from_score(self.table, self.scoring, score),
            Cut::Usual | Cut::All => Correctness::new(self.table, self.scoring),
        }
    }

    /// Returns per item true if all of the models are right, false if all are wrong, else `None`.
    fn right(&self, cut: Cut) -> Vec<Option<bool>> {
        let correct = self.correctness(cut);
        let mut asked = vec![false; self.table.ability_of().len()];
        let mut right: Vec<Option<bool>> = vec![None; asked.len()];
        for (row, item) in self.rows() {
            let own = correct.is_right(Row(u32::try_from(row).unwrap_or(u32::MAX)));
            if let (Some(asked), Some(known)) = (asked.get_mut(item), right.get_mut(item)) {
                *known = if *asked && *known != own { None } else { own };
                *asked = true;
            }
        }
        match cut {
            Cut::All => self.under_all_conditions(&right),
            Cut::Usual | Cut::At(_) => right,
        }
    }

    /// Combines the items of a sample. A sample is right if it is right under all conditions, and
    /// wrong if it is wrong under one. Otherwise it is unknown.
    fn under_all_conditions(&self, right: &[Option<bool>]) -> Vec<Option<bool>> {
        let samples = self.table.sample_of();
        let count = samples.iter().max().map_or(0, |last| *last as usize + 1);
        let mut whole: Vec<Option<bool>> = vec![Some(true); count];
        for (&sample, &right) in samples.iter().zip(right) {
            if let Some(whole) = whole.get_mut(sample as usize) {
                *whole = whole.zip(right).map(|(whole, right)| whole && right);
            }
        }
        let of = |&sample: &u32| whole.get(sample as usize).copied().flatten();
        samples.iter().map(of).collect()
    }

    fn of_items(&self, known: &[Option<bool>], wanted: Option<bool>) -> Vec<bool> {
        let flag = |&item: &u32| known.get(item as usize).copied().flatten() == wanted;
        self.table.item_of().iter().map(flag).collect()
    }

    /// Selects predictions that are right where the other models are wrong, and vice versa.
    fn disagreeing(&self, cut: Cut) -> Vec<bool> {
        let others = self.right(cut);
        let correct = self.correctness(cut);
        let differs = |(row, &item): (u32, &u32)| {
            let other = others.get(item as usize).copied().flatten();
            matches!((correct.is_right(Row(row)), other), (Some(own), Some(other)) if own != other)
        };
        (0..).zip(self.table.item_of()).map(differs).collect()
    }

    /// Selects predictions by comparing their merit with the merit of the other model on the same
    /// sample.
    fn compared(&self, is: impl Fn(f64, f64) -> bool) -> Vec<bool> {
        let merits = merits(self.table, self.scoring);
        let mut others = vec![f64::NAN; self.table.ability_of().len()];
        for (row, item) in self.rows() {
            if let (Some(other), Some(merit)) = (others.get_mut(item), merits.get(row)) {
                *other = *merit;
            }
        }
        let compares = |(&item, &own): (&u32, &f64)| {
            let other = others.get(item as usize).copied().unwrap_or(f64::NAN);
            is(own, other)
        };
        self.table
            .item_of()
            .iter()
            .zip(&merits)
            .map(compares)
            .collect()
    }
}
