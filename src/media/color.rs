//! Colours of boxes by name.

/// Returns red, green and blue of a colour name in a question; `None` for an unknown name.
pub fn color_named(name: &str) -> Option<[u8; 3]> {
    Some(match name.to_lowercase().as_str() {
        "red" => [230, 40, 40],
        "blue" => [50, 110, 240],
        "green" => [0, 170, 90],
        "yellow" => [240, 220, 50],
        "orange" => [240, 150, 20],
        "white" => [255, 255, 255],
        "black" => [0, 0, 0],
        _ => return None,
    })
}
