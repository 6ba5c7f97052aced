//! Writes files, and copies the screen as Markdown.

use super::App;
use crate::effect::Effect;
use crate::keymap::ViewId;
use crate::order::{Order, OutputContent, OutputKind, WriteJob, WriteResult};
use crate::popup::Palette;
use crate::view::View as _;
use base::format::counted;
use engine::{Query, Report, Scope};

impl App {
    /// Opens the palette to enter a file name.
    pub(super) fn ask_for_file(&mut self, content: OutputKind) -> Vec<Effect> {
        let text = format!("{} ", Order::word(content));
        self.pop_up(Palette::with(text))
    }

    /// Starts writing a file with the samples on screen, in the background.
    pub(super) fn write(&mut self, order: &Order) -> Vec<Effect> {
        let target = order.file(self.shared.file_stem());
        let shared = &mut self.shared;
        let target = match target {
            _ if shared.is_empty() => Err("nothing is open".to_owned()),
            Ok(_) if !shared.loading.is_over() => Err("logs are still being read".to_owned()),
            target => target,
        };
        let target = match target {
            Ok(target) => target,
            Err(why) => {
                shared.notice = Some(format!("not written: {why}"));
                return Vec::new();
            }
        };
        shared.writing.push(target.path.clone());
        let what = match order.content {
            OutputKind::Report => OutputContent::Report(Box::new(self.report())),
            OutputKind::Export => OutputContent::Export(self.looked_at().0),
        };
        vec![Effect::Write(Box::new(WriteJob { what, target }))]
    }

    /// Returns the report of the samples on screen, with the two models under comparison.
    fn report(&self) -> Report {
        let (scope, sides) = self.looked_at();
        Report {
            compare: sides,
            ..Report::over(&scope)
        }
    }

    /// Returns the scope of the screen, and the two compared models.
    fn looked_at(&self) -> (Scope, Option<[String; 2]>) {
        let shared = &self.shared;
        let known = shared.answered();
        let picked = || match shared.picked.as_slice() {
            [a, b] if known.contains(a) && known.contains(b) => Some([a.clone(), b.clone()]),
            _ => None,
        };
        match self.view().query(shared) {
            Some(Query::Compare(query)) => (query.scope, Some(query.sides)),
            Some(Query::Report(query)) => {
                let is_one = shared.view != ViewId::Overview;
                (query.scope, picked().filter(|_| is_one))
            }
            Some(Query::Subgroups(query)) => (query.scope, picked()),
            Some(Query::Reliability(query)) => (query.scope, picked()),
            Some(Query::Audit(query)) => (query.scope, None),
            Some(Query::Samples(query)) => {
                let sides = picked().filter(|_| shared.lens.model.is_none());
                (query.scope, sides)
            }
            _ => (shared.scope(&shared.lens), None),
        }
    }

    /// Shows a notice that a file was written, or why not.
    pub fn receive_written(&mut self, written: WriteResult) {
        self.dirty = true;
        let writing = &mut self.shared.writing;
        if let Some(at) = writing.iter().position(|file| *file == written.ordered) {
            writing.remove(at);
        }
        if let Some(file) = &written.file {
            self.shared.links.add(file);
        }
        self.shared.notice = Some(written.words);
    }

    /// Quits. If a rerun or file is unfinished, warns the user first.
    pub(super) fn quit(&mut self) -> Vec<Effect> {
        let asking = self.views.live.background();
        if let Some(asking) = asking.filter(|_| !std::mem::replace(&mut self.leaving, true)) {
            return self.notify(format!(
                "{asking}; quit again to leave, and continue this rerun later in view 6"
            ));
        }
        let Some(file) = self.shared.writing.pop() else {
            return vec![Effect::Quit];
        };
        self.shared.writing.clear();
        self.notify(format!(
            "{} is still being written; quit again to leave without it",
            file.display()
        ))
    }

    /// Copies the view's table as Markdown.
    pub(super) fn copy_table(&mut self) -> Vec<Effect> {
        let grid = self.view().grid(&self.shared, self.drawn.body);
        let grid = grid.filter(|grid| !grid.rows.is_empty());
        let Some(grid) = grid else {
            return self.notify("no table is shown");
        };
        let rows = counted(grid.rows.len() as u64, "row");
        self.shared.notice = Some(format!("copied as Markdown: {rows}"));
        vec![Effect::Copy(report::markdown_tables(&[grid]))]
    }
}
