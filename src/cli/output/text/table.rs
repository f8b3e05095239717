//! A list of objects as a table: one row an object, one column a key.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::Look;
use super::cell::Cell;
use crate::cli::output::style::HEADING;

/// Columns between two columns.
const GAP: usize = 2;

/// No column is cut to fewer columns of the terminal: a hash is told whole.
const NARROWEST: usize = 13;

pub struct Table<'a> {
    columns: Vec<Column>,
    rows: Vec<&'a Map<String, Value>>,
}

struct Column {
    heading: Cell,
    cells: Vec<Cell>,
    width: usize,
    is_right: bool,
}

impl<'a> Table<'a> {
    /// The table of a list; none when something in it is no object, or an empty one.
    pub fn of(items: &'a [Value]) -> Option<Self> {
        let rows: Vec<_> = items
            .iter()
            .map(|item| item.as_object().filter(|row| !row.is_empty()))
            .collect::<Option<_>>()?;
        let mut keys: Vec<&str> = Vec::new();
        let mut known = HashMap::new();
        for key in rows.iter().flat_map(|row| row.keys()) {
            known.entry(key.as_str()).or_insert_with(|| keys.push(key));
        }
        let columns = keys.iter().map(|key| Column::of(key, &rows)).collect();
        Some(Self { columns, rows })
    }

    /// Whether the table tells all that the objects hold: each has each key, and no text is of
    /// several lines.
    pub fn loses_nothing(&self) -> bool {
        self.rows.iter().all(|row| {
            row.len() == self.columns.len()
                && row
                    .values()
                    .all(|value| !value.is_string() || Cell::takes_one_line(value))
        })
    }

    /// Columns it takes.
    pub fn width(&self) -> usize {
        let gaps = GAP * self.columns.len().saturating_sub(1);
        self.columns
            .iter()
            .map(|column| column.width)
            .sum::<usize>()
            + gaps
    }

    /// Whether it can be cut to so many columns.
    pub fn can_fit(&self, width: usize) -> bool {
        let gaps = GAP * self.columns.len().saturating_sub(1);
        let cut = self
            .columns
            .iter()
            .map(|column| column.width.min(NARROWEST));
        cut.sum::<usize>() + gaps <= width
    }

    /// The table as lines; what is too wide for the terminal is cut, the widest column first.
    pub fn lines(mut self, look: Look) -> Vec<String> {
        if let Some(width) = look.width {
            self.fit(width);
        }
        let mut lines = vec![self.line(|column| &column.heading, look)];
        lines.extend((0..self.rows.len()).map(|row| self.line(|column| &column.cells[row], look)));
        lines
    }

    fn fit(&mut self, width: usize) {
        loop {
            let excess = self.width().saturating_sub(width);
            let mut by_width: Vec<_> = self.columns.iter_mut().collect();
            by_width.sort_by_key(|column| std::cmp::Reverse(column.width));
            let (Some(widest), next) = (by_width.first(), by_width.get(1)) else {
                return;
            };
            let (widest, next) = (widest.width, next.map_or(0, |column| column.width));
            if excess == 0 || widest <= NARROWEST {
                return;
            }
            // Down to the next widest; among equals, one by one.
            let step = (widest - next).max(1).min(excess);
            by_width[0].width = (widest - step).max(NARROWEST);
        }
    }

    fn line<'t>(&'t self, cell: impl Fn(&'t Column) -> &'t Cell, look: Look) -> String {
        let mut line = String::new();
        let mut pending = 0;
        for column in &self.columns {
            let cell = cell(column).cut(column.width);
            let padding = column.width.saturating_sub(cell.width());
            let (before, after) = if column.is_right {
                (padding, 0)
            } else {
                (0, padding)
            };
            line.push_str(&" ".repeat(pending + before));
            line.push_str(&cell.painted(look.colours));
            // Not written before something follows: no line ends with blanks.
            pending = after + GAP;
        }
        line
    }
}

impl Column {
    fn of(key: &str, rows: &[&Map<String, Value>]) -> Self {
        let heading = Cell::heading(key, HEADING);
        let cells: Vec<_> = rows
            .iter()
            .map(|row| Cell::of(key, row.get(key).unwrap_or(&Value::Null)))
            .collect();
        let width = cells.iter().map(Cell::width).max().unwrap_or(0);
        Self {
            width: width.max(heading.width()),
            is_right: cells.iter().all(Cell::is_number),
            heading,
            cells,
        }
    }
}
