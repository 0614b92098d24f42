//! Logs on stderr, on request.

use tracing::level_filters::LevelFilter;

/// Installs a log for this many `-v`; one shows more of a report only.
pub fn install(verbose: u8) {
    let level = match verbose {
        0 | 1 => return,
        2 => LevelFilter::INFO,
        3 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr).without_time().with_ansi(false).init();
}
