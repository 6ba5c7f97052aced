use crossterm::event::{KeyCode, KeyModifiers};

use super::*;

fn press(character: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(character), KeyModifiers::NONE)
}

fn error(text: &str) -> String {
    Keymap::with_user(text).map_or_else(|error| error.to_string(), |_| "read".to_owned())
}

#[test]
fn the_embedded_keys_have_no_clash() {
    let binds = parse::binds(DEFAULT, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(parse::check(&binds), Ok(()));
}

#[test]
fn the_view_of_reruns_goes_by_both_of_its_names() {
    for view in ["live", "rerun"] {
        let row =
            format!("bind = [{{ action = \"copy\", keys = [\"f9\"], views = [\"{view}\"] }}]");
        let keymap = Keymap::with_user(&row).unwrap();
        let row = keymap.row_of(ViewId::Live, Action::Copy).unwrap();
        assert_eq!(row.views, [ViewId::Live], "{view}");
    }
}

#[test]
fn every_action_has_a_key_and_words() {
    let keymap = Keymap::default();
    for action in &Action::ALL {
        let row = keymap.binds.iter().find(|bind| bind.action == *action);
        let row = row.unwrap_or_else(|| panic!("{} has no row", action.name()));
        assert!(
            !row.keys.is_empty() && !row.help.is_empty(),
            "{}",
            action.name()
        );
    }
}

/// Actions that can share a key because they mean the same in their views.
const ALIKE: [&[Action]; 4] = [
    // Select a row or a form value. While a rerun is running, the key pauses the rerun.
    &[Action::Select, Action::Pause],
    // Ask a model.
    &[Action::Ask, Action::AskAgain],
    // Hide or show an overlay or side panel.
    &[Action::ToggleOverlays, Action::ToggleChart],
    // Show the same content in another way.
    &[Action::Flicker, Action::ToggleRanks, Action::NextLook],
];

/// Two modes are exceptions with their own keys: judging, which the status line shows, and the
/// editor of the playground.
#[test]
fn a_key_means_the_same_in_all_views() {
    let keymap = Keymap::default();
    let in_views = keymap.binds.iter().filter(|bind| {
        Purpose::of(bind.action) != Purpose::Judge && bind.views != [ViewId::Playground]
    });
    let mut meanings: Vec<(Key, Vec<Action>)> = Vec::new();
    for bind in in_views {
        for key in &bind.keys {
            match meanings.iter_mut().find(|(known, _)| known == key) {
                Some((_, actions)) => actions.push(bind.action),
                None => meanings.push((*key, vec![bind.action])),
            }
        }
    }
    assert!(meanings.len() > 60, "{}", meanings.len());
    for (key, actions) in meanings {
        let is_one = actions.iter().all(|action| *action == actions[0]);
        let is_alike = |alike: &&[Action]| actions.iter().all(|action| alike.contains(action));
        assert!(is_one || ALIKE.iter().any(is_alike), "{key}: {actions:?}");
    }
}

#[test]
fn every_view_can_be_left_and_explained() {
    let keymap = Keymap::default();
    for view in ViewId::ALL {
        assert_eq!(keymap.lookup(view, KeyCode::Esc.into()), Some(Action::Back));
        assert_eq!(keymap.lookup(view, press('?')), Some(Action::Help));
        assert_eq!(keymap.lookup(view, press('q')), Some(Action::Quit));
    }
}

#[test]
fn a_key_means_what_its_view_says() {
    let keymap = Keymap::default();
    assert_eq!(
        keymap.lookup(ViewId::Sample, press('n')),
        Some(Action::NextSample)
    );
    assert_eq!(keymap.lookup(ViewId::Fingerprint, press('n')), None);
    assert_eq!(keymap.lookup(ViewId::Fingerprint, press('9')), None);
    let shifted = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
    assert_eq!(keymap.lookup(ViewId::Samples, shifted), Some(Action::Last));
    let released = KeyEvent {
        kind: KeyEventKind::Release,
        ..press('q')
    };
    assert_eq!(keymap.lookup(ViewId::Samples, released), None);
}

#[test]
fn rows_that_share_a_word_share_a_place() {
    let keymap = Keymap::default();
    let line = keymap.line(ViewId::Sample);
    assert_eq!(line[0], ("↑↓←→".to_owned(), "move"));
    assert!(line.contains(&("np".to_owned(), "sample")));
    assert_eq!(line.last(), Some(&("?".to_owned(), "help")));
}

#[test]
fn a_user_row_replaces_all_rows_of_its_action() {
    let keymap = Keymap::with_user("bind = [{ action = 'open', keys = ['Z'] }]").expect("reads");
    assert_eq!(
        keymap.lookup(ViewId::Samples, press('Z')),
        Some(Action::Open)
    );
    assert_eq!(
        keymap.lookup(ViewId::Fingerprint, press('Z')),
        Some(Action::Open)
    );
    assert_eq!(keymap.lookup(ViewId::Samples, KeyCode::Enter.into()), None);
    let row = keymap.row_of(ViewId::Samples, Action::Open).expect("kept");
    assert_eq!(
        (row.keys_text().as_str(), row.help.as_str()),
        ("Z", "open the samples")
    );
}

#[test]
fn a_user_can_take_a_key_away() {
    let keymap = Keymap::with_user("bind = [{ action = 'suspend', keys = [] }]").expect("reads");
    let event = KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL);
    assert_eq!(keymap.lookup(ViewId::Samples, event), None);
}

