//! Defects of Hone end in a short message and `unknown`, never in a backtrace.

use crate::exit_code::ExitCode;
use crate::output;
use std::panic;
use std::thread;

/// Replaces Rust's message. Threads that others wait for unwind and are caught (see `driver::run`); a panic anywhere else
/// ends the process here, because somebody might wait for that thread for ever.
pub fn install() {
    panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        let place = info.location().map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
        let first = text.lines().next().unwrap_or_default();
        output::stderr(&format!(
            "error: internal error: {first}{place}\nhelp: this is a defect of Hone; please report it with the program\n"
        ));
        if !driver::is_caught(thread::current().name()) {
            output::stdout("verdict: unknown (internal error)\n");
            driver::limits::exit_now(i32::from(ExitCode::Unknown.number()));
        }
    }));
}
