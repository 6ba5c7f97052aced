//! The terminal UI in a real pseudo-terminal: keys in, bytes out.
//!
//! Every wait is for a condition.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends there"
)]

#[path = "support/terminal.rs"]
mod terminal;

use std::time::Duration;

use terminal::Terminal;

/// What gives pastes, mouse and first screen of the terminal back.
const RESTORED: [&str; 3] = ["\x1b[?2004l", "\x1b[?1000l", "\x1b[?1049l"];

#[test]
fn keys_lead_from_the_fingerprint_to_a_sample_and_out() {
    let mut terminal = Terminal::open(&["tests/fixtures/ava_bench", "--images", "blocks"]);
    terminal.wait_for("Fingerprint", 0);
    terminal.wait_for("siglip2", 0);
    let before = terminal.press("3");
    terminal.wait_for("score", before);
    let before = terminal.press("\r");
    terminal.wait_for("read", before);
    let before = terminal.press("q");
    terminal.wait_for("\x1b[?1049l", before);
    let written = String::from_utf8_lossy(&terminal.written.lock().unwrap()).into_owned();
    // Pastes in brackets, focus, mouse.
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
    for signal in ["TERM", "HUP", "INT", "QUIT"] {
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

#[cfg(target_os = "linux")]
#[test]
fn a_stopped_program_gives_the_terminal_back_and_takes_it_again() {
    let arguments = &["tests/fixtures/ava_bench", "--images", "blocks"];
    for stop in ["TSTP", "STOP"] {
        let mut terminal = Terminal::open(arguments);
        terminal.wait_for("siglip2", 0);
        let before = terminal.signal(stop);
        terminal.wait_for_state('T');
        // Nobody can act on SIGSTOP before it stops.
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
