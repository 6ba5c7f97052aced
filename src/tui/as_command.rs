//! The command that prints what a screen shows.

use record::Row;

use engine::{Ask, Query, Report, Show};

use super::app::{App, Effect};
use super::keymap::View;
use super::popup::Popup;
use super::screen::{audit_query, comparison_query};
use super::widget::prose::ProseState;

impl App {
    /// Copies the command that asks what this screen asks, and shows it.
    pub fn copy_command(&mut self) -> Vec<Effect> {
        let popup = self.popups.last();
        let query = match popup.and_then(|popup| popup.query(self)) {
            None if self.view == View::Live => return super::screen::copy_live_command(self),
            None => self.view_query(),
            query => query,
        };
        let command = query.and_then(|query| query.command(&self.request));
        let Some(command) = command else {
            self.notice = Some("nothing is shown".to_owned());
            return Vec::new();
        };
        let text = command.to_string();
        self.popups.push(Popup::Text {
            title: "copied".to_owned(),
            text: text.clone(),
            state: ProseState::default(),
        });
        vec![Effect::Copy(text)]
    }

    /// The query whose answer the view shows.
    fn view_query(&self) -> Option<Query> {
        match self.view {
            View::Fingerprint => Some(Report::over(&self.scope(&self.lens.whole())).into()),
            View::Subgroups => self.subgroups_query().map(Query::from),
            View::Reliability => Some(self.reliability_query().into()),
            View::Samples => Some(self.samples_query().into()),
            View::Sample => {
                let row = self.answers.samples.get(self.samples.table.selected)?;
                Some(Show::only(Row(*row), self.lens.scoring, &self.table).into())
            }
            View::Compare => comparison_query(self, false).map(Query::from),
            View::Audit => Some(audit_query(self).into()),
            View::Live => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
    use job::FOR_GOOD;

    use super::super::tests::{opened, press};
    use super::*;
    use cli::{Cli, Command};
    use engine::{Engine, Memory};

    /// The command that the key copies; quotes are taken as the shell takes them.
    fn copied(app: &mut App) -> Command {
        let effects = app.on_key(KeyEvent::new(KeyCode::Char('Y'), KeyModifiers::NONE));
        app.popups.clear();
        let [Effect::Copy(text)] = effects.as_slice() else {
            panic!("nothing is copied: {effects:?}")
        };
        let script = format!("set -- {text}; for word; do printf '%s\\n' \"$word\"; done");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .output()
            .unwrap();
        let words = String::from_utf8(output.stdout).unwrap();
        let command = Cli::try_parse_from(words.lines()).unwrap().command;
        command.expect("a command")
    }

    #[test]
    fn the_list_is_what_the_command_prints() {
        for keys in [
            "3",
            "3 a",
            "3 a m",
            "s 3 a , .",
            "right enter",
            "2 t enter",
            "2 x down enter",
            "2 x x t down down enter",
            "b right enter m",
            "4 enter",
        ] {
            let mut app = opened("tests/fixtures");
            press(&mut app, keys);
            assert_eq!(app.view, View::Samples, "{keys}");
            let Command::Samples(args) = copied(&mut app) else {
                panic!("no samples: {keys}")
            };
            assert_eq!(args.input.paths, app.request.paths);
            let query = engine::Samples::of(&args).unwrap();
            let engine = Memory::new(app.table.clone(), Default::default());
            let rows = engine.ask(&query, &FOR_GOOD).unwrap();
            assert!(!rows.is_empty(), "{query:?}");
            assert_eq!(rows, app.answers.samples, "{query:?}");
        }
    }

    #[test]
    fn each_view_has_its_command() {
        let mut app = opened("tests/fixtures");
        press(&mut app, "1");
        assert!(matches!(copied(&mut app), Command::Report(args) if args.by.is_none()));
        press(&mut app, "2 t");
        assert!(
            matches!(copied(&mut app), Command::Report(args) if args.by == app.split().map(|split| split.text))
        );
        press(&mut app, "3 a enter");
        let id = app
            .table
            .sample_id(app.table.item(Row(app.answers.samples[0])))
            .to_owned();
        assert!(matches!(copied(&mut app), Command::Show(args) if args.sample == id));
        press(&mut app, "4");
        assert!(matches!(copied(&mut app), Command::Compare(_)));
        press(&mut app, "7 i");
        assert!(matches!(copied(&mut app), Command::Verdicts(args) if args.drop_ambiguous));
        press(&mut app, "1 R");
        assert!(matches!(copied(&mut app), Command::Ranks(_)));
        press(&mut app, "D");
        assert!(matches!(copied(&mut app), Command::Scorers(_)));
        press(&mut app, "4 f");
        assert!(matches!(copied(&mut app), Command::Slices(args) if args.compare.len() == 2));
    }
}
