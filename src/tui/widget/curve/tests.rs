use super::super::testing::{draws_anywhere, lines, screen, theme};
use super::*;

fn points(scores: &[(f64, f64)], half: f64) -> Vec<CurvePoint> {
    scores
        .iter()
        .map(|&(x, y)| CurvePoint {
            x,
            y,
            interval: Some((y - half, y + half)),
            n: 20,
        })
        .collect()
}

fn draw(area: Rect, buffer: &mut Buffer) {
    let first = points(&[(0.1, 0.2), (1.0, 0.5), (10.0, 0.7), (100.0, 0.75)], 0.1);
    let second = points(&[(0.1, 0.1), (100.0, 0.6)], 0.0);
    let series = [
        CurveSeries {
            name: "SigLIP-2",
            points: &first,
        },
        CurveSeries {
            name: "DINOv2",
            points: &second,
        },
    ];
    Curve {
        theme: &theme(),
        x_label: "box area, %",
        y_label: "GIoU ↑",
        spacing: Spacing::Log,
        series: &series,
    }
    .render(area, buffer);
}

#[test]
fn a_log_axis_says_so() {
    assert_eq!(
        lines(&screen(50, 14, draw)),
        [
            "GIoU ↑   A ━━ SigLIP-2   B ╍╍ DINOv2",
            " 0.8┤                                 ⠄ ⠄ ⠄ ⠄ ⠄ ⠄",
            "    │                         ⠄ ⠄⠁⠄⠁⣀⣀⣀⣀⣀⡠⠤⠤⠤⠤⠤⠒⠒",
            "    │                   ⠄ ⠄⠁⠄⣀⡠⠤⠒⠊⠉⠉⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄⠁⠄",
            " 0.6┤               ⠄⠁⠄⢀⣀⠤⠔⠊⠉⠁⠄⠁⠄⠁ ⠁ ⠁ ⠁ ⠁  ⢀⣀ ⠤⠒",
            "    │           ⠄⠁⢀⡠⠔⠒⠉⠁⠄⠁⠄⠁ ⠁        ⣀⡠ ⠒⠒ ⠁",
            " 0.4┤       ⠄⠁⠄⣀⠔⠊⠁⠁⠄⠁⠄⠁        ⣀⠤⠄⠒⠉⠁",
            "    │   ⠄ ⠄⣀⠤⠒⠉⠁⠄⠁ ⠁    ⢀ ⠤⠤ ⠊⠉",
            "    │ ⠄⢀⡠⠒⠉⠁⠄⠁ ⠁  ⣀ ⠤⠒ ⠉⠁",
            " 0.2┤⠔⠊⠁⠄⠁⠄⣀⣀ ⠔⠒ ⠉",
            "    │⣀⠤⠁⠒⠊",
            "    └┬─────────────┬──────────────┬─────────────┬",
            "     0.1           1             10            100",
            "                                box area, % (log)",
        ]
    );
}

#[test]
fn an_interval_of_few_samples_does_not_set_the_scale() {
    let mut points = points(&[(0.0, 0.4), (1.0, 0.5), (2.0, 0.6)], 0.1);
    let high = |points: &[CurvePoint]| {
        let series = [CurveSeries { name: "A", points }];
        let curve = Curve {
            theme: &theme(),
            x_label: "",
            y_label: "",
            spacing: Spacing::Linear,
            series: &series,
        };
        curve.plot(20, 10).y.share(0.7)
    };
    let even = high(&points);
    points[1] = CurvePoint {
        interval: Some((-3.0, 4.0)),
        n: 3,
        ..points[1]
    };
    assert!((high(&points) - even).abs() < 1e-9);
    points[1].n = FEW;
    assert!(high(&points) < even);
}

/// A point without an interval shows its n instead of a band.
#[test]
fn one_sample_does_not_look_certain() {
    let mut one = points(&[(0.0, 0.5), (1.0, 0.5), (2.0, 0.5), (3.0, 0.5)], 0.2);
    one[2] = CurvePoint {
        interval: None,
        n: 1,
        ..one[2]
    };
    let draw = |points: &[CurvePoint]| {
        lines(&screen(50, 14, |area, buffer| {
            let series = [CurveSeries { name: "x", points }];
            Curve {
                theme: &theme(),
                x_label: "",
                y_label: "",
                spacing: Spacing::Linear,
                series: &series,
            }
            .render(area, buffer);
        }))
    };
    let shown = draw(&one);
    assert!(
        shown
            .iter()
            .any(|line| line.contains('○') && line.contains("n 1")),
        "{shown:#?}"
    );
    let shaded = |shown: &[String]| {
        let dots = shown.iter().flat_map(|line| line.chars());
        dots.filter(|sign| ('⠁'..='⣿').contains(sign)).count()
    };
    let sure = points(&[(0.0, 0.5), (1.0, 0.5), (2.0, 0.5), (3.0, 0.5)], 0.2);
    assert!(shaded(&shown) * 2 < shaded(&draw(&sure)), "{shown:#?}");
}

#[test]
fn no_size_is_too_small() {
    draws_anywhere(draw);
    let wild = points(&[(f64::NAN, 1.0), (0.0, f64::INFINITY), (1.0, 2.0)], 1.0);
    for points in [&wild[..], &wild[..1], &[]] {
        let series = [CurveSeries { name: "x", points }];
        draws_anywhere(|area, buffer| {
            Curve {
                theme: &theme(),
                x_label: "",
                y_label: "",
                spacing: Spacing::Log,
                series: &series,
            }
            .render(area, buffer);
        });
    }
}
