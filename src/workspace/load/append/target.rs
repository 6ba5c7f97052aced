//! Converts targets to numbers.

use record::{Content, Target};

/// Returns the target as a number. With it, relative errors are converted to absolute errors.
pub fn target_number(content: &Content, ability: &str) -> f64 {
    match &content.target {
        Some(Target::Number(number)) => *number,
        Some(Target::Text(_)) => {
            let tag = match ability {
                "counting" => "count",
                "absolute_depth" => "depth_m",
                _ => return f64::NAN,
            };
            content
                .tags
                .get(tag)
                .and_then(record::Value::number)
                .unwrap_or(f64::NAN)
        }
        _ => f64::NAN,
    }
}
