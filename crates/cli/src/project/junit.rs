//! JUnit XML, which most systems for continuous integration show.

use super::Ended;
use crate::exit_code::ExitCode;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::time::Duration;

/// The report on a project's harnesses: what is violated is a failure, what is unknown or can't be read an error.
pub fn render(ended: &[Ended], time: Duration) -> String {
    let mut report = Report::new("hone");
    report.set_time(time);
    let mut suite = TestSuite::new("hone");
    suite.set_time(time);
    for ended in ended {
        let kind = match ended.code {
            ExitCode::True => None,
            ExitCode::False => Some(NonSuccessKind::Failure),
            ExitCode::Unknown | ExitCode::Usage => Some(NonSuccessKind::Error),
        };
        let status = match kind {
            None => TestCaseStatus::success(),
            Some(kind) => {
                let mut status = TestCaseStatus::non_success(kind);
                status.set_type(ended.verdict.as_str());
                let wanted = format!("expected {}, got {}", ended.expected, ended.verdict);
                status.set_message(if ended.detail.is_empty() {
                    wanted
                } else {
                    format!("{wanted}: {}", ended.detail)
                });
                status
            }
        };
        let mut case = TestCase::new(ended.name.as_str(), status);
        case.set_classname("hone").set_time(ended.time);
        if !ended.checks.is_empty() {
            case.set_system_out(ended.checks.join("\n"));
        }
        suite.add_test_case(case);
    }
    report.add_test_suite(suite);
    report.to_string().unwrap_or_default()
}
