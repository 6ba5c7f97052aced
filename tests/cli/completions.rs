//! Shell completions and manual pages name every sub-command.

use std::fs;

use crate::support::{arg, run};

/// Subcommands listed in the help.
fn commands() -> Vec<String> {
    let help = run(&["--help"]).stdout;
    let listed = help
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1);
    let listed = listed.take_while(|line| line.starts_with("  "));
    // Wrapped descriptions are indented further.
    let first = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = first.filter(|name| !name.is_empty());
    names
        .filter(|name| name.len() > 1)
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_shell_knows_every_command() {
    let commands = commands();
    assert!(
        commands.len() > 6 && commands.contains(&"doctor".to_owned()),
        "{commands:?}"
    );
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = run(&["completions", shell]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{shell}");
        for command in &commands {
            assert!(run.stdout.contains(command.as_str()), "{shell}: {command}");
        }
        assert!(run.stdout.contains("filter"), "{shell}");
    }
    assert_eq!(run(&["completions", "tcsh"]).code, 2);
}

#[test]
fn help_opens_a_page_of_the_manual_or_the_help_of_a_command() {
    let index = run(&["help"]);
    assert_eq!(index.code, 0);
    for name in ["start", "filters", "keys", "numbers"] {
        let listed = index.stdout.lines().any(|line| line.starts_with(name));
        assert!(listed, "{name}: {}", index.stdout);
    }
    let page = run(&["help", "filters"]);
    assert!(
        page.stdout.starts_with("# Filters: which samples count"),
        "{}",
        page.stdout
    );
    let command = run(&["help", "doctor"]);
    assert!(
        command.stdout.contains("Usage: eyechart doctor"),
        "{}",
        command.stdout
    );
    let unknown = run(&["help", "fliters"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown
            .stderr
            .contains("did you mean `eyechart help filters`?"),
        "{}",
        unknown.stderr
    );
}

#[test]
fn a_misspelt_command_is_told_the_nearest_one() {
    let misspelt = run(&["reprot", "sample_runs"]);
    assert_eq!(misspelt.code, 1);
    assert!(
        misspelt.stderr.contains("reprot does not exist")
            && misspelt.stderr.contains("did you mean `eyechart report`?"),
        "{}",
        misspelt.stderr
    );
    let path = run(&["no/such/folder"]);
    assert!(!path.stderr.contains("did you mean"), "{}", path.stderr);
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    let page = run(&["man"]);
    assert_eq!(page.code, 0);
    assert!(page.stdout.contains(".TH eyechart 1"), "{}", page.stdout);
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("man1");
    assert_eq!(run(&["man", "--out", arg(&out)]).code, 0);
    for command in commands() {
        assert!(
            page.stdout.contains(&format!("eyechart\\-{command}")),
            "{command}: {}",
            page.stdout
        );
        let own = fs::read_to_string(out.join(format!("eyechart-{command}.1"))).expect("a page");
        assert!(own.contains(&command), "{command}");
    }
    assert!(page.stdout.contains("FILTERS: WHICH SAMPLES COUNT"));
    let filters = fs::read_to_string(out.join("eyechart-help-filters.1")).expect("a page");
    assert!(filters.contains(".TH eyechart-help-filters 1"), "{filters}");
    assert!(filters.contains("right:dinov2 wrong:siglip2"), "{filters}");
}
