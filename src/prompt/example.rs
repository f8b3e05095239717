//! A block written out as an example: what stands where a value goes.

use std::cell::{Cell, RefCell};

use serde_json::Value;

use super::phrase::{ANYTHING, bounds, last, list_note, literal, text_literal, text_phrase, types};
use super::shape::{Field, Others, Shape, Together, Unfolder, shape};
use crate::wording::{cut, one_line};

/// How deep lists and mappings are written out.
const DEEPEST: usize = 6;
/// Lines that an example may have.
const MOST_LINES: usize = 400;
/// Values of an enumeration that are shown.
const MOST_OPTIONS: usize = 50;
/// Characters of a description that are shown.
const LONGEST_NOTE: usize = 200;

/// A value as it is shown.
#[derive(PartialEq)]
struct Shown {
    form: Form,
    /// What cannot be seen from the form.
    note: Option<String>,
}

#[derive(PartialEq)]
enum Form {
    /// What stands behind the key.
    Inline(String),
    /// Lines below the key.
    Block(Vec<String>),
}

impl Shown {
    fn inline(text: impl Into<String>) -> Self {
        Self {
            form: Form::Inline(text.into()),
            note: None,
        }
    }

    fn lines(self) -> Vec<String> {
        match self.form {
            Form::Inline(text) => vec![text],
            Form::Block(lines) => lines,
        }
    }
}

/// Writes the examples of one schema.
pub(super) struct Examples<'a, 'u> {
    unfolder: &'u Unfolder<'a>,
    lines: Cell<usize>,
    /// The mappings that are being written out, to notice one inside itself.
    open: RefCell<Vec<Together<'a>>>,
}

impl<'a, 'u> Examples<'a, 'u> {
    pub fn new(unfolder: &'u Unfolder<'a>) -> Self {
        Self {
            unfolder,
            lines: Cell::new(0),
            open: RefCell::new(Vec::new()),
        }
    }

    /// The fields of a mapping, one or more lines each.
    pub fn fields(&self, together: &Together<'a>) -> Vec<String> {
        self.mapping(together, &shape(together), 0)
    }

    fn mapping(&self, together: &Together<'a>, shape: &Shape<'a>, depth: usize) -> Vec<String> {
        self.open.borrow_mut().push(together.clone());
        let mut lines = Vec::new();
        for Field {
            name,
            required,
            schemas,
        } in &shape.fields
        {
            lines.extend(self.field(&text_literal(name), *required, schemas, depth));
        }
        for Others { pattern, schema } in &shape.others {
            let label = match pattern {
                Some(pattern) => format!("<name matching {}>", one_line(pattern)),
                None if shape.fields.is_empty() => "<name>".to_owned(),
                None => "<other name>".to_owned(),
            };
            lines.extend(self.field(&label, false, &[*schema], depth));
        }
        self.open.borrow_mut().pop();
        lines
    }

