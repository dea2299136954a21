//! Ends a program together with Tengen: a process of ours runs it, and ends it when our pipe closes.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// The time that a program may take to end after its input has ended.
pub(super) const FAREWELL: Duration = Duration::from_millis(500);

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
    // Ctrl-C in a terminal is for us alone: a program that it ended would look like one that broke off.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// `tengen keep PROGRAM ARGUMENTS`: runs a program that ends when our input does; what we read goes to it. Returns
/// its exit code.
///
/// # Errors
/// If it cannot be started.
pub fn guard(program: &str, arguments: &[String]) -> io::Result<i32> {
    let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).spawn()?;
    let Some(mut input) = child.stdin.take() else { return Err(io::Error::other("no pipe to it")) };
    let (send, over) = std::sync::mpsc::channel();
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
        if let Some(status) = child.try_wait()? {
            return Ok(status.code().unwrap_or(1));
        }
        if over.recv_timeout(Duration::from_millis(5)) != Err(RecvTimeoutError::Timeout) {
            end(&mut child, FAREWELL);
            return Ok(0);
        }
    }
}

/// Ends a program: it has so long to end by itself.
pub(super) fn end(child: &mut Child, patience: Duration) {
    let until = Instant::now() + patience;
    while Instant::now() < until {
        if matches!(child.try_wait(), Ok(Some(_))) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let _ = child.wait();
}
