//! Plots with a logarithmic axis as SVG text, readable on light and on dark pages.

use base::markup::escape;
use std::fmt::Write as _;

/// A plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// Above the plot.
    pub title: String,
    /// Name of the horizontal axis.
    pub x: String,
    /// Name of the vertical axis, which is logarithmic.
    pub y: String,
    /// What is plotted.
    pub series: Vec<Series>,
}

/// A line of a plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
}

/// A point; `y` is positive.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Position on the horizontal axis.
    pub x: f64,
    /// Position on the vertical axis.
    pub y: f64,
    /// Whether there was an answer; points without are drawn hollow.
    pub decided: bool,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// Left, right, top and bottom of the plotting area.
const AREA: [f64; 4] = [70.0, 510.0, 40.0, 370.0];
/// For light and dark pages; chosen to be told apart without seeing colours well, with different markers besides.
const COLOURS: [(&str, &str); 6] = [
    ("#0060a8", "#5db2f5"),
    ("#b34700", "#ff9b57"),
    ("#00755a", "#3fd0a8"),
    ("#8b2a7a", "#e08fd2"),
    ("#6b5900", "#d9c04a"),
    ("#444444", "#bbbbbb"),
];

/// The ends of an axis.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        (0.0, 1.0)
    } else if (high - low).abs() < f64::EPSILON {
        (low - 1.0, high + 1.0)
    } else {
        (low, high)
    }
}

/// Draws a figure.
pub fn svg(figure: &Figure) -> String {
    let [left, right, top, bottom] = AREA;
    let all = || figure.series.iter().flat_map(|series| &series.points);
    let (x_low, x_high) = range(all().map(|p| p.x));
    let (y_low, y_high) = range(all().map(|p| p.y.log10()));
    let (first, last) = (y_low.floor(), y_high.ceil().max(y_low.floor() + 1.0));
    let x_at = |x: f64| left + (x - x_low) / (x_high - x_low) * (right - left);
    let y_at = |y: f64| bottom - (y.log10() - first) / (last - first) * (bottom - top);
    let mut text = String::new();
    let out = &mut text;
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         role=\"img\" aria-label=\"{}\">",
        escape(&figure.title)
    );
    let _ = writeln!(out, "<style>{}</style>", style());
    let _ = writeln!(out, "<rect class=\"page\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>");
    let middle = (left + right) / 2.0;
    let _ = writeln!(out, "<text class=\"title\" x=\"{middle}\" y=\"24\">{}</text>", escape(&figure.title));
    let (decades, mut exponent) = ((last - first) as i32, first as i32);
    for _ in 0..=decades {
        let y = y_at(10f64.powi(exponent));
        let label = if exponent < 0 {
            format!("{:.*}", -exponent as usize, 10f64.powi(exponent))
        } else {
            format!("{:.0}", 10f64.powi(exponent))
        };
        let _ = writeln!(out, "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>");
        let _ = writeln!(out, "<text class=\"tick\" x=\"{}\" y=\"{:.1}\">{label}</text>", left - 8.0, y + 4.0);
        exponent += 1;
    }
    for x in ticks(x_low, x_high) {
        let at = x_at(x);
        let _ = writeln!(
            out,
            "<line class=\"axis\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{bottom}\" y2=\"{}\"/>",
            bottom + 5.0
        );
        let _ = writeln!(out, "<text class=\"name\" x=\"{at:.1}\" y=\"{}\">{x}</text>", bottom + 20.0);
    }
    let _ = writeln!(out, "<path class=\"axis\" fill=\"none\" d=\"M{left} {top}V{bottom}H{right}\"/>");
    let _ = writeln!(out, "<text class=\"name\" x=\"{middle}\" y=\"{}\">{}</text>", bottom + 40.0, escape(&figure.x));
    let centre = (top + bottom) / 2.0;
    let _ = writeln!(
        out,
        "<text class=\"name\" transform=\"rotate(-90)\" x=\"{}\" y=\"20\">{}</text>",
        -centre,
        escape(&figure.y)
    );
    for (i, series) in figure.series.iter().enumerate() {
        let class = i % COLOURS.len();
        let path: Vec<String> = series.points.iter().map(|p| format!("{:.1} {:.1}", x_at(p.x), y_at(p.y))).collect();
        if !path.is_empty() {
            let _ = writeln!(out, "<path class=\"line c{class}\" d=\"M{}\"/>", path.join("L"));
        }
        for point in &series.points {
            marker(out, i, x_at(point.x), y_at(point.y), point.decided);
        }
        let y = top + 12.0 + 22.0 * i as f64;
        let _ = writeln!(out, "<path class=\"line c{class}\" d=\"M{} {y}H{}\"/>", right + 14.0, right + 38.0);
        marker(out, i, right + 26.0, y, true);
        let _ = writeln!(
            out,
            "<text class=\"legend\" x=\"{}\" y=\"{}\">{}</text>",
            right + 44.0,
            y + 4.0,
            escape(&series.name)
        );
    }
    if all().any(|point| !point.decided) {
        let y = top + 12.0 + 22.0 * figure.series.len() as f64;
        let _ =
            writeln!(out, "<text class=\"legend\" x=\"{}\" y=\"{}\">hollow: no answer</text>", right + 14.0, y + 4.0);
    }
    out.push_str("</svg>\n");
    text
}

