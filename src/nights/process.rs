//! Starts this program once more, waits for a child, and passes a stop on to it.

use std::ffi::OsString;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use super::register::Status;
use crate::corpus::StopFlag;

/// How often a call looks whether a process has ended.
pub(super) const POLL: Duration = Duration::from_millis(50);

/// The words that start this program, where it is not the file of the process itself.
static STARTED_BY: OnceLock<Vec<OsString>> = OnceLock::new();

/// Says by which words this program is started, for programs that embed it: a Python package is started by the
/// interpreter. Only the first call counts.
pub fn started_by(words: Vec<OsString>) {
    STARTED_BY.get_or_init(|| words);
}

/// A command that starts this program, without arguments.
///
/// # Errors
/// The system does not know the file of the program.
pub(crate) fn this_program() -> io::Result<Command> {
    match STARTED_BY.get().and_then(|words| words.split_first()) {
        Some((program, words)) => {
            let mut command = Command::new(program);
            command.args(words);
            Ok(command)
        }
        None => std::env::current_exe().map(Command::new),
    }
}

/// Waits for a process. A stop is passed on to it once.
pub(crate) fn wait(child: &mut Child, stop: &StopFlag) -> io::Result<ExitStatus> {
    let mut is_asked = false;
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if stop.is_set() && !is_asked {
            is_asked = true;
            ask_to_stop(child);
        }
        thread::sleep(pause);
        pause = POLL.min(2 * pause);
    }
}

/// What the exit code of a process of this program says. With other codes, one that was to stop counts as stopped.
pub(crate) fn status_of(ended: ExitStatus, stop: &StopFlag) -> Status {
    match ended.code() {
        Some(0) => Status::Ok,
        Some(3) => Status::CheckFailed,
        Some(4) => Status::Stopped,
        _ if stop.is_set() => Status::Stopped,
        _ => Status::Failed,
    }
}

/// How a process ended, in words.
pub(crate) fn how_it_ended(status: ExitStatus) -> String {
    status.code().map_or_else(|| "it was ended by a signal".to_owned(), |code| format!("it ended with code {code}"))
}

/// Asks a process to stop. One that has ended needs no signal.
fn ask_to_stop(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process};
        kill_process(Pid::from_child(child), Signal::TERM).unwrap_or_default();
    }
    #[cfg(not(unix))]
    drop(child.kill());
}

/// Makes a command a group of its own, with all processes that it starts. Signals of the terminal do not reach it.
pub(crate) fn in_own_group(command: &mut Command) -> &mut Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
}

/// Ends a process in a group of its own, and all that it started.
pub(super) fn end_group(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        kill_process_group(Pid::from_child(child), Signal::KILL).unwrap_or_default();
    }
    // Without groups, the process itself.
    drop(child.kill());
    drop(child.wait());
}
