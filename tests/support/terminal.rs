//! Runs a program in a real pseudo-terminal, and stores the screen that it draws.

// Each test target uses only some of these functions.
#![allow(dead_code)]

use std::io::{Read as _, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// Time limit for any step.
const PATIENCE: Duration = Duration::from_mins(1);

/// A program in a pseudo-terminal, by default with 80 columns and 24 rows.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    input: Box<dyn Write + Send>,
    pub written: Arc<Mutex<Vec<u8>>>,
    screen: Arc<Mutex<vt100::Parser>>,
    master: Option<Box<dyn MasterPty + Send>>,
    reader: Option<JoinHandle<()>>,
    is_closing: Arc<AtomicBool>,
    pub home: tempfile::TempDir,
}

impl Terminal {
    /// Starts the program in the folder of this repository.
    pub fn open(arguments: &[&str]) -> Self {
        Self::open_in(Path::new(env!("CARGO_MANIFEST_DIR")), arguments)
    }

    /// Starts the program in a folder.
    pub fn open_in(folder: &Path, arguments: &[&str]) -> Self {
        Self::open_with(folder, &[], arguments)
    }

    /// Starts the program in a folder, with additional environment variables.
    pub fn open_with(folder: &Path, environment: &[(&str, &Path)], arguments: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = command(folder, home.path(), arguments);
        command.env_remove("XDG_CONFIG_HOME");
        command.env_remove("XDG_STATE_HOME");
        for (name, value) in environment {
            command.env(name, value);
        }
        Self::start(command, home, (80, 24))
    }

