//! Limits a program without special rights. A limit on the size of its files simulates a full disk;
//! another limit is on its memory.

// Each test target uses only some of these functions.
#![allow(dead_code)]

use std::process::Command;

/// Wraps a command so that its files cannot exceed `bytes`. Some systems count in kibibytes, so the
/// limit is then rounded up.
pub fn limited(bytes: u64, inner: &Command) -> Command {
    let script = if cfg!(target_os = "linux") {
        format!("trap '' XFSZ; exec prlimit --fsize={bytes}:{bytes} \"$0\" \"$@\"")
    } else {
        let kib = bytes.div_ceil(1024);
        format!("trap '' XFSZ; ulimit -f {kib}; exec \"$0\" \"$@\"")
    };
    within(&script, inner)
}

/// Wraps a command so that its address space cannot exceed this many kibibytes, if the system
/// supports that.
pub fn in_space(kib: u64, inner: &Command) -> Command {
    let script = if cfg!(target_os = "linux") {
        format!("ulimit -v {kib}; exec \"$0\" \"$@\"")
    } else {
        "exec \"$0\" \"$@\"".to_owned()
    };
    within(&script, inner)
}

/// Runs a command from a shell script, with the command's environment variables and folder.
fn within(script: &str, inner: &Command) -> Command {
    let mut outer = Command::new("bash");
    outer
        .args(["-c", script])
        .arg(inner.get_program())
        .args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => outer.env(name, value),
            None => outer.env_remove(name),
        };
    }
    if let Some(folder) = inner.get_current_dir() {
        outer.current_dir(folder);
    }
    outer
}

/// Returns `count` evenly spread positions in a file of this length, in increasing order.
pub fn positions(count: usize, length: u64) -> impl Iterator<Item = u64> {
    let count = count as u64;
    (1..=count).map(move |at| (length * at / (count + 1)).max(1))
}
