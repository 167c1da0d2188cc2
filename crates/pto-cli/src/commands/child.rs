//! Child processes: a time limit, and their exit status.

use std::io;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Longest time between two polls of a running process.
const LONGEST_WAIT: Duration = Duration::from_millis(10);

/// Starts a process in a group of its own, so that its child processes also end after the time limit.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command.spawn()
}

/// Waits for a process that [`start`] started. After the time limit, kills it and returns `None`.
pub(super) fn wait(mut child: Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() >= limit {
            end(&mut child);
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_WAIT);
    }
}

/// Kills a process and its child processes.
fn end(child: &mut Child) {
    // The standard library cannot signal a group.
    #[cfg(unix)]
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    // The process may have ended already, so an error is ignored.
    let _ = child.kill();
    let _ = child.wait();
}

/// Exit status of a child, or 128 plus the signal number, as a shell has it.
pub(super) fn code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return ExitCode::from(128u8.wrapping_add(signal as u8));
        }
    }
    ExitCode::from(status.code().map_or(1, |code| code as u8))
}
