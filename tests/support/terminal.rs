//! A program in a real pseudo-terminal, and the screen that it draws.

// Each test target uses its own part of this.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A program in a pseudo-terminal of 80 columns and 24 rows.
pub struct Terminal {
    child: Child,
    pub written: Arc<Mutex<Vec<u8>>>,
    screen: Arc<Mutex<Screen>>,
    _home: tempfile::TempDir,
}

impl Terminal {
    /// `None` where there is no `script`.
    pub fn open(arguments: &str) -> Option<Self> {
        Self::open_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
    }

    /// In a folder.
    pub fn open_in(folder: &Path, arguments: &str) -> Option<Self> {
        Self::open_with(folder, &[], arguments)
    }

    /// In a folder, with variables of the environment.
    pub fn open_with(
        folder: &Path,
        environment: &[(&str, &Path)],
        arguments: &str,
    ) -> Option<Self> {
        let home = tempfile::tempdir().unwrap();
        let program = env!("CARGO_BIN_EXE_eyechart");
        let mut child = Command::new("script")
            .args([
                "-qfec",
                &format!("stty rows 24 cols 80; {program} {arguments}"),
                "/dev/null",
            ])
            .current_dir(folder)
            .env("TERM", "xterm-256color")
            .env("HOME", home.path())
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_STATE_HOME")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| eprintln!("skipped, no pseudo-terminal: {error}"))
            .ok()?;
        let written = Arc::new(Mutex::new(Vec::new()));
        let screen = Arc::new(Mutex::new(Screen::default()));
        let (mut output, keep) = (child.stdout.take().unwrap(), Arc::clone(&written));
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut part) {
                keep.lock().unwrap().extend_from_slice(&part[..count]);
                shown.lock().unwrap().take(&part[..count]);
            }
        });
        Some(Self {
            child,
            written,
            screen,
            _home: home,
        })
    }

    /// The screen as it is now, a line a row.
    pub fn screen(&self) -> String {
        self.screen.lock().unwrap().text()
    }

    /// Waits until the screen holds a text; gives how long that took.
    pub fn wait_for_screen(&self, text: &str) -> Duration {
        let start = Instant::now();
        while !self.screen().contains(text) {
            assert!(
                start.elapsed() < PATIENCE,
                "no {text:?} on\n{}",
                self.screen()
            );
            std::thread::sleep(Duration::from_millis(2));
        }
        start.elapsed()
    }

    /// How much was written.
    pub fn bytes(&self) -> usize {
        self.written.lock().unwrap().len()
    }

    /// Waits until the program has written a text after the first `from` bytes.
    pub fn wait_for(&self, text: &str, from: usize) {
        let start = Instant::now();
        loop {
            let written = self.written.lock().unwrap();
            let new = String::from_utf8_lossy(&written[from.min(written.len())..]).into_owned();
            drop(written);
            if new.contains(text) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "no {text:?} in {new:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Presses keys; gives how much was written before.
    pub fn press(&mut self, keys: &str) -> usize {
        let before = self.bytes();
        let input = self.child.stdin.as_mut().unwrap();
        input.write_all(keys.as_bytes()).unwrap();
        input.flush().unwrap();
        before
    }

    /// Sends a signal to the program; gives how much was written before.
    pub fn signal(&self, name: &str) -> usize {
        let before = self.bytes();
        let status = Command::new("kill")
            .args([format!("-{name}"), self.program().to_string()])
            .status();
        assert!(status.unwrap().success());
        before
    }

    /// Lets the program go on after it was stopped.
    pub fn go_on(&self) {
        for process in [self.child.id(), self.program()] {
            let status = Command::new("kill")
                .args(["-CONT", &process.to_string()])
                .status();
            assert!(status.unwrap().success());
        }
    }

    /// Waits until the system says that the program is in a state, such as `T` for stopped, and with it what gives the
    /// pseudo-terminal: that stops a moment later, and would miss a signal to go on that comes before.
    pub fn wait_for_state(&self, state: char) {
        let start = Instant::now();
        let is_in = |process: u32| {
            let line = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
            let after = line.rsplit_once(") ").expect("a state").1;
            after.starts_with(state)
        };
        while !is_in(self.program()) || !is_in(self.child.id()) {
            assert!(start.elapsed() < PATIENCE, "not in state {state}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The process of the program.
    fn program(&self) -> u32 {
        let mut pid = self.child.id();
        let comm = |pid| std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap();
        while comm(pid).trim() != "eyechart" {
            let children = format!("/proc/{pid}/task/{pid}/children");
            let children = std::fs::read_to_string(children).unwrap();
            let child = children.split_whitespace().next().expect("a child");
            pid = child.parse().unwrap();
        }
        pid
    }

    /// Waits until nothing was written for a while.
    pub fn settle(&self) {
        let (mut bytes, mut since) = (self.bytes(), Instant::now());
        while since.elapsed() < Duration::from_millis(700) {
            std::thread::sleep(Duration::from_millis(20));
            if self.bytes() != bytes {
                (bytes, since) = (self.bytes(), Instant::now());
            }
        }
    }

    /// Waits until the screen does not hold a text any more.
    pub fn wait_until_gone(&self, text: &str) {
        let start = Instant::now();
        while self.screen().contains(text) {
            assert!(
                start.elapsed() < PATIENCE,
                "still {text:?} on\n{}",
                self.screen()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end; gives the exit code.
    pub fn end(mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child.kill().unwrap();
        panic!("the program does not end");
    }
}

/// A test that fails leaves no program behind.
impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The cells of the terminal, as far as a program that draws with cursor positions needs them.
#[derive(Default)]
struct Screen {
    cells: BTreeMap<(usize, usize), char>,
    row: usize,
    column: usize,
    /// Bytes of a sequence or a letter whose end is still to come.
    begun: Vec<u8>,
}

impl Screen {
    fn take(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.begun.push(byte);
            self.step();
        }
    }

    fn step(&mut self) {
        match self.begun.as_slice() {
            [0x1b, b'[', .., last] if last.is_ascii_alphabetic() => self.control(*last),
            [0x1b, b']' | b'P' | b'_', .., 0x07] | [0x1b, b']' | b'P' | b'_', .., 0x1b, b'\\'] => {}
            [0x1b] | [0x1b, b'('] | [0x1b, b'[' | b']' | b'P' | b'_', ..] => return,
            [0x1b, b'(', _] | [0x1b, _] => {}
            [b'\r'] => self.column = 0,
            [b'\n'] => self.row += 1,
            [byte] if *byte < b' ' => {}
            bytes => match std::str::from_utf8(bytes) {
                Ok(text) => {
                    for c in text.chars() {
                        self.cells.insert((self.row, self.column), c);
                        self.column += 1;
                    }
                }
                Err(error) if error.error_len().is_none() => return,
                Err(_) => {}
            },
        }
        self.begun.clear();
    }

    fn control(&mut self, last: u8) {
        let text = String::from_utf8_lossy(&self.begun[2..self.begun.len() - 1]).into_owned();
        let numbers: Vec<usize> = text.split(';').map(|n| n.parse().unwrap_or(1)).collect();
        match last {
            b'H' => {
                self.row = numbers[0] - 1;
                self.column = numbers.get(1).map_or(0, |column| column - 1);
            }
            b'C' => self.column += numbers[0],
            b'G' => self.column = numbers[0] - 1,
            b'J' if text == "2" => self.cells.clear(),
            _ => {}
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        let (mut row, mut column) = (0, 0);
        for (&(at, from), &c) in &self.cells {
            if at > row {
                text.push_str(&"\n".repeat(at - row));
                (row, column) = (at, 0);
            }
            text.push_str(&" ".repeat(from - column));
            text.push(c);
            column = from + 1;
        }
        text
    }
}
