//! The mouse: a click moves the cursor, a click on the cursor opens, the wheel scrolls.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Rect, Size};

use super::action::Action;
use super::app::{App, Effect};
use super::screen;

impl App {
    /// The mouse moved or a button was pressed.
    pub fn on_mouse(&mut self, mouse: MouseEvent, size: Size) -> Vec<Effect> {
        let screen = Rect::new(0, 0, size.width, size.height);
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll(Action::Up),
            MouseEventKind::ScrollDown => self.scroll(Action::Down),
            MouseEventKind::Down(MouseButton::Left) => {
                self.dirty = true;
                if self.popups.is_empty() {
                    screen::click(self, screen, mouse.column, mouse.row)
                } else {
                    self.popups.pop();
                    Vec::new()
                }
            }
            _ => Vec::new(),
        }
    }

    fn scroll(&mut self, action: Action) -> Vec<Effect> {
        self.dirty = true;
        let mut effects = Vec::new();
        for _ in 0..3 {
            effects.extend(self.act(action));
        }
        effects
    }
}
