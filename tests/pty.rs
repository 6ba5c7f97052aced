//! Tests the terminal UI in a real pseudo-terminal.
//!
//! Tests never wait for a fixed time, always for a condition.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends there"
)]

#[cfg(target_os = "linux")]
#[path = "support/memory.rs"]
#[allow(dead_code, reason = "others use the rest")]
mod memory;
#[path = "support/terminal.rs"]
mod terminal;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use terminal::Terminal;

/// Escape sequences that switch off bracketed paste and mouse, and switch to the main screen.
const RESTORED: [&str; 3] = ["\x1b[?2004l", "\x1b[?1000l", "\x1b[?1049l"];

#[test]
fn keys_lead_from_the_fingerprint_to_a_sample_and_out() {
    let mut terminal = Terminal::open(&["tests/fixtures/ava_bench", "--images", "blocks"]);
    terminal.wait_for("siglip2", 0);
    let before = terminal.press("3");
    terminal.wait_for("worst", before);
    terminal.press("\r");
    terminal.wait_for_screen("all 3 answers");
    let before = terminal.press("q");
    terminal.wait_for("\x1b[?1049l", before);
    let written = String::from_utf8_lossy(&terminal.written.lock().unwrap()).into_owned();
    // Bracketed paste, focus and mouse.
    for (on, off) in [
        ("\x1b[?2004h", "\x1b[?2004l"),
        ("\x1b[?1004h", "\x1b[?1004l"),
        ("\x1b[?1000h", "\x1b[?1000l"),
    ] {
        let (begun, ended) = (written.find(on), written.rfind(off));
        assert!(begun.is_some() && begun < ended, "{on:?} and {off:?}");
    }
    terminal.wait_until_given_back();
    assert_eq!(terminal.end(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_it_and_gives_the_terminal_back() {
    for signal in [
        "TERM", "HUP", "INT", "QUIT", "USR1", "USR2", "ALRM", "VTALRM", "PROF", "XCPU", "ABRT",
    ] {
        let arguments = &["tests/fixtures/ava_bench", "--images", "blocks"];
        let terminal = Terminal::open(arguments);
        terminal.wait_for("siglip2", 0);
        let before = terminal.signal(signal);
        for restored in RESTORED {
            terminal.wait_for(restored, before);
        }
        terminal.wait_until_given_back();
        terminal.wait_for(&format!("ended by SIG{signal}"), before);
        assert_ne!(terminal.end(), Some(0));
    }
}

/// The program cannot handle these signals. A separate process restores the terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_program_that_is_killed_gives_the_terminal_back() {
    for signal in ["KILL", "ILL", "FPE"] {
        let mut terminal =
            Terminal::open_in_shell(&["tests/fixtures/ava_bench", "--images", "blocks"]);
        terminal.wait_for("siglip2", 0);
        let [raw, usual] = terminal.modes();
        assert_ne!(raw, usual);
        let shell = terminal.program();
        let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children"));
        let program = children.unwrap().trim().to_owned();
        let sent = Command::new("kill")
            .args([format!("-{signal}"), program])
            .status();
        assert!(sent.unwrap().success());
        terminal.wait_until_given_back();
        let start = Instant::now();
        while terminal.modes()[0] != usual {
            assert!(start.elapsed() < Duration::from_secs(20), "{signal}");
            std::thread::sleep(Duration::from_millis(10));
        }
        terminal.press("\n");
        assert!(terminal.end().is_some());
    }
}

/// With extreme window sizes, the program uses little memory and keeps running.
#[cfg(target_os = "linux")]
#[test]
fn absurd_sizes_of_the_window_are_survived() {
    let mut terminal = Terminal::open(&["tests/fixtures/ava_bench", "--images", "blocks"]);
    terminal.wait_for("siglip2", 0);
    let sizes = [
        (0, 0),
        (1, 1),
        (65_535, 1),
        (1, 65_535),
        (10_000, 10_000),
        (65_535, 65_535),
    ];
    for (at, size) in sizes.into_iter().enumerate() {
        terminal.resize(size);
        terminal.settle();
        terminal.resize((80, 24));
        if at % 2 == 0 {
            terminal.press("3");
            terminal.wait_for_screen("target");
        } else {
            terminal.press("1");
            terminal.wait_until_gone("target");
        }
    }
    let peak = memory::peak_of(terminal.program()).unwrap();
    assert!(peak < 256 << 20, "{} MiB", peak >> 20);
    terminal.press("q");
    terminal.wait_until_given_back();
    assert_eq!(terminal.end(), Some(0));
}

/// An unfinished reply of the terminal hides later keys only for a limited time.
#[test]
fn half_a_reply_takes_no_later_key() {
    for half in [
        "\x1b_Gi=31;O",
        "\x1b_G",
        "\x1bP",
        "\x1b]",
        "\x1b^x",
        "\x1b[?",
        "\x1b[?62;",
        "\x1b[<0;3",
    ] {
        let mut terminal = Terminal::open(&["tests/fixtures/ava_bench"]);
        terminal.wait_for_screen("siglip2");
        terminal.press(half);
        // Wait longer than the time limit for a reply.
        terminal.settle();
        terminal.press("3");
        terminal.wait_for_screen("target");
        terminal.press("q");
        assert_eq!(terminal.end(), Some(0), "{half:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_program_gives_the_terminal_back_and_takes_it_again() {
    let arguments = &["tests/fixtures/ava_bench", "--images", "blocks"];
    for stop in ["TSTP", "STOP"] {
        let mut terminal = Terminal::open(arguments);
        terminal.wait_for("siglip2", 0);
        let before = terminal.signal(stop);
        terminal.wait_for_state('T');
        // SIGSTOP cannot be handled, so the terminal is not restored.
        if stop == "TSTP" {
            for restored in RESTORED {
                terminal.wait_for(restored, before);
            }
            terminal.wait_until_given_back();
        }
        let before = terminal.signal("CONT");
        for taken in ["\x1b[?1049h", "siglip2"] {
            terminal.wait_for(taken, before);
        }
        let before = terminal.press("q");
        terminal.wait_for("\x1b[?1049l", before);
        assert_eq!(terminal.end(), Some(0));
    }
}

/// Text of all files below a folder.
fn texts(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let text = |path: PathBuf| {
        if path.is_dir() {
            texts(&path)
        } else {
            std::fs::read_to_string(path).unwrap()
        }
    };
    entries.map(text).collect()
}

#[test]
fn a_terminal_that_is_closed_ends_it_and_the_session_is_kept() {
    let arguments = &["tests/fixtures/ava_bench", "--images", "blocks"];
    let mut terminal = Terminal::open(arguments);
    terminal.wait_for("siglip2", 0);
    terminal.press("3");
    terminal.wait_for_screen("target");
    terminal.wait_until_gone("reading ");
    terminal.settle();
    let home = terminal.home.path().to_path_buf();
    terminal.close("j");
    terminal.wait_for_end();
    assert!(
        texts(&home).contains("samples"),
        "no session in {}",
        texts(&home)
    );
    let code = terminal.end();
    assert_ne!(code, Some(101), "it panicked");
}

#[test]
fn keys_are_kept_that_are_typed_while_the_terminal_does_not_answer() {
    // Keys are pressed before the program has set up the terminal.
    let mut terminal = Terminal::open(&["tests/fixtures/ava_bench"]);
    terminal.press("3");
    terminal.wait_for_screen("target");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
    // Keys are pressed after the first frame, and after the query.
    for word in ["1 Finger", "\x1b[5n"] {
        let mut terminal = Terminal::open(&["tests/fixtures/ava_bench"]);
        terminal.wait_for(word, 0);
        terminal.press("3/");
        terminal.press("correct:false\r");
        terminal.wait_for_screen("target");
        terminal.wait_for_screen("correct:false");
        terminal.press("q");
        assert_eq!(terminal.end(), Some(0));
    }
}

#[test]
fn keys_are_kept_that_are_typed_between_answers() {
    let mut terminal = Terminal::open(&["tests/fixtures/ava_bench"]);
    terminal.wait_for("\x1b[5n", 0);
    terminal.press("3\x1b[?62;4");
    terminal.press("c/\x1b[6;20;10t");
    terminal.press("correct:false\r\x1b[0n");
    terminal.wait_for_screen("target");
    terminal.wait_for_screen("correct:false");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_terminal_of_ascii_is_drawn_with_it_and_told_so() {
    let settings = [("LC_ALL", Path::new("C")), ("TERM", Path::new("dumb"))];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut terminal = Terminal::open_with(folder, &settings, &["tests/fixtures/ava_bench"]);
    terminal.wait_for("ASCII", 0);
    terminal.wait_for("the cursor cannot move", 0);
    terminal.wait_for_screen("siglip2");
    terminal.press("3");
    terminal.wait_for_screen("target");
    terminal.settle();
    let screen = terminal.screen();
    assert!(screen.is_ascii() && screen.contains("---"), "{screen}");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn with_nothing_to_open_the_start_screen_says_what_can_be_opened() {
    let empty = tempfile::tempdir().unwrap();
    let mut terminal = Terminal::open_in(empty.path(), &[]);
    terminal.wait_for("FOLDER", 0);
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
    assert_eq!(std::fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[test]
fn a_table_with_an_unknown_column_is_scored_after_one_correction() {
    let mut terminal = Terminal::open(&["tests/fixtures/columns/reply.csv"]);
    terminal.wait_for_screen("what are the columns of reply.csv?");
    // Move from a tag to the response, in the list of meanings of the last column.
    terminal.press("G ");
    terminal.wait_for_screen("answer of the model");
    terminal.press("kkkkkkkk\r");
    terminal.wait_for_screen("8 predictions");
    terminal.wait_for_screen("small   0.500  1.000");
    terminal.press("\r");
    terminal.wait_for_screen("columns saved in");
    terminal.wait_for_screen("columns › all abilities › 2 models");
    terminal.press("q");
    terminal.wait_until_given_back();
    let saved = texts(terminal.home.path());
    assert!(saved.contains("response = \"reply\""), "{saved}");
}

#[test]
fn at_rest_nothing_is_written() {
    let mut terminal = Terminal::open(&["tests/fixtures/ava_bench", "--images", "blocks"]);
    terminal.wait_for("siglip2", 0);
    for keys in ["3", "\r"] {
        terminal.press(keys);
        terminal.settle();
    }
    let before = terminal.bytes();
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(terminal.bytes(), before);
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_typed_filter_is_taken_whole() {
    let mut terminal = Terminal::open(&["tests/fixtures/ava_bench", "--images", "off"]);
    terminal.wait_for("siglip2", 0);
    terminal.press("3");
    terminal.press("/");
    let before = terminal.press("correct:false ability:counting\r");
    terminal.wait_for("correct:false", before);
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn a_terminal_that_answers_is_believed() {
    let mut terminal = Terminal::open(&["doctor"]);
    // The last query is about the status of the terminal.
    terminal.wait_for("\x1b[5n", 0);
    // Replies: sixel is supported, cells have 10 x 20 pixels, status is ok.
    let before = terminal.press("\x1b[?62;4;22c\x1b[6;20;10t\x1b[0n");
    terminal.wait_for("sixel: the terminal's device attributes list sixel", before);
    terminal.wait_for("10 x 20", before);
    assert_eq!(terminal.end(), Some(0));
}

/// Query and reply for cells of 10 x 20 pixels. The next constant is for the status, which comes
/// last.
const CELL: (&str, &str) = ("\x1b[16t", "\x1b[6;20;10t");
const WELL: (&str, &str) = ("\x1b[5n", "\x1b[0n");
const NAME: &str = "\x1b[>q";
const DEVICE: &str = "\x1b[c";
const FILES: &str = "\x1b]1337;Capabilities\x1b\\";
const PLAIN: (&str, &str) = (DEVICE, "\x1b[?1;2c");
const KITTY: (&str, &str) = (
    "_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\",
    "\x1b_Gi=31;OK\x1b\\",
);
/// Kitty's query whether it can read pictures from files.
const LOCAL: &str = "_Gi=31,s=1,v=1,a=q,t=t;";

type Pairs<'a> = &'a [(&'a str, &'a str)];

/// A folder with the exam's log about colours, and the id of one of its samples.
fn exam_sample() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    exam_in(folder.path());
    let log = std::fs::read_to_string(folder.path().join("exam/color.eyechart.jsonl")).unwrap();
    let first: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let sample = first["sample_id"].as_str().unwrap().to_owned();
    (folder, sample)
}

/// Simulates a terminal that runs the program with only these environment variables.
fn play(
    folder: &Path,
    environment: Pairs,
    arguments: &[&str],
    answers: Pairs,
) -> (Option<u32>, String) {
    let size = (100, 40);
    Terminal::open_sized(folder, size, environment, arguments).play(answers)
}

#[test]
fn a_picture_is_printed_at_once_in_every_protocol_and_the_answers_below_it() {
    let (folder, sample) = exam_sample();
    let arguments = ["show", "exam", "--sample", &sample];
    let wezterm = (NAME, "\x1bP>|WezTerm 20240203-110809\x1b\\");
    let iterm2 = (NAME, "\x1bP>|iTerm2 3.5.11\x1b\\");
    let (sixel, remote) = (
        "\x1b[?65;4;6;18;22;52c",
        "\x1b_Gi=31;ENOTSUPPORTED:no\x1b\\",
    );
    let in_kitty = [KITTY, (LOCAL, remote), (DEVICE, "\x1b[?62;52c"), CELL, WELL];
    let with_files = [
        KITTY,
        (LOCAL, KITTY.1),
        (DEVICE, "\x1b[?62;52c"),
        CELL,
        WELL,
    ];
    let in_wezterm = [KITTY, (LOCAL, remote), (DEVICE, sixel), CELL, wezterm, WELL];
    let without_kitty = [(DEVICE, sixel), CELL, wezterm, WELL];
    let in_iterm2 = [(DEVICE, sixel), CELL, iterm2, WELL];
    let in_files = [
        PLAIN,
        CELL,
        (FILES, "\x1b]1337;Capabilities=T3SxF\x07"),
        WELL,
    ];
    let in_foot = [(DEVICE, "\x1b[?62;4;22c"), CELL, WELL];
    let (none, in_plain) = (&[][..], [PLAIN, CELL, WELL]);
    let named: [(&str, &str); 1] = [("TERM_PROGRAM", "WezTerm")];
    let named_iterm2: [(&str, &str); 2] =
        [("TERM_PROGRAM", "iTerm.app"), ("LC_TERMINAL", "iTerm2")];
    let cases: [(&str, Pairs, Pairs, &str); 10] = [
        ("kitty", none, &in_kitty, "\x1b_Gf=32,a=T,t=d,"),
        ("kitty with files", none, &with_files, "a=T,t=t;"),
        ("WezTerm", &named, &in_wezterm, "\x1b_Gf=32,a=T,t=d,"),
        (
            "WezTerm without kitty",
            &named,
            &without_kitty,
            "\x1b]1337;File=inline=1;",
        ),
        (
            "WezTerm far away",
            none,
            &without_kitty,
            "\x1b]1337;File=inline=1;",
        ),
        (
            "iTerm2",
            &named_iterm2,
            &in_iterm2,
            "\x1b]1337;File=inline=1;",
        ),
        (
            "iTerm2 far away",
            none,
            &in_iterm2,
            "\x1b]1337;File=inline=1;",
        ),
        (
            "a terminal with files",
            none,
            &in_files,
            "\x1b]1337;File=inline=1;",
        ),
        ("foot", none, &in_foot, "\x1bP"),
        ("LC_TERMINAL that leaked", &named_iterm2, &in_plain, "▀"),
    ];
    for (name, environment, answers, sequence) in cases {
        let (code, written) = play(folder.path(), environment, &arguments, answers);
        assert_eq!(code, Some(0), "{name}: {written:?}");
        let below = written.find(sequence).map(|at| &written[at..]);
        assert!(
            below.is_some_and(|below| below.contains("parsed")),
            "{name}: {written:?}"
        );
    }
}

#[test]
fn a_protocol_that_was_chosen_by_hand_is_used_unasked_for() {
    let (folder, sample) = exam_sample();
    let arguments = ["show", "exam", "--sample", &sample, "--images", "iterm2"];
    let (code, written) = play(folder.path(), &[], &arguments, &[PLAIN, CELL, WELL]);
    assert_eq!(code, Some(0));
    assert!(written.contains("\x1b]1337;File=inline=1;"), "{written:?}");
}

/// Environment variables that were inherited from another terminal do not select a picture
/// protocol.
#[test]
fn a_variable_chooses_no_protocol() {
    let (plain, tmux) = ([PLAIN, CELL, WELL], ("TMUX", "/tmp/none,1,0"));
    let in_tmux = [
        ("\x1b\x1b[c", PLAIN.1),
        ("\x1b\x1b[16t", CELL.1),
        ("\x1b\x1b[5n", WELL.1),
    ];
    let (iterm2, kitty) = ("--images iterm2", "--images kitty");
    let environments: [(Pairs, &str); 11] = [
        (
            &[
                ("LC_TERMINAL", "iTerm2"),
                ("TERM_PROGRAM", "Apple_Terminal"),
            ],
            iterm2,
        ),
        (
            &[("LC_TERMINAL", "iTerm2"), ("SSH_CONNECTION", "1 2 3 4")],
            iterm2,
        ),
        (
            &[("TERM_PROGRAM", "vscode"), ("TERM_PROGRAM_VERSION", "1.90")],
            iterm2,
        ),
        (&[("TERM_PROGRAM", "Hyper")], iterm2),
        (&[("TERM_PROGRAM", "mintty")], iterm2),
        (
            &[
                ("TERM_PROGRAM", "WezTerm"),
                ("WEZTERM_EXECUTABLE", "/x"),
                ("VTE_VERSION", "7600"),
            ],
            iterm2,
        ),
        (&[("ITERM_SESSION_ID", "w0t0p0")], iterm2),
        (&[("KITTY_WINDOW_ID", "1")], kitty),
        (
            &[
                ("TERM", "xterm-ghostty"),
                ("TERM_PROGRAM", "ghostty"),
                ("GHOSTTY_RESOURCES_DIR", "/x"),
            ],
            kitty,
        ),
        (
            &[
                ("TERM", "tmux-256color"),
                tmux,
                ("ITERM_SESSION_ID", "w0t0p0"),
            ],
            "tmux must let",
        ),
        (
            &[("TERM", "tmux-256color"), tmux, ("LC_TERMINAL", "iTerm2")],
            "tmux must let",
        ),
    ];
    for (environment, better) in environments {
        let is_inside = environment.contains(&tmux);
        let answers = if is_inside { &in_tmux[..] } else { &plain[..] };
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (code, written) = play(here, environment, &["doctor"], answers);
        assert_eq!(code, Some(0), "{environment:?}");
        for part in ["half blocks: the terminal supports none", better] {
            assert!(written.contains(part), "{environment:?}: {written}");
        }
    }
}

#[test]
fn doctor_gives_screen_no_advice_for_tmux_and_names_the_terminal_by_its_answer() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let screen = [("TERM", "screen.xterm-256color"), ("STY", "1.pts")];
    let (_, written) = play(here, &screen, &["doctor"], &[PLAIN, WELL]);
    assert!(
        written.contains("GNU screen") && !written.contains("tmux"),
        "{written}"
    );
    let konsole = [
        ("_Gi=31,s=1,v=1,a=q,U=1,t=d,f=24;AAAA\x1b\\", KITTY.1),
        (DEVICE, "\x1b[?62;1;4c"),
        CELL,
        (NAME, "\x1bP>|Konsole 24.05.2\x1b\\"),
        WELL,
    ];
    let environment = [("KONSOLE_VERSION", "240500")];
    let (_, written) = play(here, &environment, &["doctor"], &konsole);
    for part in [
        "Konsole 24.05.2 (from the terminal's reply)",
        "sixel: the terminal's device attributes",
    ] {
        assert!(written.contains(part), "{written}");
    }
}

/// The command with which a page can be reproduced.
fn command_of(page: &str) -> String {
    let section = page.split("To reproduce this report</h2>").nth(1).unwrap();
    let code = section.split("<code>").nth(1).unwrap();
    let code = code.split("</code>").next().unwrap();
    let signs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    signs.iter().fold(code.to_owned(), |text, (name, sign)| {
        text.replace(name, sign)
    })
}

#[test]
fn a_report_from_inside_is_byte_by_byte_that_of_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/exam");
    let arguments = [logs.to_str().unwrap(), "--images", "off"];
    let mut terminal = Terminal::open_in(folder.path(), &arguments);
    terminal.wait_for_screen("gabor");
    // Compare two models in one of several abilities.
    terminal.press("4");
    terminal.wait_for_screen("only A");
    // A report is written only after everything has been loaded.
    loop {
        terminal.press(":report r.html\r");
        terminal.wait_for_screen("written");
        if terminal.screen().contains("r.html written") {
            break;
        }
        // Any key closes the notice.
        terminal.press("g");
        terminal.wait_until_gone("written");
    }
    let file = folder.path().join("r.html");
    let made = std::fs::read_to_string(&file).unwrap();
    assert!(made.contains("<img ") && made.contains("--compare "));
    let command = command_of(&made);
    let script = command.replacen("eyechart", env!("CARGO_BIN_EXE_eyechart"), 1);
    std::fs::remove_file(&file).unwrap();
    let status = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path())
        .env("HOME", terminal.home.path())
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_STATE_HOME")
        .status();
    assert!(status.unwrap().success(), "{command}");
    let again = std::fs::read_to_string(&file).unwrap();
    assert!(again == made, "{command}");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

/// Copies the exam's log about colours, with its pictures.
fn exam_in(folder: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/exam");
    let (to, pictures) = (folder.join("exam"), "images/color");
    std::fs::create_dir_all(to.join(pictures)).unwrap();
    let log = std::fs::read_to_string(from.join("color.eyechart.jsonl")).unwrap();
    let colors = log
        .lines()
        .filter(|line| line.contains("\"ability\":\"color\""));
    let colors: Vec<&str> = colors.collect();
    std::fs::write(to.join("color.eyechart.jsonl"), colors.join("\n") + "\n").unwrap();
    for file in std::fs::read_dir(from.join(pictures)).unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), to.join(pictures).join(file.file_name())).unwrap();
    }
}

#[test]
fn a_sample_is_asked_otherwise_in_the_playground_and_what_helps_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    exam_in(folder.path());
    let arguments = ["./exam", "--images", "blocks", "--fresh"];
    let mut terminal = Terminal::open_in(folder.path(), &arguments);
    terminal.wait_for("color", 0);
    terminal.press("3");
    terminal.wait_for_screen("1 of 40");
    terminal.press("T");
    terminal.wait_for_screen("builtin:hog");
    terminal.wait_for_screen("r asks");
    terminal.press("dv");
    terminal.wait_for_screen("mask 0.3 0.3 0.7");
    terminal.press("r");
    // Before that, the encoder is trained.
    let ends = ["right: ", "wrong: ", "no score: "];
    let begun = std::time::Instant::now();
    while !ends.iter().any(|end| terminal.screen().contains(end)) {
        assert!(
            begun.elapsed() < Duration::from_mins(5),
            "{}",
            terminal.screen()
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    let run = folder.path().join("reruns/playground");
    let runs = std::fs::read_dir(&run).unwrap().count();
    assert_eq!(runs, 1, "one question, one run");
    terminal.press("K");
    terminal.wait_for_screen("name of the protocol");
    terminal.press("hidden\r");
    terminal.wait_for_screen("saved as");
    let kept = std::fs::read_to_string(folder.path().join("variants/hidden.toml")).unwrap();
    assert!(kept.contains("mask 0.3 0.3 0.7 0.7"), "{kept}");
    terminal.press("6");
    terminal.wait_for_screen("your saved edit");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}
