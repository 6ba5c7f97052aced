use super::kmeans::{divide, nearest, silhouette};
use super::principal::axes;
use super::*;
use base::job::FOR_GOOD;

/// Returns 30 vectors of length one: ten around each of three directions.
fn planted() -> Vec<Vec<f32>> {
    let one = |at: usize| {
        let mut code = [0.0_f32; 3];
        code[at / 10] = 1.0;
        code[(at / 10 + 1) % 3] = (at % 10) as f32 / 50.0;
        let norm = code.iter().map(|value| value * value).sum::<f32>().sqrt();
        code.iter().map(|value| value / norm).collect()
    };
    (0..30).map(one).collect()
}

fn slices(vectors: &[Vec<f32>]) -> Vec<&[f32]> {
    vectors.iter().map(Vec::as_slice).collect()
}

#[test]
fn directions_are_told_apart_and_their_number_is_found() {
    let vectors = planted();
    let vectors = slices(&vectors);
    let (centers, fit) = best(&vectors, None, &FOR_GOOD);
    assert_eq!(centers.len(), 3);
    assert!(fit.unwrap() > 0.95, "{fit:?}");
    let groups: Vec<usize> = vectors
        .iter()
        .map(|code| nearest(&centers, code).at)
        .collect();
    for part in groups.chunks(10) {
        assert!(part.iter().all(|group| *group == part[0]), "{groups:?}");
    }
    assert!(groups[0] != groups[10] && groups[10] != groups[20] && groups[0] != groups[20]);
    let two = silhouette(&vectors, &divide(&vectors, 2)).unwrap();
    assert!(two < fit.unwrap(), "{two}");
}

#[test]
fn equal_vectors_are_one_group() {
    let vectors = vec![vec![0.6, 0.8]; 20];
    let vectors = slices(&vectors);
    let centers = divide(&vectors, 4);
    assert_eq!(centers.len(), 1);
    assert_eq!(silhouette(&vectors, &centers), None);
}

#[test]
fn axes_are_those_of_the_largest_variance() {
    // Sums of squares: 9 + 9 along the first axis, 1 + 1 along the second.
    let vectors = [[8.0, 5.0], [2.0, 5.0], [5.0, 6.0], [5.0, 4.0]].map(Vec::from);
    let found = axes(&slices(&vectors), &FOR_GOOD);
    let is_near = |a: f64, b: f64| (a - b).abs() < 1e-9;
    assert!(is_near(found.shares[0], 0.9) && is_near(found.shares[1], 0.1));
    let expected = [[3.0, 0.0], [-3.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
    for (place, expected) in found.places.iter().zip(expected) {
        assert!(
            is_near(place[0], expected[0]) && is_near(place[1], expected[1]),
            "{:?}",
            found.places
        );
    }
    let flat = vec![vec![1.0, 2.0]; 3];
    let found = axes(&slices(&flat), &FOR_GOOD);
    assert_eq!((found.places, found.shares), (vec![[0.0; 2]; 3], [0.0; 2]));
    assert_eq!(axes(&[], &FOR_GOOD).places, [[0.0; 2]; 0]);
}
