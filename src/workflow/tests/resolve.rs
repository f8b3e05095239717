//! Finding a workflow: by hash, by path, by name in the project, by name in the registry.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::fsx::{self, Access};
use crate::model::Hash;
use crate::workflow::resolve::Request;
use crate::workflow::{Found, Registry, ResolveError, local_workflows, resolve};

/// A project in a temporary folder that is a repository, so that no search leaves it.
struct Project {
    root: TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Self::without_repository();
        fsx::create_folder(&project.path(".git")).unwrap();
        project
    }

    fn without_repository() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        match name {
            "" => self.root.path().to_owned(),
            name => self.root.path().join(name),
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        fsx::replace(&path, b"", Access::Shared).unwrap();
        path
    }

    fn registry(&self) -> Registry {
        Registry::at(&self.path(".git/root"))
    }

    fn resolve(&self, asked: &str, cwd: &str) -> Result<Found, ResolveError> {
        resolve(asked, &self.path(cwd), &self.registry())
    }

    #[track_caller]
    fn finds(&self, asked: &str, cwd: &str, file: &Path) {
        let found = self.resolve(asked, cwd).unwrap();
        assert_eq!(found, Found::File(file.to_owned()));
    }

    #[track_caller]
    fn not_found(&self, asked: &str, cwd: &str) -> (String, String) {
        match self.resolve(asked, cwd) {
            Err(ResolveError::NotFound(error)) => {
                let root = self.root.path().display().to_string();
                (error.to_string().replace(&root, "~"), error.hint())
            }
            other => panic!("{other:?}"),
        }
    }
}

fn hash(text: &str) -> Hash {
    text.parse().unwrap()
}

#[test]
fn a_hash_is_a_hash_even_when_a_file_has_its_name() {
    let project = Project::new();
    project.file(".workflow/6HA1S8JMB29J3.yaml");
    assert_eq!(
        project.resolve(" 6HA1S8JMB29J3\n", "").unwrap(),
        Found::Stored(hash("6HA1S8JMB29J3"))
    );
}

#[test]
fn what_looks_like_a_path_is_a_file_seen_from_the_working_folder() {
    let project = Project::new();
    for asked in [
        "flow.yaml",
        "flow.yml",
        "./flow",
        "a/flow",
        "a\\flow",
        "0123456789ABC.yaml",
    ] {
        project.finds(asked, "sub", &project.path("sub").join(asked));
    }
    project.finds("/abs/flow", "", Path::new("/abs/flow"));
    assert_eq!(
        Request::of("flow.yaml.txt"),
        Some(Request::Name("flow.yaml.txt"))
    );
}

#[test]
fn a_blank_name_is_an_error() {
    let project = Project::new();
    for asked in ["", "  ", "\t\n"] {
        let error = project.resolve(asked, "").unwrap_err();
        assert!(matches!(error, ResolveError::Blank));
        assert_eq!(error.to_string(), "the name of the workflow is blank");
    }
}

#[test]
fn a_name_is_looked_for_in_the_preferred_folder_and_ending_first() {
    let project = Project::new();
    let places = [
        ".workflows/flow.yml",
        ".workflows/flow.yaml",
        ".workflow/flow.yml",
        ".workflow/flow.yaml",
    ];
    for place in places {
        let file = project.file(place);
        project.finds("flow", "", &file);
    }
}

#[test]
fn the_nearest_folder_counts_whatever_it_is_called() {
    let project = Project::new();
    let far = project.file(".workflow/flow.yaml");
    let near = project.file("a/.workflows/flow.yml");
    fsx::create_folder(&project.path("a/b/c")).unwrap();
    project.finds("flow", "a/b/c", &near);
    project.finds("flow", "a", &near);
    project.finds("flow", "", &far);
}

#[test]
fn the_search_ends_with_the_repository() {
    let project = Project::new();
    project.file(".workflow/outer.yaml");
    let inner = project.file("repository/.workflow/inner.yaml");
    project.file("repository/.workflow/oter.yaml");
    // A worktree's `.git` is a file.
    project.file("repository/.git");
    fsx::create_folder(&project.path("repository/src")).unwrap();
    project.finds("inner", "repository/src", &inner);
    let (message, hint) = project.not_found("outer", "repository/src");
    assert_eq!(
        message,
        "there is no workflow `outer` in .workflow or .workflows of ~/repository/src or of a folder \
         above it up to ~/repository, nor in the registry ~/.git/root/registry.yaml"
    );
    assert_eq!(hint, "did you mean `oter`?");
}

