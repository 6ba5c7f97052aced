//! The two models that are compared.

use super::AppState;

/// Maximum number of selected models.
pub const MOST_PICKED: usize = 3;

impl AppState {
    /// Returns the two models to compare. These are the models chosen for comparison, or else the
    /// first two selected models, or else the lens's model and the best other model.
    pub fn compared(&self) -> Option<[String; 2]> {
        let known = self.answered();
        let chosen = self.pair.as_ref().filter(|(models, picked)| {
            *picked == self.picked && models.iter().all(|model| known.contains(model))
        });
        if let Some((models, _)) = chosen {
            return Some(models.clone());
        }
        let mut wanted: Vec<&String> = self.picked.iter().chain(&self.lens.model).collect();
        wanted.extend(&known);
        wanted.retain(|model| known.contains(model));
        let a = (*wanted.first()?).clone();
        let b = wanted.into_iter().find(|model| **model != a)?.clone();
        Some([a, b])
    }

    /// Returns true if the last comparison has other models. The compared models depend on ranks,
    /// which can change while logs are read.
    pub fn is_comparison_stale(&self) -> bool {
        let known = self.answers.comparison.as_ref();
        self.compared() != known.map(|known| known.models.clone())
    }

    /// Compares two models. If models are selected, the two models move to the start of the
    /// selection, so that every view calls them A and B.
    pub fn compare(&mut self, models: [String; 2]) {
        if !self.picked.is_empty() {
            let before = std::mem::take(&mut self.picked);
            let count = before.len().max(models.len()).min(MOST_PICKED);
            let others = before.into_iter().filter(|model| !models.contains(model));
            self.picked = models.iter().cloned().chain(others).take(count).collect();
        }
        self.pair = Some((models, self.picked.clone()));
    }

    /// Makes a model A in the comparison, unless models are selected. B stays, or becomes the best
    /// other model.
    pub fn compare_first(&mut self, model: &str) {
        let known = self.answered();
        if !self.picked.is_empty() || !known.iter().any(|known| known == model) {
            return;
        }
        let before = self.compared().filter(|[a, b]| a == model || b == model);
        let before = before.into_iter().flatten();
        let other = before.chain(known).find(|other| other != model);
        if let Some(other) = other {
            self.compare([model.to_owned(), other]);
        }
    }
}
