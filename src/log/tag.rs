//! The marks by which programs tell entries apart, fixed when the program is compiled.

use serde::Serialize;

/// Eight characters of Crockford's base 32 that stand for one kind of entry. Those that the
/// original has too mean the same there. A tag never changes its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Tag(&'static str);

impl Tag {
    pub const PROCESS_STARTED: Self = Self::literal("W9F3RK2M");
    pub const THREAD_STARTED: Self = Self::literal("7HNQ4B2X");
    pub const ROLE_CHOSEN: Self = Self::literal("M3K8V9T1");
    pub const AGENT_STARTED: Self = Self::literal("R5J2W8N4");
    pub const AGENT_RETURNED: Self = Self::literal("C6P9E3H7");
    pub const THREAD_ARCHIVED: Self = Self::literal("F4D8Q2K5");
    pub const STEP_FAILED: Self = Self::literal("B8T5N1V6");
    /// Ours, as all that follow.
    pub const THREAD_FORKED: Self = Self::literal("X2V7G4S9");
    pub const WORKFLOW_REGISTERED: Self = Self::literal("D6Z3J8Y0");
    pub const CONFIGURATION_CHANGED: Self = Self::literal("S4T7P2N9");

    /// Does not compile when the text is no tag.
    const fn literal(text: &'static str) -> Self {
        assert!(is_tag(text.as_bytes()), "not a tag");
        Self(text)
    }
}

const fn is_tag(text: &[u8]) -> bool {
    let mut position = 0;
    while position < text.len() {
        let is_crockford = matches!(text[position], b'0'..=b'9' | b'A'..=b'Z')
            && !matches!(text[position], b'I' | b'L' | b'O' | b'U');
        if !is_crockford {
            return false;
        }
        position += 1;
    }
    text.len() == 8
}
