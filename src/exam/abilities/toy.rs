//! Toys made of blocks, rendered from any viewpoint.

use super::canvas::{Canvas, Ink, mixed};

/// A block of one colour; x points to the right of the toy, y ahead, z up.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Corner with the smallest coordinates.
    pub from: [f64; 3],
    /// Corner with the largest coordinates.
    pub to: [f64; 3],
    /// Colour before shading.
    pub ink: Ink,
}

/// A viewpoint on a toy. Angles are in radians.
#[derive(Clone, Copy, Debug)]
pub struct Viewpoint {
    /// 0: the toy faces the camera; a quarter turn: it faces the right edge of the picture.
    pub yaw: f64,
    /// Elevation of the camera; a quarter turn: straight above.
    pub pitch: f64,
    /// Pixels per unit.
    pub scale: f64,
    /// Picture position of the centre of the toy's base.
    pub middle: (f64, f64),
    /// Width of the edges in pixels.
    pub edge: f64,
}

impl Viewpoint {
    /// Rotates a point to camera axes: right, up, towards the camera.
    fn seen(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (sine, cosine) = self.yaw.sin_cos();
        // At yaw 0 the toy's front points at the camera, and its right is the picture's left.
        let (right, near) = (y * sine - x * cosine, y * cosine + x * sine);
        let (up, level) = self.pitch.sin_cos();
        [right, z * level - near * up, near * level + z * up]
    }

    fn pixel(&self, point: [f64; 3]) -> (f64, f64) {
        let [right, up, _] = self.seen(point);
        (
            self.middle.0 + right * self.scale,
            self.middle.1 - up * self.scale,
        )
    }
}

/// A block's faces: four corners as bits (x, y, z), outward direction, lightness.
const FACES: [([u8; 4], [f64; 3], f64); 6] = [
    ([0b000, 0b010, 0b011, 0b001], [0.0, 0.0, -1.0], 0.45),
    ([0b100, 0b110, 0b111, 0b101], [0.0, 0.0, 1.0], 1.0),
    ([0b000, 0b001, 0b101, 0b100], [0.0, -1.0, 0.0], 0.72),
    ([0b010, 0b011, 0b111, 0b110], [0.0, 1.0, 0.0], 0.86),
    ([0b000, 0b010, 0b110, 0b100], [-1.0, 0.0, 0.0], 0.6),
    ([0b001, 0b011, 0b111, 0b101], [1.0, 0.0, 0.0], 0.78),
];

/// Draws blocks, farther ones first.
pub fn draw(canvas: &mut Canvas, blocks: &[Block], viewpoint: &Viewpoint) {
    let mut left: Vec<&Block> = blocks.iter().collect();
    // Repeatedly draws a block that hides no other remaining block.
    while !left.is_empty() {
        let first = (0..left.len())
            .find(|&at| {
                let block = left.get(at).copied();
                left.iter().enumerate().all(|(other, behind)| {
                    other == at || block.is_some_and(|block| !hides(behind, block, viewpoint))
                })
            })
            .unwrap_or(0);
        face(canvas, left.remove(first), viewpoint);
    }
}

/// Returns true if `behind` must be drawn before `block`: an axis-aligned plane separates them with
/// the camera on the side of `block`, and no plane separates them the other way.
fn hides(behind: &Block, block: &Block, viewpoint: &Viewpoint) -> bool {
    let sides: Vec<bool> = (0..3)
        .filter_map(|axis| {
            let unit = std::array::from_fn(|at| f64::from(u8::from(at == axis)));
            let [_, _, toward] = viewpoint.seen(unit);
            let part = |corner: &[f64; 3]| corner[axis];
            let below = part(&behind.to) <= part(&block.from) + 1e-9;
            let above = part(&behind.from) >= part(&block.to) - 1e-9;
            (toward.abs() > 1e-9 && below != above).then_some(below == (toward > 0.0))
        })
        .collect();
    !sides.is_empty() && sides.iter().all(|farther| *farther)
}

fn face(canvas: &mut Canvas, block: &Block, viewpoint: &Viewpoint) {
    for (corners, outward, light) in FACES {
        let [_, _, toward] = viewpoint.seen(outward);
        if toward <= 1e-6 {
            continue;
        }
        let corner = |bits: u8| {
            let pick = |axis: usize, bit: u8| {
                let end = if bits & bit == 0 {
                    block.from
                } else {
                    block.to
                };
                end[axis]
            };
            viewpoint.pixel([pick(0, 0b001), pick(1, 0b010), pick(2, 0b100)])
        };
        let points = corners.map(corner);
        let ink = mixed([0; 3], block.ink, light);
        canvas.polygon(&points, ink);
        let [a, b, c, d] = points;
        canvas.line(&[a, b, c, d, a], viewpoint.edge, mixed(ink, [0; 3], 0.35));
    }
}

