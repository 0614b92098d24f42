//! The progress line: bound, time and memory, on a terminal only.

use driver::limits::resident_memory;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use outcome::{Event, Progress};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

/// What is shown.
#[derive(Default)]
struct State {
    phase: &'static str,
    bound: Option<u32>,
}

/// Shows events on stderr if that is a terminal.
pub struct ProgressLine {
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

impl ProgressLine {
    /// A line for the check of `file`, which appears after a moment.
    pub fn start(file: &str) -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(8));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {msg} [{elapsed}]") {
                bar.set_style(style);
            }
            bar.set_prefix(file.to_owned());
            bar.enable_steady_tick(Duration::from_millis(125));
            bar
        });
        Self { bar, state: Mutex::default() }
    }

    /// Whether there is a terminal to show it on.
    pub fn is_shown(&self) -> bool {
        self.bar.is_some()
    }

    /// Removes the line.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Progress for ProgressLine {
    fn event(&self, event: Event) {
        if let Event::Info(text) = &event {
            tracing::info!("{text}");
        }
        let Some(bar) = &self.bar else { return };
        let Ok(mut state) = self.state.lock() else { return };
        match event {
            Event::Phase(phase) => state.phase = phase,
            Event::Bound(bound) => state.bound = Some(bound),
            Event::Info(_) | Event::Proved(_) | Event::Answered(_) => {}
        }
        let bound = state.bound.map_or(String::new(), |bound| format!(", unwind {bound}"));
        let memory = resident_memory().map_or(String::new(), |bytes| format!(", {}", report::text::bytes(bytes)));
        bar.set_message(format!("{}{bound}{memory}", state.phase));
    }
}