#[test]
fn without_a_repository_the_search_goes_up_to_the_root() {
    let project = Project::without_repository();
    let file = project.file(".workflow/a-name-nobody-else-has.yaml");
    fsx::create_folder(&project.path("a/b")).unwrap();
    project.finds("a-name-nobody-else-has", "a/b", &file);
}

#[test]
fn the_registry_is_asked_last() {
    let project = Project::new();
    project
        .registry()
        .set("flow", hash("6HA1S8JMB29J3"))
        .unwrap();
    assert_eq!(
        project.resolve("flow", "").unwrap(),
        Found::Registered {
            name: "flow".to_owned(),
            hash: hash("6HA1S8JMB29J3")
        }
    );
    let file = project.file(".workflow/flow.yaml");
    project.finds("flow", "", &file);
}

#[test]
fn a_damaged_registry_is_an_error_only_when_it_is_asked() {
    let project = Project::new();
    project.file(".git/root/registry.yaml");
    assert!(matches!(
        project.resolve("flow", ""),
        Err(ResolveError::Registry(_))
    ));
    let file = project.file(".workflow/flow.yaml");
    project.finds("flow", "", &file);
}

#[test]
fn what_was_meant_is_offered_from_the_project_and_the_registry() {
    let project = Project::new();
    project.file(".workflow/review.yaml");
    project
        .registry()
        .set("release", hash("6HA1S8JMB29J3"))
        .unwrap();
    assert_eq!(project.not_found("reveiw", "").1, "did you mean `review`?");
    assert_eq!(project.not_found("relase", "").1, "did you mean `release`?");
    let (message, hint) = project.not_found("deploy", "");
    assert_eq!(
        message,
        "there is no workflow `deploy` in .workflow or .workflows of ~, nor in the registry \
         ~/.git/root/registry.yaml"
    );
    assert_eq!(hint, "`uwf workflow list` shows the workflows there are");
    project.file("deploy.yml");
    assert_eq!(
        project.not_found("deploy", "").1,
        "to use the file in this folder, write `./deploy.yml`"
    );
}

#[test]
fn a_folder_or_a_dead_link_is_no_workflow() {
    let project = Project::new();
    fsx::create_folder(&project.path(".workflow/flow.yaml")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("nowhere", project.path(".workflow/flow.yml")).unwrap();
    let file = project.file(".workflows/flow.yaml");
    project.finds("flow", "", &file);
    assert_eq!(local_workflows(&project.path("")).unwrap().len(), 1);
}

#[test]
fn hostile_names_lead_nowhere() {
    let project = Project::new();
    project.file("secret.yaml");
    project.file("sub/.git/x");
    fsx::create_folder(&project.path("sub/.workflow")).unwrap();
    let long = "n".repeat(5_000);
    for asked in [
        "..",
        ".",
        "~",
        "a\0b",
        "\u{1b}[31m",
        "a\nb",
        "-",
        "*",
        "$HOME",
        long.as_str(),
    ] {
        let (message, _) = project.not_found(asked, "sub");
        assert!(!message.contains(['\0', '\u{1b}', '\n']), "{message:?}");
        assert!(message.len() < 400, "{message}");
    }
}

#[test]
fn the_list_holds_each_name_once_the_nearest_and_in_order() {
    let project = Project::new();
    let far = [
        project.file(".workflow/zeta.yaml"),
        project.file(".workflow/alpha.yml"),
        project.file(".workflows/old.yaml"),
    ];
    let near = [
        project.file("a/.workflow/zeta.yml"),
        project.file("a/.workflows/beta.yaml"),
    ];
    // Named like others nearer or preferred, or no workflows at all.
    project.file(".workflow/beta.yaml");
    project.file(".workflows/alpha.yaml");
    project.file("a/.workflows/zeta.yaml");
    project.file(".workflow/readme.md");
    project.file(".workflow/.yaml");
    let listed: Vec<_> = local_workflows(&project.path("a"))
        .unwrap()
        .into_iter()
        .map(|workflow| (workflow.name, workflow.path))
        .collect();
    assert_eq!(
        listed,
        [
            ("alpha".to_owned(), far[1].clone()),
            ("beta".to_owned(), near[1].clone()),
            ("old".to_owned(), far[2].clone()),
            ("zeta".to_owned(), near[0].clone()),
        ]
    );
    for (name, path) in &listed {
        project.finds(name, "a", path);
    }
}

#[test]
fn a_file_in_the_place_of_the_folder_holds_no_workflows() {
    let project = Project::new();
    project.file(".workflow");
    let file = project.file(".workflows/flow.yaml");
    project.finds("flow", "", &file);
    assert_eq!(local_workflows(&project.path("")).unwrap().len(), 1);
}
