//! Shapes and colours of all icons.

use super::icon::Fill::{self, Ink, Own, Shade, Tint};
use super::icon::Form::{Disc, Path, Rect, Ring};
use super::icon::Icon;

/// Fallback icon for an unknown name.
pub const FIRST: &Icon = &ICONS[0];

const BLACK: Fill = Ink([35, 35, 40]);
const GRAY: Fill = Ink([150, 155, 160]);
const WHITE: Fill = Ink([245, 245, 240]);
const GLASS: Fill = Ink([190, 225, 240]);
const WOOD: Fill = Ink([125, 82, 45]);
const LEAF: Fill = Ink([62, 135, 62]);
const CREAM: Fill = Ink([240, 228, 205]);
const YELLOW: Fill = Ink([250, 205, 60]);

/// Declares [`ICONS`]: the shapes of each icon back to front, one per line with its fill.
macro_rules! icons {
    ($($name:literal { $($fill:ident $form:ident $values:tt;)* })*) => {
        /// All icons, in the order of their class numbers.
        pub const ICONS: &[Icon] = &[$(Icon {
            name: $name,
            parts: &[$(($fill, $form $values)),*],
        },)*];
    };
}

icons! {
    "car" {
        Own Path("M1 17 L1 13 Q1 11 4 10.5 L7 6.5 Q8 5 10 5 L15 5 Q17 5 18 6.5 L20 10.5 Q23 11 23 14 L23 17 Z");
        GLASS Path("M6.2 10.5 L8.4 7.2 Q9 6.5 10 6.5 L11.5 6.5 L11.5 10.5 Z M12.8 6.5 L15 6.5 Q16.2 6.5 16.8 7.5 L18.3 10.5 L12.8 10.5 Z");
        BLACK Disc(6.0, 17.0, 2.8);
        BLACK Disc(18.0, 17.0, 2.8);
        GRAY Disc(6.0, 17.0, 1.2);
        GRAY Disc(18.0, 17.0, 1.2);
    }
    "bus" {
        Own Path("M1 18 L1 5 Q1 3 3 3 L21 3 Q23 3 23 5 L23 18 Z");
        GLASS Path("M2.5 5.5 h4 v5 h-4 Z M7.7 5.5 h4 v5 h-4 Z M12.9 5.5 h4 v5 h-4 Z M18.1 5.5 h4 v7 h-4 Z");
        Shade Rect(1.0, 13.0, 23.0, 14.2);
        BLACK Disc(6.0, 18.5, 2.4);
        BLACK Disc(18.0, 18.5, 2.4);
        GRAY Disc(6.0, 18.5, 1.0);
        GRAY Disc(18.0, 18.5, 1.0);
    }
    "bicycle" {
        BLACK Ring(5.5, 16.0, 5.0, 4.1);
        BLACK Ring(18.5, 16.0, 5.0, 4.1);
        Own Path("M5 15.6 L8.6 8 L9.8 8.4 L6 16.4 Z M8.5 8.8 L16.6 8.8 L16.6 10 L8.5 10 Z M8.6 9.2 L9.8 8.6 L13 16 L11.8 16.6 Z M5.5 15.4 L12.4 15.4 L12.4 16.6 L5.5 16.6 Z M16 9 L17 9.6 L12.8 16.6 L11.8 16 Z M15.4 5.6 L16.7 5.4 L19.1 16 L17.9 16.2 Z");
        BLACK Rect(6.8, 6.8, 11.0, 8.2);
        BLACK Path("M14 4.6 L18.8 4.6 L18.8 5.8 L14 5.8 Z");
    }
    "house" {
        Tint Rect(4.0, 11.0, 20.0, 22.0);
        Own Path("M12 2 L23 12 L1 12 Z");
        WOOD Rect(10.0, 15.0, 14.0, 22.0);
        GLASS Rect(5.5, 14.0, 8.5, 17.5);
        GLASS Rect(15.5, 14.0, 18.5, 17.5);
    }
    "tree" {
        WOOD Rect(10.5, 13.0, 13.5, 23.0);
        LEAF Disc(12.0, 6.0, 5.0);
        LEAF Disc(7.0, 10.5, 5.0);
        LEAF Disc(17.0, 10.5, 5.0);
        LEAF Disc(12.0, 11.5, 5.0);
    }
    "fish" {
        Own Path("M1 12 Q8 3 17 11 L23 6 L22 12 L23 18 L17 13 Q8 21 1 12 Z");
        Shade Path("M9 6.5 Q11 3 14.5 4.5 L13.5 8 Z M8 12 L12 10.5 L12 14 Z");
        WHITE Disc(5.0, 11.0, 1.4);
        BLACK Disc(5.0, 11.0, 0.8);
    }
    "bird" {
        YELLOW Path("M1 8 L5.5 6.2 L5.5 9.4 Z M11 18 L10 22 L11 22 L12 18 Z M14 18 L14 22 L15 22 L15 18 Z");
        Own Path("M4 8 Q4 3 8.5 3 Q12 3 13 7 Q20 8 23 15 L18 15 Q16 19 12 19 Q5 19 4 8 Z");
        Shade Path("M10 10 Q17 9 19 14 Q13 17 10 10 Z");
        WHITE Disc(7.5, 6.5, 1.3);
        BLACK Disc(7.5, 6.5, 0.7);
    }
    "mug" {
        Own Path("M3 5 L17 5 L17 19 Q17 21 15 21 L5 21 Q3 21 3 19 Z M3 5");
        Own Path("M16 8 L19 8 Q22 8 22 11 L22 14 Q22 17 19 17 L16 17 L16 14.8 L19 14.8 Q19.8 14.8 19.8 14 L19.8 11 Q19.8 10.2 19 10.2 L16 10.2 Z");
        Shade Path("M3 5 Q10 7.5 17 5 Q10 3 3 5 Z");
    }
    "chair" {
        Own Rect(5.0, 2.0, 7.5, 23.0);
        Own Rect(5.0, 12.0, 19.0, 14.8);
        Own Rect(16.5, 14.0, 19.0, 23.0);
        Tint Rect(7.5, 3.0, 9.0, 12.0);
        Shade Rect(7.5, 18.0, 16.5, 19.2);
    }
    "lamp" {
        Own Path("M8 2 L16 2 L20 11 L4 11 Z");
        YELLOW Path("M6 11 L18 11 L17 12.4 L7 12.4 Z");
        GRAY Rect(11.2, 12.0, 12.8, 21.0);
        Shade Path("M7 22.5 Q7 20 12 20 Q17 20 17 22.5 Z");
    }
    "umbrella" {
        BLACK Path("M11.4 1 h1.2 v3 h-1.2 Z M11.4 12 h1.2 v8 q0 3 -2.8 3 q-2.8 0 -2.8 -2.8 h1.3 q0 1.5 1.5 1.5 q1.5 0 1.5 -1.7 Z");
        Own Path("M1 13 Q1 3 12 3 Q23 3 23 13 Q21 11 19.3 11 Q17.6 11 16 13 Q14 11 12 11 Q10 11 8 13 Q6.4 11 4.7 11 Q3 11 1 13 Z");
        Shade Path("M12 3 Q7 6 8 13 Q10 11 12 11 Z M12 3 Q17 6 16 13 Q14 11 12 11 Z");
    }
    "sailboat" {
        WOOD Rect(11.2, 1.0, 12.4, 18.0);
        Own Path("M12.8 2 Q20 9 20.5 16 L12.8 16 Z");
        Tint Path("M10.8 5 Q5 11 4 16 L10.8 16 Z");
        WOOD Path("M1 17.5 L23 17.5 Q21 22.5 17 22.5 L7 22.5 Q3 22.5 1 17.5 Z");
    }
    "apple" {
        Own Path("M12 7 Q15 4.5 18.5 5.5 Q22 7 22 12 Q21 22 15.5 22.5 Q13.5 22.5 12 21.5 Q10.5 22.5 8.5 22.5 Q3 22 2 12 Q2 7 5.5 5.5 Q9 4.5 12 7 Z");
        WOOD Path("M11.4 7.5 Q11 4 13.4 1.6 L14.6 2.4 Q12.7 4.5 12.8 7.5 Z");
        LEAF Path("M13 5 Q15 1.5 19.5 2.5 Q17.5 6 13 5 Z");
    }
    "clock" {
        Own Disc(12.0, 12.0, 11.0);
        WHITE Disc(12.0, 12.0, 9.0);
        BLACK Path("M11.3 5 h1.4 v7.5 h-1.4 Z M11.5 11.3 L17.3 14 L16.8 15.2 L11.3 12.7 Z M11.4 3.4 h1.2 v1.2 h-1.2 Z M11.4 19.4 h1.2 v1.2 h-1.2 Z M3.4 11.4 h1.2 v1.2 h-1.2 Z M19.4 11.4 h1.2 v1.2 h-1.2 Z");
    }
    "mushroom" {
        CREAM Path("M9 12 L15 12 Q15 18 16.5 22 L7.5 22 Q9 18 9 12 Z");
        Own Path("M1 13.5 Q2 2 12 2 Q22 2 23 13.5 Q12 16 1 13.5 Z");
        WHITE Disc(8.0, 7.0, 1.8);
        WHITE Disc(15.0, 5.8, 1.5);
        WHITE Disc(18.0, 10.8, 1.6);
        WHITE Disc(11.5, 11.3, 1.5);
        WHITE Disc(4.9, 11.2, 1.2);
    }
    "kite" {
        Own Path("M12 1 L20 9 L12 19 L4 9 Z");
        Tint Path("M12 1 L20 9 L12 9 Z M4 9 L12 9 L12 19 Z");
        BLACK Path("M11.6 18.5 Q14 21 11.5 23.5 L12.3 23.8 Q15.4 21 12.4 18.5 Z");
    }
    "butterfly" {
        Own Path("M12 11 Q6 1 1.5 4 Q-0.5 11 11.5 13 Z M12 11 Q18 1 22.5 4 Q24.5 11 12.5 13 Z");
        Shade Path("M11.5 13 Q2 13 4.5 19.5 Q9 22.5 11.8 14 Z M12.5 13 Q22 13 19.5 19.5 Q15 22.5 12.2 14 Z");
        BLACK Path("M11.3 8 Q12 7 12.7 8 L12.6 19 Q12 20.5 11.4 19 Z");
    }
    "airplane" {
        Own Path("M12 1 Q13.5 2 13.5 5 L13.5 8.5 L23 14 L23 16.2 L13.5 13.5 L13.2 18.5 L16.3 21 L16.3 22.6 L12 21.4 L7.7 22.6 L7.7 21 L10.8 18.5 L10.5 13.5 L1 16.2 L1 14 L10.5 8.5 L10.5 5 Q10.5 2 12 1 Z");
        GLASS Path("M11 4.5 Q12 3 13 4.5 L13 6 L11 6 Z");
    }
    "key" {
        Own Ring(6.5, 8.0, 5.5, 2.6);
        Own Path("M10 9.5 L11.6 7.8 L22.5 18.7 L22.5 21.5 L20.5 21.5 L19 20 L17.6 21.4 L16.2 20 L17.6 18.6 L16.2 17.2 L14.4 19 L13 17.6 L14.8 15.8 Z");
    }
    "cat" {
        Own Path("M4 9 L4 1.5 L9 5.5 Q12 4.8 15 5.5 L20 1.5 L20 9 Q22 12 21.5 15 Q20 22 12 22 Q4 22 2.5 15 Q2 12 4 9 Z");
        Tint Path("M5.3 7 L5.3 4 L7.5 6 Z M18.7 7 L18.7 4 L16.5 6 Z");
        WHITE Disc(8.0, 12.0, 2.2);
        WHITE Disc(16.0, 12.0, 2.2);
        BLACK Disc(8.0, 12.0, 1.1);
        BLACK Disc(16.0, 12.0, 1.1);
        BLACK Path("M10.8 15.5 L13.2 15.5 L12 17 Z M8.5 18.2 Q10.5 19.8 12 18 Q13.5 19.8 15.5 18.2 L15.5 18.9 Q13.3 20.4 12 19 Q10.7 20.4 8.5 18.9 Z");
    }
}