#[test]
fn a_clash_names_both_rows() {
    let text =
        "bind = [{ action = 'problems', keys = ['Z'] }, { action = 'right-label', keys = ['Z'] }]";
    assert_eq!(
        error(text),
        "the key Z is bound to both `right-label (sample, samples)` and `problems`"
    );
    let apart = "bind = [{ action = 'toggle-chart', keys = ['t'] }]";
    assert_eq!(error(apart), "read");
}

/// A keymap stays valid if a new action uses one of its keys, because the user's rows take
/// precedence.
#[test]
fn a_users_key_is_taken_from_the_embedded_row() {
    let keys = ["e", "E", "I", "O", "H", "V", "*", "ctrl-y"].map(|key| format!("'{key}'"));
    let text = format!(
        "bind = [{{ action = 'problems', keys = [{}] }}]",
        keys.join(", ")
    );
    let keymap = Keymap::with_user(&text).expect("the user's keys win");
    for view in ViewId::ALL {
        assert_eq!(keymap.lookup(view, press('I')), Some(Action::Problems));
        assert_eq!(keymap.lookup(view, press('*')), Some(Action::Problems));
    }
    let told: Vec<&KeyConflict> = keymap.conflicts_in(ViewId::Sample).collect();
    let trace = told.iter().find(|taken| taken.before == "next tab");
    let trace = trace.expect("what lost its key is told");
    assert_eq!(
        (trace.key.to_string(), trace.now),
        ("I".to_owned(), Action::Problems)
    );
    // The user's row replaces the key in one view only; in other views the embedded row keeps the
    // key.
    let text = "bind = [{ action = 'problems', keys = ['x'], views = ['sample'] }]";
    let keymap = Keymap::with_user(text).expect("the user's keys win");
    assert_eq!(
        keymap.lookup(ViewId::Sample, press('x')),
        Some(Action::Problems)
    );
    assert_eq!(
        keymap.lookup(ViewId::Samples, press('x')),
        Some(Action::JudgeWrongLabel)
    );
    assert_eq!(keymap.conflicts_in(ViewId::Samples).count(), 0);
}

#[test]
fn what_is_unknown_is_named_with_its_nearest() {
    assert_eq!(
        error("bind = [{ action = 'qiut', keys = [] }]"),
        "line 1: there is no action `qiut`; the nearest is `quit`"
    );
    assert_eq!(
        error("\n\nbind = [{ action = 'copy', keys = ['y'], views = ['sampls'] }]"),
        "line 3: copy: there is no view `sampls`; the nearest is `samples`"
    );
    assert_eq!(
        error("bind = [\n{ action = 'copy', keys = ['ctrl-bckspace'] }]"),
        "line 2: copy: there is no key `ctrl-bckspace`; the nearest is `ctrl-backspace`"
    );
    assert!(
        error("\nbind = [{ action = 'copy', key = 'y' }]")
            .starts_with("line 2: unknown field `key`")
    );
}
