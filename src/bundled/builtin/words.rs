//! What the agent tells the model besides what the role is told. Pure.

use std::path::Path;

use crate::bundled::kit::Case;

/// Turns before the last at which the model is warned.
pub const WARNED_BEFORE: usize = 3;

/// Said to a text that is no answer, for it has no block.
pub const NO_BLOCK: &str = "\
That was neither a call of a tool nor the answer. Go on with the tools if there is work left. If \
there is none, give the answer now, whole: it begins with the block of fields between two lines \
`---`, as you were told.";

/// Said when nothing came.
pub const NOTHING: &str = "\
Nothing came from you. Go on with the tools if there is work left. If there is none, give the \
answer now, whole: it begins with the block of fields between two lines `---`, as you were told.";

/// Said when the service ended the text.
pub const TOO_LONG: &str = "\
That was longer than you can say at once, and was cut off. Say it again, whole and much shorter: \
leave out what can be read in the files, and write long texts with several calls of a tool.";

/// Said when few turns are left.
pub const LAST_TURNS: &str = "\
Three turns are left to you. Bring the work to an end, and then give the answer: it begins with \
the block of fields between two lines `---`, as you were told. If something remains undone, say so \
in it.";

/// The result of a call that nobody waited for.
pub const UNKNOWN_OUTCOME: &str = "interrupted, its outcome is not known";

/// What holds for all turns of the role: the same text in each of them.
pub fn standing(case: &Case<'_>, cwd: &Path) -> String {
    format!(
        "{}## Tools\n\nYou work in the folder `{}`; a path that is not absolute begins there. Use \
         the tools to look and to act, and call several at once where none needs the result of \
         another. Nobody reads what you say between calls, and nobody can answer a question. When \
         the work is done, answer without a call.\n",
        case.standing(),
        cwd.display()
    )
}
