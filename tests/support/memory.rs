//! Measures the memory of a process.

use std::process::Child;

/// Peak memory of a process so far, in bytes. `None` if the system does not report it, if the
/// process has ended, or if it still shares the memory of the test that started it.
pub fn peak(child: &Child) -> Option<u64> {
    peak_of(child.id())
}

/// As [`peak`], for a process id.
pub fn peak_of(process: u32) -> Option<u64> {
    // Until a new process runs its own program, the figures are those of the test itself.
    let program = |process: &str| std::fs::read_link(format!("/proc/{process}/exe")).ok();
    if program(&process.to_string())? == program("self")? {
        return None;
    }
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
