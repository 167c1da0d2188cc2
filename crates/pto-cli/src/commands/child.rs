//! Child processes: a time limit, and their exit status.

use std::io;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Longest time between two looks at a running process.
const LONGEST_WAIT: Duration = Duration::from_millis(10);

/// Starts a process in a group of its own, so that what it starts ends with it after the time limit.
pub(super) fn start(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command.spawn()
}

/// Waits for the end of a process that [`start`] has started. After the time limit it is ended, and the result is `None`.
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

/// Ends a process with those that it started.
fn end(child: &mut Child) {
    // The standard library cannot signal a group.
    #[cfg(unix)]
    let _ = Command::new("kill")
        .args(["-KILL", "--", &format!("-{}", child.id())])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    // It may have ended by then.
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