/// Name of a toy, and its blocks in a given colour.
pub type Toy = (&'static str, fn(Ink) -> Vec<Block>);

/// All toys, in the order of class numbers.
pub const TOYS: [Toy; 4] = [
    ("toy car", car),
    ("toy truck", truck),
    ("toy plane", plane),
    ("chair", chair),
];

const fn block(from: [f64; 3], to: [f64; 3], ink: Ink) -> Block {
    Block { from, to, ink }
}

const WHEEL: Ink = [45, 45, 50];
const GLASS: Ink = [150, 205, 235];
const LIGHT: Ink = [255, 240, 150];
const TAIL: Ink = [150, 30, 45];

fn wheels(blocks: &mut Vec<Block>, half: f64, places: [f64; 2]) {
    for y in places {
        for (from, to) in [(-half - 0.08, -half), (half, half + 0.08)] {
            blocks.push(block([from, y - 0.22, 0.0], [to, y + 0.22, 0.42], WHEEL));
        }
    }
}

fn lamps(blocks: &mut Vec<Block>, half: f64, (back, front): (f64, f64), z: f64) {
    for x in [-half + 0.04, half - 0.24] {
        blocks.push(block(
            [x, front, z],
            [x + 0.2, front + 0.05, z + 0.16],
            LIGHT,
        ));
        blocks.push(block([x, back - 0.05, z], [x + 0.2, back, z + 0.16], TAIL));
    }
}

fn car(ink: Ink) -> Vec<Block> {
    let mut blocks = vec![
        block([-0.55, -1.1, 0.2], [0.55, 1.1, 0.6], ink),
        block(
            [-0.48, -0.95, 0.6],
            [0.48, 0.3, 1.0],
            mixed(ink, [255; 3], 0.2),
        ),
        block([-0.42, 0.3, 0.64], [0.42, 0.36, 0.96], GLASS),
        block([-0.52, -0.7, 0.66], [-0.48, 0.15, 0.92], GLASS),
        block([0.48, -0.7, 0.66], [0.52, 0.15, 0.92], GLASS),
    ];
    wheels(&mut blocks, 0.55, [-0.65, 0.65]);
    lamps(&mut blocks, 0.55, (-1.1, 1.1), 0.36);
    blocks
}

fn truck(ink: Ink) -> Vec<Block> {
    let mut blocks = vec![
        block([-0.5, -1.2, 0.2], [0.5, 1.2, 0.36], [90, 90, 95]),
        block([-0.55, -1.2, 0.36], [0.55, 0.4, 1.25], [225, 222, 215]),
        block([-0.5, 0.5, 0.36], [0.5, 1.2, 1.0], ink),
        block([-0.42, 1.2, 0.66], [0.42, 1.25, 0.94], GLASS),
        block([-0.54, 0.66, 0.66], [-0.5, 1.05, 0.92], GLASS),
        block([0.5, 0.66, 0.66], [0.54, 1.05, 0.92], GLASS),
    ];
    wheels(&mut blocks, 0.5, [-0.75, 0.75]);
    lamps(&mut blocks, 0.5, (-1.2, 1.2), 0.4);
    blocks
}

fn plane(ink: Ink) -> Vec<Block> {
    vec![
        block([-0.18, -1.1, 0.3], [0.18, 1.0, 0.66], ink),
        block([-0.1, 1.0, 0.38], [0.1, 1.2, 0.58], LIGHT),
        block(
            [-1.3, -0.05, 0.36],
            [-0.18, 0.45, 0.44],
            mixed(ink, [255; 3], 0.35),
        ),
        block(
            [0.18, -0.05, 0.36],
            [1.3, 0.45, 0.44],
            mixed(ink, [255; 3], 0.35),
        ),
        block(
            [-0.55, -1.1, 0.5],
            [-0.18, -0.8, 0.57],
            mixed(ink, [255; 3], 0.35),
        ),
        block(
            [0.18, -1.1, 0.5],
            [0.55, -0.8, 0.57],
            mixed(ink, [255; 3], 0.35),
        ),
        block([-0.05, -1.1, 0.66], [0.05, -0.75, 1.05], ink),
        block([-0.13, 0.45, 0.66], [0.13, 0.8, 0.82], GLASS),
    ]
}

fn chair(ink: Ink) -> Vec<Block> {
    let leg = mixed(ink, [0; 3], 0.35);
    let mut blocks = vec![
        block([-0.55, -0.45, 0.6], [0.55, 0.6, 0.75], ink),
        block(
            [-0.55, -0.6, 0.6],
            [0.55, -0.45, 1.65],
            mixed(ink, [255; 3], 0.25),
        ),
    ];
    for x in [-0.55, 0.4] {
        for y in [-0.6, 0.45] {
            blocks.push(block([x, y, 0.0], [x + 0.15, y + 0.15, 0.6], leg));
        }
    }
    blocks
}
