//! Searches the text on screen: the text of a popup, or the response of a sample.

use super::App;
use crate::change::SearchStep;
use crate::effect::Effect;
use crate::popup::{Popup, SearchLine};
use crate::widget::line_edit::LineEdit;
use crate::widget::prose::ProseState;

impl App {
    /// Performs a step of the search.
    pub(super) fn find(&mut self, step: SearchStep) -> Vec<Effect> {
        let Some((text, state)) = self.text_on_screen() else {
            if step == SearchStep::Open {
                let words = "no text to search here; / filters the samples";
                self.shared.notice = Some(words.to_owned());
            }
            return Vec::new();
        };
        let search = &mut state.search;
        let wanted = search.wanted().to_owned();
        match step {
            SearchStep::By(_) if wanted.is_empty() => return self.find(SearchStep::Open),
            SearchStep::Enter if wanted.is_empty() => return Vec::new(),
            SearchStep::Open => {
                let line = LineEdit::new(wanted);
                let told = search.status(&text);
                self.popups.push(SearchLine { line, told }.into());
            }
            SearchStep::For(words) => {
                search.look_for(&words);
                let told = search.status(&text);
                self.tell_line(told);
            }
            SearchStep::By(_) | SearchStep::Enter => {
                let by = if let SearchStep::By(by) = step { by } else { 0 };
                search.step(by);
                let told = search.status(&text);
                self.shared.notice = Some(format!("{wanted}: {told}"));
                self.tell_line(told);
            }
        }
        Vec::new()
    }

    /// Updates the match count in the search line.
    fn tell_line(&mut self, told: String) {
        if let Some(Popup::Find(find)) = self.popups.last_mut() {
            find.told = told;
        }
    }

    /// Returns the searchable text on screen and its scroll state, if there is one.
    fn text_on_screen(&mut self) -> Option<(String, &mut ProseState)> {
        let mut below = self.popups.iter_mut();
        match below.rfind(|popup| !popup.is_line_over()) {
            Some(Popup::Text(text)) => Some((text.words.clone(), &mut text.state)),
            Some(_) => None,
            None => self.views.get_mut(self.shared.view).text(&self.shared),
        }
    }
}
