//! One quantity at several sizes: its table, its order and its plot.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// One quantity at several sizes.
pub(crate) struct Series {
    title: &'static str,
    size: &'static str,
    unit: &'static str,
    points: Vec<(usize, f64)>,
}

impl Series {
    pub(crate) fn new(title: &'static str, size: &'static str, unit: &'static str) -> Self {
        Self {
            title,
            size,
            unit,
            points: Vec::new(),
        }
    }

    /// Adds a value in the series' unit.
    pub(crate) fn add(&mut self, size: usize, value: f64) {
        self.points.push((size, value));
    }

    /// Adds a time, to a series whose unit is one of time.
    pub(crate) fn add_time(&mut self, size: usize, time: Duration) {
        let per_second = match self.unit {
            "us" => 1e6,
            "ms" => 1e3,
            _ => 1e9,
        };
        self.add(size, time.as_secs_f64() * per_second);
    }

    /// Slope of the least-squares line through the logarithms.
    fn order(&self) -> f64 {
        let points: Vec<(f64, f64)> = self
            .points
            .iter()
            .map(|(n, y)| ((*n as f64).ln(), y.max(1e-9).ln()))
            .collect();
        let n = points.len() as f64;
        let (sx, sy) = points
            .iter()
            .fold((0.0, 0.0), |(a, b), (x, y)| (a + x, b + y));
        let (mx, my) = (sx / n, sy / n);
        let (top, bottom) = points.iter().fold((0.0, 0.0), |(a, b), (x, y)| {
            (a + (x - mx) * (y - my), b + (x - mx) * (x - mx))
        });
        top / bottom
    }

    pub(crate) fn print(&self) {
        let Some((_, first)) = self.points.first() else {
            return;
        };
        println!("\n{} (order {:.2})", self.title, self.order());
        for (size, value) in &self.points {
            println!(
                "  {size:>9} {:<8}{value:>14.1} {:<4}{:>9.2} x",
                self.size,
                self.unit,
                value / first
            );
        }
        if let Some(folder) = std::env::var_os("HOLM_PLOTS") {
            let name: String = self
                .title
                .chars()
                .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
                .collect();
            let file = Path::new(&folder).join(format!("{name}.svg"));
            if let Err(error) = std::fs::write(&file, self.svg()) {
                eprintln!("{}: {error}", file.display());
            }
        }
    }

    /// The series on logarithmic axes.
    fn svg(&self) -> String {
        const WIDTH: f64 = 560.0;
        const HEIGHT: f64 = 280.0;
        const LEFT: f64 = 80.0;
        const BOTTOM: f64 = 50.0;
        let logs: Vec<(f64, f64)> = self
            .points
            .iter()
            .map(|(n, y)| ((*n as f64).log10(), y.max(1e-3).log10()))
            .collect();
        let bounds = |values: &mut dyn Iterator<Item = f64>| {
            let (low, high) = values.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
            (low.floor(), high.ceil().max(low.floor() + 1.0))
        };
        let (x0, x1) = bounds(&mut logs.iter().map(|p| p.0));
        let (y0, y1) = bounds(&mut logs.iter().map(|p| p.1));
        let place = |x: f64, y: f64| {
            (
                LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - 20.0),
                HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - BOTTOM - 40.0),
            )
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"20\">{} (order {:.2})</text>\n",
            self.title,
            self.order()
        );
        let mut x = x0;
        while x <= x1 {
            let (px, py) = place(x, y0);
            let (_, top) = place(x, y1);
            let _ = writeln!(
                svg,
                "<path d=\"M{px:.1} {py:.1}V{top:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{px:.1}\" y=\"{:.1}\" text-anchor=\"middle\">1e{x}</text>",
                py + 18.0
            );
            x += 1.0;
        }
        let mut y = y0;
        while y <= y1 {
            let (px, py) = place(x0, y);
            let (right, _) = place(x1, y);
            let _ = writeln!(
                svg,
                "<path d=\"M{px:.1} {py:.1}H{right:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">1e{y} {}</text>",
                px - 6.0,
                py + 4.0,
                self.unit
            );
            y += 1.0;
        }
        let line: Vec<String> = logs
            .iter()
            .map(|(x, y)| {
                let (x, y) = place(*x, *y);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#06c\" stroke-width=\"2\"/>\n\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n</svg>",
            line.join(" "),
            WIDTH / 2.0,
            HEIGHT - 10.0,
            self.size
        );
        svg
    }
}
