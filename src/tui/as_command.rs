//! The screen as the command that prints the same without the UI.

use record::Row;
use workspace::headless::{Shown, command};

use super::app::{App, Effect};
use super::keymap::View;
use super::popup::{Popup, searched_for};
use super::screen::compared_models;
use super::widget::prose::ProseState;

impl App {
    /// Copies the command of this screen, and shows it.
    pub fn copy_command(&mut self) -> Vec<Effect> {
        let by = self.split().map(|split| split.text);
        let pair = compared_models(self);
        let who = searched_for(self);
        let shown = match self.view {
            _ if matches!(self.popups.last(), Some(Popup::Slices(_))) => Some(Shown::Slices(&who)),
            _ if matches!(self.popups.last(), Some(Popup::Ranks { .. })) => Some(Shown::Ranks),
            View::Fingerprint | View::Reliability => Some(Shown::Report),
            View::Subgroups => Some(by.as_deref().map_or(Shown::Report, Shown::Subgroups)),
            View::Samples => Some(Shown::Samples(self.sort, self.reverse)),
            View::Sample => {
                let row = self.answers.samples.get(self.samples.table.selected);
                row.map(|&row| Shown::Sample(Row(row)))
            }
            View::Compare => pair.as_ref().map(|[a, b]| Shown::Compare {
                models: [a, b],
                by: by.as_deref(),
                threshold: self.compare.threshold,
            }),
            View::Live => return super::screen::copy_live_command(self),
            View::Audit => Some(Shown::Verdicts(self.audit.drop_ambiguous)),
        };
        let Some(shown) = shown else {
            self.notice = Some("nothing is shown".to_owned());
            return Vec::new();
        };
        let text = command(shown, &self.lens, &self.request, &self.table).to_string();
        self.popups.push(Popup::Text {
            title: "copied".to_owned(),
            text: text.clone(),
            state: ProseState::default(),
        });
        vec![Effect::Copy(text)]
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::super::tests::{opened, press};
    use super::*;
    use analysis::slices::Who;
    use analysis::{Selection, parse_splits, scores, subgroups};
    use cli::{Cli, Command, Lens};
    use workspace::filter::select;
    use workspace::page::{Sort, rows_by_gap, sorted_rows};

    /// The words of what the key copies; quotes are taken as the shell takes them.
    fn copied(app: &mut App) -> Vec<String> {
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
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(str::to_owned)
            .collect()
    }

    fn parsed(app: &mut App) -> Option<Command> {
        let words = copied(app);
        Cli::try_parse_from(&words).unwrap().command
    }

    fn scoring(lens: &Lens) -> record::Scoring {
        match lens.scoring {
            cli::Rules::Harness => record::Scoring::Harness,
            cli::Rules::Strict => record::Scoring::Strict,
        }
    }

    fn mask(app: &App, lens: &Lens) -> Option<Vec<bool>> {
        select(&lens.filter, &app.table, scoring(lens)).unwrap()
    }

    fn selection<'a>(app: &'a App, lens: &Lens, mask: Option<&'a Vec<bool>>) -> Selection<'a> {
        Selection {
            table: &app.table,
            scoring: scoring(lens),
            mask: mask.map(Vec::as_slice),
        }
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
        ] {
            let mut app = opened("tests/fixtures");
            press(&mut app, keys);
            assert_eq!(app.view, View::Samples, "{keys}");
            let words = copied(&mut app);
            let Some(Command::Samples(args)) = Cli::try_parse_from(&words).unwrap().command else {
                panic!("{words:?}")
            };
            assert_eq!(args.input.paths, app.request.paths);
            let key = args.sort.trim_start_matches('-');
            let sort = Sort::ALL.into_iter().find(|sort| sort.name() == key);
            let mask = mask(&app, &args.lens);
            let selection = selection(&app, &args.lens, mask.as_ref());
            let rows = sorted_rows(selection, sort.unwrap(), args.sort.starts_with('-'));
            assert!(!rows.is_empty(), "{words:?}");
            assert_eq!(rows, app.answers.samples, "{words:?}");
        }
    }

    #[test]
    fn scores_and_subgroups_are_what_the_command_prints() {
        for keys in ["1", "s 1", "5", "2", "2 t", "2 t t x", "b 2"] {
            let mut app = opened("tests/fixtures");
            press(&mut app, keys);
            let words = copied(&mut app);
            let Some(Command::Report(args)) = Cli::try_parse_from(&words).unwrap().command else {
                panic!("{words:?}")
            };
            let mask = mask(&app, &args.lens);
            let selection = selection(&app, &args.lens, mask.as_ref());
            if app.view == View::Subgroups {
                let splits = parse_splits(&args.by.unwrap(), &app.table).unwrap();
                let found = subgroups(selection, &splits, false);
                assert!(!found.is_empty());
                assert_eq!(found, app.answers.subgroups, "{words:?}");
            } else {
                let shown = app.answers.scores.iter();
                let shown: Vec<_> = shown
                    .filter(|score| score.benchmark == app.lens.benchmark)
                    .collect();
                let found = scores(selection, true);
                assert_eq!(found.iter().collect::<Vec<_>>(), shown, "{words:?}");
            }
        }
    }

    #[test]
    fn a_sample_and_the_audit_have_their_commands() {
        let mut app = opened("tests/fixtures");
        press(&mut app, "3 a enter");
        let words = copied(&mut app);
        let Some(Command::Show(args)) = Cli::try_parse_from(&words).unwrap().command else {
            panic!("{words:?}")
        };
        let row = app.answers.samples[0];
        assert_eq!(args.sample, app.table.sample_id(app.table.item(Row(row))));
        press(&mut app, "7 i");
        let Some(Command::Verdicts(args)) = parsed(&mut app) else {
            panic!("no verdicts")
        };
        assert!(args.drop_ambiguous);
    }

    #[test]
    fn a_list_by_gap_is_what_the_command_prints() {
        let mut app = opened("tests/fixtures/ava_bench");
        press(&mut app, "4 enter");
        let Some(Command::Samples(args)) = parsed(&mut app) else {
            panic!("no samples")
        };
        let other = args.sort.strip_prefix("gap:").unwrap();
        let mask = mask(&app, &args.lens);
        let rows = rows_by_gap(selection(&app, &args.lens, mask.as_ref()), other);
        assert!(!rows.is_empty());
        assert_eq!(rows, app.answers.samples);
    }

    #[test]
    fn what_lies_over_a_view_has_its_own_command() {
        let mut app = opened("tests/fixtures/slices");
        press(&mut app, "f");
        let Some(Command::Slices(args)) = parsed(&mut app) else {
            panic!("no slices")
        };
        assert_eq!(Who::Model(args.model.unwrap()), searched_for(&app));
        press(&mut app, "4 f");
        let Some(Command::Slices(args)) = parsed(&mut app) else {
            panic!("no slices")
        };
        assert_eq!(args.compare, compared_models(&app).unwrap());
        press(&mut app, "1 R");
        assert!(matches!(parsed(&mut app), Some(Command::Ranks(_))));
    }
}