fn style() -> String {
    let mut light = String::from(
        "text{font:12px sans-serif;fill:#222}.title{font-size:15px;text-anchor:middle}.name{text-anchor:middle}.tick{text-anchor:end}\
         .page{fill:#fff}.grid{stroke:#ddd}.axis{stroke:#222}.line{fill:none;stroke-width:2}",
    );
    let mut dark = String::from("text{fill:#ddd}.page{fill:#161616}.grid{stroke:#3a3a3a}.axis{stroke:#ddd}");
    for (i, (on_light, on_dark)) in COLOURS.iter().enumerate() {
        let _ = write!(light, ".c{i}{{stroke:{on_light}}}.f{i}{{fill:{on_light}}}.h{i}{{fill:#fff}}");
        let _ = write!(dark, ".c{i}{{stroke:{on_dark}}}.f{i}{{fill:{on_dark}}}.h{i}{{fill:#161616}}");
    }
    format!("{light}@media(prefers-color-scheme:dark){{{dark}}}")
}

fn marker(out: &mut String, series: usize, x: f64, y: f64, decided: bool) {
    let colour = series % COLOURS.len();
    let fill = if decided { 'f' } else { 'h' };
    let class = format!("c{colour} {fill}{colour}");
    let _ = match series % 3 {
        0 => writeln!(out, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"),
        1 => writeln!(
            out,
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\"/>",
            x - 4.0,
            y - 4.0
        ),
        _ => writeln!(out, "<path class=\"{class}\" d=\"M{x:.1} {:.1}l5 9h-10z\"/>", y - 5.0),
    };
}

/// Whole numbers on the horizontal axis, about ten.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let step = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0]
        .into_iter()
        .find(|step| (high - low) / step <= 12.0)
        .unwrap_or((high - low).max(1.0));
    let mut ticks = Vec::new();
    let mut at = (low / step).ceil() * step;
    while at <= high {
        ticks.push(at);
        at += step;
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_ticks_lines_and_legend() {
        let point = |x, y, decided| Point { x, y, decided };
        let figure = Figure {
            title: "a < b".into(),
            x: "size".into(),
            y: "time".into(),
            series: vec![
                Series { name: "one".into(), points: vec![point(1.0, 0.02, true), point(3.0, 40.0, false)] },
                Series { name: "two".into(), points: vec![point(2.0, 1.0, true)] },
            ],
        };
        let text = svg(&figure);
        for part in [
            ">0.01<",
            ">0.1<",
            ">1<",
            ">10<",
            ">100<",
            ">2<",
            ">3<",
            ">one<",
            ">two<",
            "a &lt; b",
            "hollow",
            "prefers-color-scheme",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(text.matches("<path class=\"line").count(), 4);
        assert_eq!(text.matches("class=\"grid\"").count(), 5);
        // 0.01 is the bottom of the axis, 100 its top.
        assert!(text.contains("y1=\"370.0\"") && text.contains("y1=\"40.0\""), "{text}");
    }

    #[test]
    fn nothing_is_a_figure_too() {
        let text = svg(&Figure { title: String::new(), x: String::new(), y: String::new(), series: Vec::new() });
        assert!(text.ends_with("</svg>\n") && !text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
