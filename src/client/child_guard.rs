//! Ends an external program together with Tengen. The process `tengen keep` runs the program as a process group, and
//! ends the group.
//!
//! # When the group ends
//!
//! | what happens | what `tengen keep` does |
//! | --- | --- |
//! | Tengen's pipe closes, because Tengen ended or no longer needs the program | closes the program's input, waits `FAREWELL`, kills the group |
//! | `tengen keep` gets SIGINT, SIGTERM or SIGHUP, or Tengen is gone while the program reads nothing | the same |
//! | the program ends | kills the rest of its group |
//! | the program closes its output | nothing; Tengen sees the end of the output, and closes its pipe |
//!
//! On a system without process groups, only the program itself is ended.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// The time that a program may take to end after its input has ended.
pub(super) const FAREWELL: Duration = Duration::from_millis(500);

/// The time in which `tengen keep` must end its program. A busy machine may need some of it.
const DUTY: Duration = Duration::from_secs(5);

/// The flag by which Ctrl-C on Windows does not reach the process.
#[cfg(windows)]
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// The time between two looks at what happened.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The command that runs a program below `tengen keep`; the program itself where we are not `tengen`.
pub(super) fn command(program: &str) -> Command {
    let own = std::env::current_exe().ok().filter(|path| path.file_stem().is_some_and(|s| s == "tengen"));
    let mut command = match own {
        Some(own) => {
            let mut command = Command::new(own);
            command.args(["keep", program]);
            command
        }
        None => Command::new(program),
    };
    in_group(&mut command);
    command
}

/// Makes a command a group of processes of its own. Ctrl-C in a terminal does not reach it, because a program that it
/// ended would look like one that broke off.
fn in_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

/// `tengen keep PROGRAM ARGUMENTS`: runs a program that ends when the input ends. It passes the input on to the
/// program. Returns its exit code, or 128 and the signal that ended it.
///
/// # Errors
/// If it cannot be started.
pub fn guard(program: &str, arguments: &[String]) -> io::Result<i32> {
    let (send, over) = std::sync::mpsc::channel();
    let told = send.clone();
    let _ = ctrlc::set_handler(move || {
        let _ = told.send(());
    });
    let parent = parent();
    let mut command = Command::new(program);
    in_group(command.args(arguments).stdin(Stdio::piped()));
    let mut child = command.spawn()?;
    let Some(mut input) = child.stdin.take() else { return Err(io::Error::other("no pipe to it")) };
    close_output();
    std::thread::spawn(move || {
        let mut line = [0; 1 << 16];
        let mut stdin = io::stdin().lock();
        while let Ok(n @ 1..) = stdin.read(&mut line) {
            if input.write_all(&line[..n]).and_then(|()| input.flush()).is_err() {
                break;
            }
        }
        drop(input);
        let _ = send.send(());
    });
    loop {
        if has_ended(&mut child) {
            kill_group(&mut child);
            let status = child.wait()?;
            return Ok(status.code().or_else(|| by_signal(status)).unwrap_or(1));
        }
        let told = over.recv_timeout(LOOK_EVERY) != Err(RecvTimeoutError::Timeout);
        if told || self::parent() != parent {
            end_group(&mut child, FAREWELL);
            return Ok(0);
        }
    }
}

/// Ends the process that [`command`] started. The process gets this time to end on its own, and `tengen keep` some
/// seconds to end its program.
pub(super) fn end(child: &mut Child) {
    if waited(child, FAREWELL + Duration::from_millis(100)) {
        return kill_group(child);
    }
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
    }
    // Without signals, the end of its input is what it was told.
    end_group(child, DUTY);
}

/// The exit code of a process that [`command`] started, if it ends in this time; 128 and the signal that ended it, as
/// shells have it. The process is not reaped.
#[cfg(unix)]
pub(super) fn exit_code(child: &Child, patience: Duration) -> Option<i32> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let pid = Pid::from_raw(child.id().cast_signed())?;
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let until = Instant::now() + patience;
    loop {
        match waitid(WaitId::Pid(pid), options) {
            Ok(Some(status)) => {
                return status
                    .exit_status()
                    .or_else(|| status.terminating_signal().map(|signal| 128 + signal));
            }
            Ok(None) if Instant::now() < until => std::thread::sleep(LOOK_EVERY),
            _ => return None,
        }
    }
}

/// The same where a process can't be looked at without reaping it: not known.
#[cfg(not(unix))]
pub(super) const fn exit_code(_: &Child, _: Duration) -> Option<i32> {
    None
}

/// 128 and the signal that ended a program.
#[cfg(unix)]
fn by_signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal)
}

#[cfg(not(unix))]
const fn by_signal(_: ExitStatus) -> Option<i32> {
    None
}

/// Waits this long for a program's end, then kills its group.
fn end_group(child: &mut Child, patience: Duration) {
    waited(child, patience);
    kill_group(child);
}

/// Whether a program ended in this time. It is not reaped, so its number is that of its group still.
fn waited(child: &mut Child, patience: Duration) -> bool {
    let until = Instant::now() + patience;
    while !has_ended(child) {
        if Instant::now() >= until {
            return false;
        }
        std::thread::sleep(LOOK_EVERY);
    }
    true
}

#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let Some(pid) = Pid::from_raw(child.id().cast_signed()) else { return true };
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Kills a program and the rest of its group, and reaps it.
fn kill_group(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The number of the process that started us.
fn parent() -> Option<u32> {
    #[cfg(unix)]
    return Some(std::os::unix::process::parent_id());
    #[cfg(not(unix))]
    None
}

/// Lets go of our end of the program's output: its reader sees the end once the program closes it.
fn close_output() {
    #[cfg(unix)]
    if let Ok(nowhere) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(&nowhere);
    }
}
