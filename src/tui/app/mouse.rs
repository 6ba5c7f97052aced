//! Handles the mouse. A click moves the cursor; a second click on the same item opens it. The wheel
//! scrolls, and the key line is clickable.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::App;
use crate::action::Action;
use crate::change::Change;
use crate::effect::Effect;
use crate::screen;

impl App {
    /// Handles a mouse event, with the positions of the last frame.
    pub fn on_mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll(Action::Up),
            MouseEventKind::ScrollDown => self.scroll(Action::Down),
            MouseEventKind::Down(MouseButton::Left) => {
                self.dirty = true;
                self.untouched = false;
                self.shared.notice = None;
                if self.popups.is_empty() {
                    self.click(mouse.column, mouse.row)
                } else {
                    self.click_popup(mouse.column, mouse.row)
                }
            }
            MouseEventKind::Drag(MouseButton::Left) if self.popups.is_empty() => {
                self.dirty = true;
                let (shared, body) = (&self.shared, self.drawn.body);
                let view = self.views.get_mut(shared.view);
                view.drag(shared, body, (mouse.column, mouse.row));
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Handles a click on a tab, on the key line, or in the view.
    fn click(&mut self, x: u16, y: u16) -> Vec<Effect> {
        let (shared, screen) = (&self.shared, self.drawn.screen);
        if let Some(view) = screen::view_at(shared, &self.views, screen, (x, y)) {
            return self.go(view);
        }
        if let Some(action) = screen::action_at(shared, &self.views, screen, (x, y)) {
            return self.act(action);
        }
        if let Some(step) = screen::step_at(shared, screen, (x, y)) {
            let lens = shared.lens.up_to(step);
            return self.apply(vec![Change::Narrow(lens)]);
        }
        let beside = self.drawn.beside.as_ref();
        let beside = beside.filter(|(area, _)| area.contains(Position { x, y }));
        let changes = if let Some((area, _)) = beside {
            screen::click_list(shared, *area, (x, y))
        } else {
            let view = self.views.get_mut(shared.view);
            view.click(shared, self.drawn.body, (x, y))
        };
        self.apply(changes)
    }

    /// Handles a click while a popup is open. A click on a list row selects the row; a click
    /// outside closes the popup.
    fn click_popup(&mut self, x: u16, y: u16) -> Vec<Effect> {
        let place = self.drawn.popups.last().map(|(place, _)| *place);
        let place = place.filter(|place| place.contains(Position { x, y }));
        let (Some(place), Some(popup)) = (place, self.popups.last_mut()) else {
            return self.apply(vec![Change::Close]);
        };
        let (line, height) = (usize::from(y - place.y), usize::from(place.height));
        let changes = popup.overlay_mut().click(&self.shared, line, height);
        self.apply(changes)
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
