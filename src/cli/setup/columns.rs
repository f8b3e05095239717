//! Many short texts, numbered, in as many columns as the terminal has room for.

use unicode_width::UnicodeWidthStr;

/// Columns of the terminal where it does not tell.
const USUAL_WIDTH: usize = 80;

/// Blanks between two columns.
const GAP: usize = 3;

/// The texts as lines, numbered from 1, down the first column and then the next.
pub fn numbered(texts: &[String], width: Option<usize>) -> String {
    let digits = texts.len().to_string().len();
    let widest = texts.iter().map(|text| text.width()).max().unwrap_or(0);
    let column = digits + 2 + widest;
    let width = width.unwrap_or(USUAL_WIDTH);
    let columns = ((width + GAP) / (column + GAP)).max(1);
    let rows = texts.len().div_ceil(columns);
    let mut lines = String::new();
    for row in 0..rows {
        let mut line = String::new();
        for (position, text) in texts.iter().enumerate().skip(row).step_by(rows) {
            let padding = widest - text.width() + GAP;
            line.push_str(&format!("{:>digits$}) {text}", position + 1));
            line.push_str(&" ".repeat(padding));
        }
        lines.push_str(line.trim_end());
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &str, width: usize) -> String {
        let texts: Vec<_> = texts.split(' ').map(str::to_owned).collect();
        numbered(&texts, Some(width))
    }

    #[test]
    fn columns_are_read_downwards() {
        assert_eq!(
            of("gpt-5 gpt-5-mini o4 large", 40),
            "1) gpt-5        3) o4\n2) gpt-5-mini   4) large\n"
        );
        assert_eq!(of("a b c", 80), "1) a   2) b   3) c\n");
        assert_eq!(of("a b c", 5), "1) a\n2) b\n3) c\n");
        assert_eq!(
            of("a b c d e f g h i j", 20),
            " 1) a    6) f\n 2) b    7) g\n 3) c    8) h\n 4) d    9) i\n 5) e   10) j\n"
        );
        assert_eq!(of("語 b", 80), "1) 語   2) b\n");
        assert_eq!(numbered(&[], None), "");
    }
}
