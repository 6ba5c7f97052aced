//! Tests that commands in the README, the comparison, the manual and each `--help` work as printed.

// Helper functions of tests may panic.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use eyechart::base::manual::PAGES;

mod support;

/// Commands that may print nothing.
const QUIET: [&str; 5] = ["convert", "publish", "check", "generate", "mcp"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Text of a page of the repository.
fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect(name)
}

fn readme() -> String {
    page("README.md")
}

/// Lines of fenced `sh` blocks that run the program with a subcommand, without the program's name.
/// A line that ends with a backslash is joined with the next line.
fn commands(markdown: &str) -> Vec<Vec<String>> {
    let mut inside = false;
    let mut shell = String::new();
    for line in markdown.lines() {
        if let Some(language) = line.strip_prefix("```") {
            inside = language == "sh";
        } else if inside {
            shell.push_str(line);
            shell.push('\n');
        }
    }
    programs(&shell)
}

/// Words of the lines that run the program with a subcommand.
fn programs(shell: &str) -> Vec<Vec<String>> {
    let joined = shell.replace("\\\n", " ");
    let lines = joined.lines().map(str::trim);
    lines
        .filter_map(|line| {
            line.strip_prefix("eyechart ")
                .or_else(|| line.strip_prefix("cargo run --release -- "))
        })
        .map(words)
        .filter(|words| !words.is_empty() && words[0] != "FOLDER")
        .collect()
}

/// Words of a command line. Quotes keep spaces together, `#` starts a comment, and `>` redirects
/// the output.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut quote, mut begun) = (None, false);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => (quote, begun) = (Some(c), true),
            ('#' | '>', None) if !begun => break,
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

/// Subcommands listed in the help.
fn sub_commands() -> Vec<String> {
    let help = support::run(&["--help"]).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| line.starts_with("  "));
    // Wrapped descriptions are indented further.
    let first = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    first
        .filter(|name| name.len() > 1)
        .map(str::to_owned)
        .collect()
}

/// Examples below the help of a subcommand.
fn examples(command: &str) -> Vec<Vec<String>> {
    let help = support::run(&[command, "--help"]);
    assert_eq!(help.code, 0, "{command}");
    let (_, examples) = help.stdout.split_once("Examples:\n").unwrap_or_else(|| {
        panic!("{command} --help has no examples:\n{}", help.stdout);
    });
    let wide = examples.lines().find(|line| line.chars().count() > 79);
    assert_eq!(wide, None, "{command}");
    programs(examples)
}

/// Runs each command once, in a folder that contains the files the commands open.
fn run_all(commands: impl IntoIterator<Item = Vec<String>>) {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["sample_runs", "tests"] {
        symlink(root().join(name), folder.path().join(name)).expect("a link");
    }
    let mut known = BTreeSet::new();
    for words in commands {
        if !known.insert(words.clone()) {
            continue;
        }
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = support::run_in(folder.path(), &args);
        assert_eq!(run.code, 0, "eyechart {}: {}", words.join(" "), run.stderr);
        assert!(
            QUIET.contains(&args[0]) || args.contains(&"--out") || !run.stdout.trim().is_empty(),
            "{words:?} prints nothing"
        );
    }
}

#[test]
fn the_commands_of_the_readme_the_comparison_and_the_manual_run() {
    let comparison = commands(&page(".github/COMPARISON.md"));
    assert!(comparison.len() > 2, "{comparison:?}");
    let pages = PAGES.iter().flat_map(|page| commands(page.text));
    let first = commands(&readme()).into_iter().chain(comparison);
    let all: Vec<Vec<String>> = first.chain(pages).collect();
    assert!(all.len() > 40, "{}", all.len());
    run_all(all);
}

