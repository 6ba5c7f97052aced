//! The commands that README.md shows work as they stand there.

// Helpers of a test may fail it.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

mod support;

/// Sub-commands that need no terminal.
const HEADLESS: [&str; 14] = [
    "report", "compare", "samples", "show", "verdicts", "check", "convert", "slices", "agree",
    "ranks", "scorers", "generate", "rerun", "exam",
];

/// The lines of fenced `sh` blocks that run the program, without the part that names it.
fn commands(readme: &str) -> Vec<Vec<String>> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in readme.lines() {
        if let Some(language) = line.strip_prefix("```") {
            inside = language == "sh";
        } else if inside {
            let args = line
                .strip_prefix("eyechart ")
                .or_else(|| line.strip_prefix("cargo run --release -- "));
            found.extend(args.map(words));
        }
    }
    found.retain(|words| {
        words
            .first()
            .is_some_and(|first| HEADLESS.contains(&first.as_str()))
    });
    found
}

/// The words of a command line; quotes keep spaces, `#` begins a remark.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quote, mut begun) = (None, false);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => (quote, begun) = (Some(c), true),
            ('#', None) if !begun => break,
            (' ', None) => {
                words.extend(begun.then(|| std::mem::take(&mut word)));
                begun = false;
            }
            (c, _) => {
                word.push(c);
                begun = true;
            }
        }
    }
    words.extend(begun.then_some(word));
    words
}

#[test]
fn the_commands_of_the_readme_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["sample_runs", "tests"] {
        symlink(root.join(name), folder.path().join(name)).expect("a link");
    }
    let commands = commands(&readme);
    for command in HEADLESS {
        assert!(
            commands.iter().any(|words| words[0] == command),
            "the README shows `{command}`"
        );
    }
    for words in commands {
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = support::run_in(folder.path(), &args);
        assert_eq!(run.code, 0, "eyechart {}: {}", words.join(" "), run.stderr);
        assert!(
            ["convert", "check"].contains(&words[0].as_str())
                || words.iter().any(|word| word == "--out")
                || run.stdout.len() > 100,
            "{words:?} prints nothing"
        );
    }
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(
        words("samples a --filter 'x:1 y<2' # the worst"),
        ["samples", "a", "--filter", "x:1 y<2"]
    );
    assert_eq!(words("show \"a b\" ''"), ["show", "a b", ""]);
}
