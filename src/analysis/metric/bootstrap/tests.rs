//! Tests the bootstrap against closed forms and for reproducibility.

use super::*;
use crate::metric::real;
use base::job::FOR_GOOD;

/// Clusters with one score in each column, in a fixed, skewed pattern that differs between
/// columns.
fn even(clusters: usize, columns: usize) -> ClusterSums {
    let mut data = ClusterSums::new(columns);
    for index in 0..clusters {
        let cluster = data.push_cluster();
        for column in 0..columns {
            data.add(
                cluster,
                column,
                if (index * 7 + column) % 10 < 3 + column {
                    1.0
                } else {
                    0.25
                },
            );
        }
    }
    data
}

/// Returns every `columns`-th value, starting at `column`.
fn column(means: &[f64], columns: usize, column: usize) -> Vec<f64> {
    means
        .iter()
        .skip(column)
        .step_by(columns)
        .copied()
        .collect()
}

fn mean_and_sd(values: &[f64]) -> (f64, f64) {
    let n = real(values.len() as u64);
    let mean = values.iter().sum::<f64>() / n;
    (
        mean,
        (values
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>()
            / n)
            .sqrt(),
    )
}

#[test]
fn centre_and_spread_follow_the_closed_form() {
    let (clusters, columns, seeds) = (150, 3, 20);
    let data = even(clusters, columns);
    for tested in 0..columns {
        let (mean, sd) = mean_and_sd(&column(&data.sums, columns, tested));
        let error = sd / real(clusters as u64).sqrt();
        let runs: Vec<_> = (0..seeds)
            .map(|seed| {
                mean_and_sd(&column(
                    &bootstrap_means(&data, 1000, seed, &FOR_GOOD),
                    columns,
                    tested,
                ))
            })
            .collect();
        let (centre, spread) = runs
            .iter()
            .fold((0.0, 0.0), |sum, run| (sum.0 + run.0, sum.1 + run.1));
        assert!(
            (centre / real(seeds) - mean).abs() < 0.02 * error,
            "biased centre in column {tested}"
        );
        assert!(
            (spread / real(seeds) / error - 1.0).abs() < 0.05,
            "wrong spread in column {tested}"
        );
        assert!(runs.iter().all(|run| (run.0 - mean).abs() < 0.15 * error));
    }
}

#[test]
fn uneven_clusters_weigh_by_their_scores() {
    let mut data = ClusterSums::new(2);
    for (size, score) in [(1, 1.0), (3, 0.0), (2, 0.5)] {
        let cluster = data.push_cluster();
        for _ in 0..size {
            data.add(cluster, 0, score);
            data.add(cluster, 1, score);
        }
    }
    let means = bootstrap_means(&data, 500, 1, &FOR_GOOD);
    // Means of all 27 ways to draw three of the three clusters.
    let clusters = [(1.0, 1.0), (0.0, 3.0), (1.0, 2.0)];
    let possible: Vec<f64> = (0..27)
        .map(|way| [clusters[way % 3], clusters[way / 3 % 3], clusters[way / 9]])
        .map(|way| {
            way.iter().map(|cluster| cluster.0).sum::<f64>()
                / way.iter().map(|cluster| cluster.1).sum::<f64>()
        })
        .collect();
    for pair in means.chunks_exact(2) {
        assert!(
            possible.iter().any(|mean| (mean - pair[0]).abs() < 1e-12),
            "{pair:?}"
        );
        assert_eq!(
            pair[0].to_bits(),
            pair[1].to_bits(),
            "columns share their clusters"
        );
    }
}

#[test]
fn a_draw_without_a_score_is_nan() {
    let mut data = ClusterSums::new(2);
    for index in 0..2 {
        let cluster = data.push_cluster();
        data.add(cluster, 0, 1.0);
        if index == 0 {
            data.add(cluster, 1, 0.5);
        }
    }
    let means = bootstrap_means(&data, 400, 3, &FOR_GOOD);
    assert!(
        column(&means, 2, 0)
            .iter()
            .all(|mean| (mean - 1.0).abs() < 1e-15)
    );
    let missing = column(&means, 2, 1)
        .iter()
        .filter(|mean| mean.is_nan())
        .count();
    assert!(
        (60..140).contains(&missing),
        "a quarter of the draws, not {missing} of 400"
    );
}

#[test]
fn more_columns_do_not_change_the_first() {
    let narrow = bootstrap_means(&even(100, 2), 50, 9, &FOR_GOOD);
    for columns in [4, 8, 12, 13, 30] {
        let wide = bootstrap_means(&even(100, columns), 50, 9, &FOR_GOOD);
        assert_eq!(
            column(&narrow, 2, 1),
            column(&wide, columns, 1),
            "{columns} columns"
        );
    }
}

#[test]
fn a_seed_gives_one_result() {
    let data = even(70, 5);
    assert_eq!(
        bootstrap_means(&data, 20, 4, &FOR_GOOD),
        bootstrap_means(&data, 20, 4, &FOR_GOOD)
    );
    assert_ne!(
        bootstrap_means(&data, 20, 4, &FOR_GOOD),
        bootstrap_means(&data, 20, 5, &FOR_GOOD)
    );
}

#[test]
fn nothing_to_draw_from_gives_nan_or_nothing() {
    assert!(
        bootstrap_means(&ClusterSums::new(2), 3, 1, &FOR_GOOD)
            .iter()
            .all(|mean| mean.is_nan())
    );
    assert!(bootstrap_means(&ClusterSums::new(0), 3, 1, &FOR_GOOD).is_empty());
}
