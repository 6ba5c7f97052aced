//! Compares sums from two sources.

use std::collections::BTreeMap;

use eyechart::analysis::{Cell, MeasureSums, Statistic};
use serde_json::Value;

/// All cells of a measure and model, in an order that does not depend on codes.
pub type Cells = BTreeMap<(String, String), Vec<Cell>>;

/// Groups sums by measure and model.
pub fn by_name(sums: &[MeasureSums], models: &[String]) -> Cells {
    let mut found = Cells::new();
    for sum in sums {
        let rules: Vec<_> = sum.rules.values().flatten().collect();
        // For sums that need rows, only the fact that they need rows is compared.
        let statistic = if sum.of_rows {
            Statistic::Mean
        } else {
            sum.statistic
        };
        let bare = MeasureSums {
            statistic,
            cells: Vec::new(),
            rules: BTreeMap::new(),
            ..sum.clone()
        };
        for cell in &sum.cells {
            let key = (
                format!("{bare:?} {:?}", rules.first()),
                models[usize::from(cell.model)].clone(),
            );
            found.entry(key).or_default().push(Cell {
                part: 0,
                model: 0,
                cluster: 0,
                ..*cell
            });
        }
    }
    for cells in found.values_mut() {
        cells.sort_by(|a, b| {
            let keys =
                [a, b].map(|cell| (cell.items, cell.n, cell.right, cell.invalid, cell.others));
            keys[0].cmp(&keys[1]).then(a.sum.total_cmp(&b.sum))
        });
    }
    found
}

/// Asserts that counts are equal, and sums within 1e-9.
pub fn assert_same(found: &Cells, expected: &Cells) {
    assert_eq!(
        found.keys().collect::<Vec<_>>(),
        expected.keys().collect::<Vec<_>>()
    );
    for (key, expected) in expected {
        let found = &found[key];
        assert_eq!(found.len(), expected.len(), "{key:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!((found.sum - expected.sum).abs() < 1e-9, "{key:?}");
            let rounded = |cell: &Cell| Cell { sum: 0.0, ..*cell };
            assert_eq!(rounded(found), rounded(expected), "{key:?}");
        }
    }
}

/// Asserts that two JSON values are equal, fractions within 1e-9.
pub fn assert_near(found: &Value, expected: &Value) {
    match (found, expected) {
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).for_each(|(a, b)| assert_near(a, b));
        }
        (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
            a.values()
                .zip(b.values())
                .for_each(|(a, b)| assert_near(a, b));
        }
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            let [a, b] = [a, b].map(|number| number.as_f64().unwrap());
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
        (a, b) => assert_eq!(a, b),
    }
}
