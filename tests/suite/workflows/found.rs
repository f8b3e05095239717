//! How a workflow is found: by hash, file, local name, registered name.

use std::fs;
use std::path::Path;

use super::{description_of, relay};
use crate::environment::{Environment, Ran};

#[test]
fn a_workflow_is_found_by_its_hash_its_file_its_local_name_and_its_registered_name() {
    let environment = Environment::new();
    let work = environment.work();
    environment.write("registered.yaml", &relay("registered", "registered"));
    let put = environment.json(&["workflow", "put", "registered.yaml"]);
    environment.write("elsewhere/file.yaml", &relay("file", "file"));
    environment.write(".workflow/local.yaml", &relay("local", "local"));
    let asked = [
        (put["hash"].as_str().unwrap(), "registered"),
        ("registered", "registered"),
        ("elsewhere/file.yaml", "file"),
        ("./elsewhere/file.yaml", "file"),
        ("registered.yaml", "registered"),
        ("local", "local"),
        (" local\n", "local"),
    ];
    for (text, description) in asked {
        let found = description_of(&environment, &work, text);
        assert_eq!(found.as_deref(), Some(description), "{text:?}");
        // `start` finds what `show` finds.
        let thread = environment.start(text, "x");
        let shown = environment.json(&["thread", "show", &thread]);
        let by_hash = description_of(&environment, &work, shown["workflow"].as_str().unwrap());
        assert_eq!(by_hash.as_deref(), Some(description), "{text:?}");
    }
}

#[test]
fn what_looks_like_a_path_is_never_a_name() {
    let environment = Environment::new();
    environment.write(".workflow/local.yaml", &relay("local", "local"));
    for (text, file) in [
        ("local.yaml", "local.yaml"),
        ("x/local", "x/local"),
        ("x\\local", "x\\local"),
    ] {
        let stderr = format!(
            "error: there is no workflow file {}\nhint: give the path of the workflow's YAML file\n",
            environment.work().join(file).display()
        );
        assert_eq!(
            environment.run(&["workflow", "show", text]),
            Ran::refused(1, &stderr)
        );
    }
}

#[test]
fn a_local_workflow_wins_over_a_registered_one_of_its_name() {
    let environment = Environment::new();
    environment.write("relay.yaml", &relay("relay", "registered"));
    environment.ok(&["workflow", "put", "relay.yaml"]);
    let find = || description_of(&environment, &environment.work(), "relay");
    assert_eq!(find().as_deref(), Some("registered"));
    environment.write(".workflow/relay.yaml", &relay("relay", "local"));
    assert_eq!(find().as_deref(), Some("local"));
}

#[test]
fn the_folders_and_endings_of_local_workflows_have_an_order() {
    let environment = Environment::new();
    let places = [
        "../.workflow/relay.yaml",
        ".workflows/relay.yml",
        ".workflows/relay.yaml",
        ".workflow/relay.yml",
        ".workflow/relay.yaml",
    ];
    for place in places {
        environment.write(place, &relay("relay", place));
        let found = description_of(&environment, &environment.work(), "relay");
        assert_eq!(found.as_deref(), Some(place));
        let list = environment.ok(&["workflow", "list"]);
        assert_eq!(
            list,
            "[{\"name\":\"relay\",\"hash\":\"(local)\",\"origin\":\"local\"}]\n"
        );
    }
}

