//! Sends signals to the processes that a call starts.

use std::process::{Child, Command};
use std::time::Duration;

/// How often a call looks whether a process has ended.
pub(super) const POLL: Duration = Duration::from_millis(50);

/// Asks a process to stop. One that has ended needs no signal.
pub(super) fn ask_to_stop(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process};
        kill_process(Pid::from_child(child), Signal::TERM).unwrap_or_default();
    }
    #[cfg(not(unix))]
    drop(child.kill());
}

/// Makes a command a group of its own, with all processes that it starts.
pub(super) fn in_own_group(command: &mut Command) -> &mut Command {
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