#[test]
fn every_command_has_examples_that_run() {
    let names = sub_commands();
    assert!(names.len() > 20, "{names:?}");
    let mut all = Vec::new();
    for name in names {
        let own = examples(&name);
        assert!(own.len() > 1, "{name}: {own:?}");
        assert!(own.iter().all(|words| words[0] == name), "{name}: {own:?}");
        all.extend(own);
    }
    run_all(all);
}

#[test]
fn every_command_stands_in_the_manual() {
    let page = PAGES.iter().find(|page| page.name == "commands");
    let text = page.expect("a page").text;
    for name in sub_commands() {
        assert!(text.contains(&format!("| `{name}")), "{name}");
    }
}

/// Relative links of a page.
fn links(markdown: &str) -> Vec<&str> {
    let links = markdown.split("](").skip(1);
    let links = links.filter_map(|link| Some(link.split_once(')')?.0));
    links.filter(|link| !link.contains("://")).collect()
}

#[test]
fn the_readme_fits_on_a_screen_and_its_links_lead_somewhere() {
    let readme = readme();
    assert!(readme.lines().count() < 50);
    for name in ["README.md", ".github/COMPARISON.md", ".github/ROADMAP.md"] {
        let (text, path) = (page(name), root().join(name));
        for link in links(&text) {
            let target = path.parent().expect("a folder").join(link);
            assert!(target.exists(), "{name}: {link}");
        }
    }
    assert!(links(&readme).contains(&"src/base/manual/pages"));
}

#[test]
fn the_readme_says_how_to_build() {
    let readme = readme();
    for words in [
        concat!("Rust ", env!("CARGO_PKG_RUST_VERSION")),
        "C compiler",
        "cargo run --release",
        "cargo test --release",
    ] {
        assert!(readme.contains(words), "{words}");
    }
}

#[test]
fn words_are_split_as_a_shell_does() {
    assert_eq!(
        words("samples a --filter 'x:1 y<2' # the worst"),
        ["samples", "a", "--filter", "x:1 y<2"]
    );
    assert_eq!(words("show \"a b\" ''"), ["show", "a b", ""]);
    assert_eq!(words("man > page.1"), ["man"]);
}

#[test]
fn commands_go_on_after_a_backslash() {
    let markdown =
        "```sh\neyechart report a \\\n    --out b\neyechart\n```\n```text\neyechart show c\n```\n";
    assert_eq!(commands(markdown), [["report", "a", "--out", "b"]]);
}

#[test]
fn every_bound_stands_in_the_manual_with_its_number() {
    let page = PAGES.iter().find(|page| page.name == "limits");
    let text = page.expect("a page").text;
    for limit in eyechart::base::limits::Limit::all() {
        let row = format!("| `{}` | {} |", limit.name(), limit.default());
        assert!(text.contains(&row), "{row}");
    }
}

/// Texts in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn what_the_contributing_guide_names_exists() {
    let path = root().join(".github/CONTRIBUTING.md");
    let guide = fs::read_to_string(path).expect("the guide");
    let is_path = |text: &&str| {
        let is_file = ["src/", "tests/", ".ci/", ".github/"]
            .iter()
            .any(|folder| text.starts_with(folder));
        // A folder name in capitals stands for any folder.
        is_file && !text.contains(char::is_uppercase) && !text.contains('*')
    };
    let paths: Vec<&str> = quoted(&guide).filter(is_path).collect();
    assert!(paths.len() > 20, "{paths:?}");
    for path in paths {
        assert!(root().join(path).exists(), "{path}");
    }
    // For the text `name` (`path`), the file must contain the name.
    let mut named = 0;
    for (before, after) in guide
        .match_indices("` (`src/")
        .map(|(at, _)| guide.split_at(at))
    {
        let name = before.rsplit('`').next().unwrap_or_default();
        let file = quoted(&after[1..]).next().unwrap_or_default();
        if root().join(file).is_file() {
            let text = fs::read_to_string(root().join(file)).expect(file);
            assert!(text.contains(name), "{name} in {file}");
            named += 1;
        }
    }
    assert!(named >= 5, "{named}");
}