    /// Starts the program in a folder, with a number of columns and rows. It gets only the given
    /// environment variables, so that the screen is always the same.
    pub fn open_sized(
        folder: &Path,
        size: (u16, u16),
        environment: &[(&str, &str)],
        arguments: &[&str],
    ) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = command(folder, home.path(), arguments);
        command.env_clear();
        set_usual(&mut command, home.path());
        for (name, value) in environment {
            command.env(name, value);
        }
        Self::start(command, home, size)
    }

    /// Starts the program in the folder of this repository from a shell, as a user does. The shell
    /// ends after a line of input.
    #[cfg(unix)]
    pub fn open_in_shell(arguments: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut command = CommandBuilder::new("sh");
        command.args([
            "-c",
            "\"$@\"; read -r _",
            "sh",
            env!("CARGO_BIN_EXE_eyechart"),
        ]);
        command.args(arguments);
        command.cwd(env!("CARGO_MANIFEST_DIR"));
        set_usual(&mut command, home.path());
        Self::start(command, home, (80, 24))
    }

    fn start(
        command: CommandBuilder,
        home: tempfile::TempDir,
        (columns, rows): (u16, u16),
    ) -> Self {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pty = native_pty_system().openpty(size).unwrap();
        let child = pty.slave.spawn_command(command).unwrap();
        let written = Arc::new(Mutex::new(Vec::new()));
        let (rows, columns) = (size.rows.try_into(), size.cols.try_into());
        let screen = vt100::Parser::new(rows.unwrap(), columns.unwrap(), 0);
        let screen = Arc::new(Mutex::new(screen));
        let mut output = pty.master.try_clone_reader().unwrap();
        let (keep, shown) = (Arc::clone(&written), Arc::clone(&screen));
        let is_closing = Arc::new(AtomicBool::new(false));
        let closes = Arc::clone(&is_closing);
        let reader = std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(count @ 1..) = output.read(&mut part) {
                // Update the screen first: `bytes` counts only output that is on the screen.
                shown.lock().unwrap().process(&part[..count]);
                keep.lock().unwrap().extend_from_slice(&part[..count]);
                if closes.load(Ordering::SeqCst) {
                    return;
                }
            }
        });
        Self {
            child,
            input: pty.master.take_writer().unwrap(),
            written,
            screen,
            master: Some(pty.master),
            reader: Some(reader),
            is_closing,
            home,
        }
    }

    /// Closes the terminal, as when a window is closed. Pressing `keys` must cause output.
    pub fn close(&mut self, keys: &str) {
        self.is_closing.store(true, Ordering::SeqCst);
        self.press(keys);
        if let Some(reader) = self.reader.take() {
            reader.join().unwrap();
        }
        self.input = Box::new(std::io::sink());
        self.master = None;
    }

    /// Changes the size of the window to columns and rows. The stored screen does not change.
    pub fn resize(&self, (cols, rows): (u16, u16)) {
        let size = PtySize {
            rows,
            cols,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.as_ref().unwrap().resize(size).unwrap();
    }

    /// Modes of the terminal, such as raw mode, and the modes of a new terminal.
    #[cfg(unix)]
    pub fn modes(&self) -> [String; 2] {
        let new = native_pty_system().openpty(PtySize::default()).unwrap();
        let own = self.master.as_ref().unwrap();
        [own, &new.master].map(|master| format!("{:?}", master.get_termios().unwrap()))
    }

    /// Waits until the program has restored the terminal: main screen, no mouse, no bracketed
    /// paste, visible cursor.
    pub fn wait_until_given_back(&self) {
        let start = Instant::now();
        loop {
            let parser = self.screen.lock().unwrap();
            let screen = parser.screen();
            let mouse = screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
            let on = [
                ("second screen", screen.alternate_screen()),
                ("bracketed pastes", screen.bracketed_paste()),
                ("hidden cursor", screen.hide_cursor()),
                ("mouse", mouse),
            ];
            drop(parser);
            if on.iter().all(|(_, on)| !on) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "still on: {on:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Inspects the current screen with its colours.
    pub fn look<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.screen.lock().unwrap().screen())
    }

    /// The current screen, one line per row.
    pub fn screen(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen contains a text. Returns the waiting time.
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

    /// Number of bytes that the program has written so far.
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
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Presses keys. Returns the number of bytes that were written before.
    pub fn press(&mut self, keys: &str) -> usize {
        let before = self.bytes();
        self.input.write_all(keys.as_bytes()).unwrap();
        self.input.flush().unwrap();
        before
    }

    /// Sends a signal to the program. Returns the number of bytes that were written before.
    pub fn signal(&self, name: &str) -> usize {
        let before = self.bytes();
        let status = Command::new("kill")
            .args([format!("-{name}"), self.program().to_string()])
            .status();
        assert!(status.unwrap().success());
        before
    }

    /// Waits until the process is in the given state, such as `T` for stopped.
    pub fn wait_for_state(&self, state: char) {
        let start = Instant::now();
        loop {
            let line = std::fs::read_to_string(format!("/proc/{}/stat", self.program())).unwrap();
            let after = line.rsplit_once(") ").expect("a state").1;
            if after.starts_with(state) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "not in state {state}: {after}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Process id of the program.
    pub fn program(&self) -> u32 {
        self.child.process_id().expect("a process")
    }

    /// Waits until nothing has been written for a while.
    pub fn settle(&self) {
        let (mut bytes, mut since) = (self.bytes(), Instant::now());
        while since.elapsed() < Duration::from_millis(700) {
            std::thread::sleep(Duration::from_millis(20));
            if self.bytes() != bytes {
                (bytes, since) = (self.bytes(), Instant::now());
            }
        }
    }

    /// Waits until the screen no longer contains a text.
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

    /// Waits until the program ends, for any reason.
    pub fn wait_for_end(&mut self) {
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Replies to the program's queries, as a terminal does, until the program ends. Returns its
    /// exit code and its whole output.
    pub fn play(mut self, answers: &[(&str, &str)]) -> (Option<u32>, String) {
        let start = Instant::now();
        let mut told = vec![0; answers.len()];
        loop {
            let ended = self.child.try_wait().unwrap();
            let written = String::from_utf8_lossy(&self.written.lock().unwrap()).into_owned();
            for ((question, answer), told) in answers.iter().zip(&mut told) {
                let asked = written.matches(question).count();
                for _ in *told..asked {
                    // The program may have ended already.
                    let _ = self.input.write_all(answer.as_bytes());
                }
                *told = asked;
            }
            if let Some(status) = ended {
                if let Some(reader) = self.reader.take() {
                    reader.join().unwrap();
                }
                let written = String::from_utf8_lossy(&self.written.lock().unwrap()).into_owned();
                return (
                    status.signal().is_none().then(|| status.exit_code()),
                    written,
                );
            }
            assert!(start.elapsed() < PATIENCE, "it does not end: {written:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits until the program ends. Returns its exit code; `None` if a signal ended it.
    pub fn end(mut self) -> Option<u32> {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.signal().is_none().then(|| status.exit_code());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the program does not end\n{}", self.screen());
    }
}

/// The program as a command with arguments and a home folder of its own.
fn command(folder: &Path, home: &Path, arguments: &[&str]) -> CommandBuilder {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_eyechart"));
    command.args(arguments);
    command.cwd(folder);
    set_usual(&mut command, home);
    command
}

/// Variables by which terminals and multiplexers name themselves. The tests may run in one.
const OF_TERMINALS: [&str; 19] = [
    "ALACRITTY_WINDOW_ID",
    "COLORTERM",
    "GHOSTTY_RESOURCES_DIR",
    "ITERM_SESSION_ID",
    "KITTY_WINDOW_ID",
    "KONSOLE_VERSION",
    "LC_TERMINAL",
    "NO_COLOR",
    "SSH_CLIENT",
    "SSH_CONNECTION",
    "SSH_TTY",
    "STY",
    "TERM_PROGRAM",
    "TERM_PROGRAM_VERSION",
    "TMUX",
    "VTE_VERSION",
    "WEZTERM_EXECUTABLE",
    "WT_SESSION",
    "ZELLIJ",
];

fn set_usual(command: &mut CommandBuilder, home: &Path) {
    for name in OF_TERMINALS {
        command.env_remove(name);
    }
    command.env("TERM", "xterm-256color");
    command.env("HOME", home);
    command.env("LC_ALL", "C.UTF-8");
}

/// Kills the program, so that a failed test leaves no process behind.
impl Drop for Terminal {
    fn drop(&mut self) {
        // The program may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