    fn field(
        &self,
        label: &str,
        required: bool,
        schemas: &[&'a Value],
        depth: usize,
    ) -> Vec<String> {
        self.lines.set(self.lines.get() + 1);
        let choices = self.unfolder.choices(schemas);
        let about = description(schemas, &choices);
        let shown = self.value(&choices, depth);
        let marks: Vec<_> = [required.then(|| "required".to_owned()), shown.note.clone()]
            .into_iter()
            .flatten()
            .collect();
        let comment = match (marks.is_empty(), about) {
            (true, None) => String::new(),
            (true, Some(about)) => format!("  # {about}"),
            (false, None) => format!("  # {}", marks.join(", ")),
            (false, Some(about)) => format!("  # {}: {about}", marks.join(", ")),
        };
        match shown.form {
            Form::Inline(text) => vec![format!("{label}: {text}{comment}")],
            Form::Block(lines) => std::iter::once(format!("{label}:{comment}"))
                .chain(lines.iter().map(|line| format!("  {line}")))
                .collect(),
        }
    }

    /// What may stand at a place: one form, or several with `|` or `# or` between them.
    fn value(&self, choices: &[Together<'a>], depth: usize) -> Shown {
        let mut forms: Vec<Shown> = Vec::new();
        for choice in choices {
            for shown in self.choice(choice, depth) {
                if !forms.contains(&shown) {
                    forms.push(shown);
                }
            }
        }
        if forms.len() == 1 {
            return forms.swap_remove(0);
        }
        let inline: Option<Vec<&str>> = forms
            .iter()
            .map(|shown| match &shown.form {
                Form::Inline(text) => Some(text.as_str()),
                Form::Block(_) => None,
            })
            .collect();
        match inline {
            Some(texts) if texts.is_empty() || texts.contains(&ANYTHING) => Shown::inline(ANYTHING),
            Some(texts) => Shown::inline(texts.join(" | ")),
            None => one_of(forms),
        }
    }

    /// The forms of one choice: one for each of its types.
    fn choice(&self, together: &Together<'a>, depth: usize) -> Vec<Shown> {
        if let Some(constant) = last(together, "const") {
            return vec![Shown::inline(literal(constant))];
        }
        if let Some(Value::Array(options)) = last(together, "enum") {
            if options.len() > MOST_OPTIONS {
                self.unfolder.mark_cut();
            }
            let shown = options.iter().take(MOST_OPTIONS);
            return shown.map(literal).map(Shown::inline).collect();
        }
        types(together)
            .into_iter()
            .map(|name| match name {
                "object" => self.object(together, depth),
                "array" => self.array(together, depth),
                "string" => Shown::inline(text_phrase(together)),
                "integer" => Shown::inline(format!("<whole number{}>", bounds(together))),
                "number" => Shown::inline(format!("<number{}>", bounds(together))),
                "boolean" => Shown::inline("true | false"),
                "null" => Shown::inline("null"),
                _ => Shown::inline(ANYTHING),
            })
            .collect()
    }

    fn object(&self, together: &Together<'a>, depth: usize) -> Shown {
        let shape = shape(together);
        if self.is_full(depth) || (shape.fields.is_empty() && shape.others.is_empty()) {
            return Shown::inline("<mapping>");
        }
        if self.is_open(together) {
            return Shown::inline("<mapping like the one it is in>");
        }
        Shown {
            form: Form::Block(self.mapping(together, &shape, depth + 1)),
            note: None,
        }
    }

    fn array(&self, together: &Together<'a>, depth: usize) -> Shown {
        let first = last(together, "prefixItems").and_then(Value::as_array);
        let rest: Vec<_> = together
            .iter()
            .filter_map(|map| map.get("items"))
            .filter(|items| items.is_object())
            .collect();
        let note = Some(list_note(together));
        if self.is_full(depth) || (first.is_none() && rest.is_empty()) {
            return Shown {
                form: Form::Inline("<list>".to_owned()),
                note,
            };
        }
        let places = first.into_iter().flatten().map(|schema| vec![schema]);
        let places = places.chain((!rest.is_empty()).then_some(rest));
        let lines = places.flat_map(|schemas| self.item(&schemas, depth + 1));
        Shown {
            form: Form::Block(lines.collect()),
            note,
        }
    }

    fn item(&self, schemas: &[&'a Value], depth: usize) -> Vec<String> {
        self.lines.set(self.lines.get() + 1);
        let shown = self.value(&self.unfolder.choices(schemas), depth);
        let lines = shown.lines().into_iter().enumerate();
        lines
            .map(|(index, line)| format!("{}{line}", if index == 0 { "- " } else { "  " }))
            .collect()
    }

    /// Whether a mapping with the fields of this one is being written out around it.
    fn is_open(&self, together: &Together<'a>) -> bool {
        let open = self.open.borrow();
        let mut around = open.iter().flatten();
        around.any(|outer| {
            let mut inner = together.iter();
            inner.any(|map| std::ptr::eq(*map, *outer) && map.contains_key("properties"))
        })
    }

    fn is_full(&self, depth: usize) -> bool {
        depth == DEEPEST || self.lines.get() >= MOST_LINES
    }
}

/// Several forms below one key, of which one is to be written.
fn one_of(forms: Vec<Shown>) -> Shown {
    let mut lines = Vec::new();
    for (index, shown) in forms.into_iter().enumerate() {
        if index > 0 {
            lines.push("# or".to_owned());
        }
        lines.extend(shown.lines());
    }
    Shown {
        form: Form::Block(lines),
        note: Some("one of these".to_owned()),
    }
}

/// What a schema says of itself: in its own words, else, where it leaves no choice, in those of
/// what it refers to.
fn description(schemas: &[&Value], choices: &[Together<'_>]) -> Option<String> {
    let own = schemas.iter().find_map(|schema| schema.get("description"));
    let only = match choices {
        [together] => last(together, "description"),
        _ => None,
    };
    let text = one_line(own.or(only)?.as_str()?);
    (!text.is_empty()).then(|| cut(&text, LONGEST_NOTE).into_owned())
}