#[test]
fn the_search_for_local_workflows_ends_with_the_repository() {
    let environment = Environment::new();
    environment.write(".workflow/outside.yaml", &relay("outside", "outside"));
    environment.write(
        "repository/.workflow/inside.yaml",
        &relay("inside", "inside"),
    );
    let deep = environment.work().join("repository/src/deep");
    fs::create_dir_all(&deep).unwrap();
    let list = |folder: &Path| environment.run_in(folder, &["workflow", "list"]).stdout;
    let inside = "{\"name\":\"inside\",\"hash\":\"(local)\",\"origin\":\"local\"}";
    let outside = "{\"name\":\"outside\",\"hash\":\"(local)\",\"origin\":\"local\"}";
    assert_eq!(
        list(&deep),
        format!("[{inside},{outside}]\n"),
        "no repository: up to the root"
    );

    // A folder as in a clone, a file as in a worktree.
    let git = environment.work().join("repository/.git");
    let as_folder: fn(&Path) = |git| fs::create_dir(git).unwrap();
    let as_file: fn(&Path) = |git| fs::write(git, "gitdir: ../elsewhere\n").unwrap();
    for make in [as_folder, as_file] {
        make(&git);
        assert_eq!(list(&deep), format!("[{inside}]\n"));
        assert_eq!(
            description_of(&environment, &deep, "inside").as_deref(),
            Some("inside")
        );
        for command in [
            &["workflow", "show", "outside"][..],
            &["thread", "start", "outside", "-p", "x"],
        ] {
            let ran = environment.run_in(&deep, command);
            let stderr = format!(
                "error: there is no workflow `outside` in .workflow or .workflows of {} or of a folder \
                 above it up to {}, nor in the registry {}
hint: `uwf workflow list` shows the workflows there are
",
                deep.display(),
                environment.work().join("repository").display(),
                environment.root().join("registry.yaml").display()
            );
            assert_eq!(ran, Ran::refused(1, &stderr));
        }
        if git.is_dir() {
            fs::remove_dir(&git).unwrap();
        }
    }
}

#[test]
fn a_name_that_no_workflow_has_is_told_with_the_one_that_was_meant() {
    let environment = Environment::with_relay();
    let places = format!(
        "in .workflow or .workflows of {} or of a folder above it up to /, nor in the registry {}",
        environment.work().display(),
        environment.root().join("registry.yaml").display()
    );
    let cases = [
        ("rely", "hint: did you mean `relay`?\n"),
        (
            "poem",
            "hint: `uwf workflow list` shows the workflows there are\n",
        ),
    ];
    for (name, hint) in cases {
        let stderr = format!("error: there is no workflow `{name}` {places}\n{hint}");
        assert_eq!(
            environment.run(&["workflow", "show", name]),
            Ran::refused(1, &stderr)
        );
        assert_eq!(
            environment.run(&["thread", "start", name, "-p", "x"]),
            Ran::refused(1, &stderr)
        );
    }
    environment.write("other.yaml", &relay("other", "in this folder"));
    let ran = environment.run(&["workflow", "show", "other"]);
    let hint = "\nhint: to use the file in this folder, write `./other.yaml`\n";
    assert!(ran.stderr.ends_with(hint), "{}", ran.stderr);
}

#[test]
fn a_blank_name_is_refused() {
    let environment = Environment::with_relay();
    let stderr = "error: the name of the workflow is blank
hint: give a workflow's name, hash or file; `uwf workflow list` shows the names
";
    for blank in ["", " \n\t"] {
        assert_eq!(
            environment.run(&["workflow", "show", blank]),
            Ran::refused(1, stderr)
        );
        assert_eq!(
            environment.run(&["thread", "start", blank, "-p", "x"]),
            Ran::refused(1, stderr)
        );
    }
}

#[test]
fn a_hash_that_is_none_of_a_workflow_is_refused() {
    let environment = Environment::with_golden_store();
    let stderr = "error: the node 56XFMVXEJ5CJ5 is not a workflow: its type is FZMFBDYPZ0M9Y
hint: `uwf workflow list` shows the workflows there are
";
    let show = ["workflow", "show", "56XFMVXEJ5CJ5"];
    assert_eq!(environment.run(&show), Ran::refused(1, stderr));
    let start = ["thread", "start", "56XFMVXEJ5CJ5", "-p", "x"];
    assert_eq!(environment.run(&start), Ran::refused(1, stderr));
    let ran = environment.run(&["thread", "start", "0000000000000", "-p", "x"]);
    let message = "error: the node 0000000000000 is not in the store (";
    assert!(
        ran.code == Some(1) && ran.stderr.starts_with(message),
        "{ran:?}"
    );
}
