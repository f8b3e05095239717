//! What is said about a workflow file: findings with a stable name and a place in the text.
//!
//! Here are the values. How they look on a terminal is in `render.rs`.

use std::path::PathBuf;

use crate::yaml::Span;

/// Whether a finding stops the file from being used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The workflow cannot be stored.
    Error,
    /// It can be stored, and is probably not what was meant.
    Warning,
}

/// Declares the codes together with their names and severities, so that none can lack one.
macro_rules! codes {
    ($($(#[$doc:meta])+ $variant:ident $severity:ident $name:literal,)+) => {
        /// What kind of finding it is. The names are stable: scripts may rely on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Code {
            $($(#[$doc])+ $variant,)+
        }

        impl Code {
            /// Every code there is.
            #[cfg(test)]
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name of the code, in kebab-case.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }

            /// How much a finding of this kind weighs.
            pub fn severity(self) -> Severity {
                match self {
                    $(Self::$variant => Severity::$severity,)+
                }
            }
        }
    };
}

codes! {
    /// The text is not YAML.
    Syntax Error "syntax",
    /// There is nothing in the file.
    EmptyFile Error "empty-file",
    /// A value is of another type than its key wants.
    WrongType Error "wrong-type",
    /// Keys that must be there are not.
    MissingKey Error "missing-key",
    /// The workflow's name is not the file's.
    NameMismatch Error "name-mismatch",
    /// A key under `roles` cannot be the name of a role.
    InvalidRoleName Error "invalid-role-name",
    /// A role's `frontmatter` is not a JSON Schema.
    InvalidSchema Error "invalid-schema",
    /// A condition's expression is not JSONata.
    InvalidExpression Error "invalid-expression",
    /// The graph has edges out of a place that is no role.
    UnknownSource Error "unknown-source",
    /// An edge leads to a role that does not exist.
    UnknownRole Error "unknown-role",
    /// An edge leads back to `$START`.
    EdgeToStart Error "edge-to-start",
    /// An edge names a condition that does not exist.
    UnknownCondition Error "unknown-condition",
    /// An edge's prompt says nothing.
    BlankPrompt Error "blank-prompt",
    /// An edge's prompt is longer than what can be handed to an agent.
    PromptTooLong Error "prompt-too-long",
    /// The prompt of an edge holds a character that no agent can be given.
    NulInPrompt Error "nul-in-prompt",
    /// The graph is of the later format that is keyed by status.
    StatusKeyedGraph Error "status-keyed-graph",
    /// The workflow is larger than any workflow should be.
    TooLarge Error "too-large",
    /// A key that nothing reads.
    UnknownKey Warning "unknown-key",
    /// A keyword or format in a role's schema that checks nothing.
    UnknownKeyword Warning "unknown-keyword",
    /// An expression that compiles and will fail all the same.
    DoubtfulExpression Warning "doubtful-expression",
    /// A condition looks at the output of a role that does not exist.
    UnknownRoleAsked Warning "unknown-role-asked",
    /// A name that is read as something else when the workflow is asked for by it.
    AmbiguousName Warning "ambiguous-name",
    /// The graph has roles and no `$START`.
    NoStart Warning "no-start",
    /// Every edge out of a place has a condition.
    NoFallback Warning "no-fallback",
    /// An edge after one that is always taken.
    UnreachableEdge Warning "unreachable-edge",
    /// A role that no thread gets to.
    UnreachableRole Warning "unreachable-role",
    /// A place that no edge leads out of.
    DeadEnd Warning "dead-end",
    /// Roles from which there is no way to `$END`.
    Endless Warning "endless",
    /// Edges out of `$END`.
    EdgesFromEnd Warning "edges-from-end",
    /// A condition that no edge names.
    UnusedCondition Warning "unused-condition",
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of finding it is.
    pub code: Code,
    /// What is wrong: one sentence, lower case, without the place.
    pub message: String,
    /// Where. It may go over several lines; only the first is shown.
    pub span: Span,
    /// What to say at that place, when it adds to the message.
    pub label: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
    /// A second place that matters, and what it is.
    pub related: Option<(Span, String)>,
}

impl Diagnostic {
    /// A finding with nothing but its message.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            span,
            label: None,
            help: None,
            related: None,
        }
    }

    /// The same with something to say at its place.
    pub fn with_label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// The same with advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with advice, if there is any.
    pub fn with_help_if_any(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// The same with a second place.
    pub fn with_related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }

    /// How much it weighs.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }
}

/// Everything that was found in one file, in the order of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The file, as the caller named it.
    pub path: PathBuf,
    /// Its text, which the places are in.
    pub text: String,
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
}

impl Report {
    pub(super) fn new(path: PathBuf, text: String, mut diagnostics: Vec<Diagnostic>) -> Self {
        diagnostics.sort_by_key(|found| (found.span.start, found.severity()));
        Self {
            path,
            text,
            diagnostics,
        }
    }

    /// Whether anything keeps the workflow from being stored.
    #[cfg(test)]
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// How many findings weigh this much.
    pub fn count(&self, severity: Severity) -> usize {
        let weighs = |found: &&Diagnostic| found.severity() == severity;
        self.diagnostics.iter().filter(weighs).count()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_of_codes_are_kebab_case_and_differ() {
        let names: BTreeSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
        assert_eq!(names.len(), Code::ALL.len());
        for name in names {
            assert!(
                name.split('-')
                    .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase())),
                "{name}"
            );
        }
    }
}
