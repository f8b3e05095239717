//! Writing what was planned: the key first, then what refers to it, each file whole or not at all.

use super::plan::{Plan, Surroundings, Wish};
use super::standing::Standing;
use crate::cli::context::Context;
use crate::cli::error::Result;
use crate::cli::installed::Installed;
use crate::config::{Config, DotEnv};
use crate::fsx::{self, Access};
use crate::pointers;

/// What was written.
pub struct Written {
    /// What it follows from.
    pub plan: Plan,
    /// The configuration as it is now.
    pub config: Config,
    /// Whether either file is another one now.
    pub is_changed: bool,
}

/// Makes a wish come true.
///
/// It is worked out twice: what cannot be is refused before anything is made, and what is written
/// follows from what stands in the files while nobody else changes them.
pub fn write(wish: &Wish, context: &Context) -> Result<Written> {
    prepare(wish, context)?;
    let _lock = pointers::lock_root(&context.root)?;
    let Prepared {
        standing,
        plan,
        config,
        env,
    } = prepare(wish, context)?;
    let is_changed = config.is_some() || env.is_some();
    let closed = standing
        .is_env_shared
        .then(|| standing.env_text().to_owned());
    if let Some(text) = env.or(closed) {
        fsx::replace(&standing.env_path, text.as_bytes(), Access::Owner)?;
    }
    if standing.is_env_shared {
        context.warn(&format!(
            "{} could be read by others; it is its owner's alone now",
            DotEnv::path(&context.root).display()
        ));
    }
    let config = match config {
        Some((text, config)) => {
            fsx::replace(&config.path, text.as_bytes(), Access::Shared)?;
            config
        }
        None => standing.config,
    };
    Ok(Written {
        plan,
        config,
        is_changed,
    })
}

/// What is to be written, and what stands there now.
struct Prepared {
    standing: Standing,
    plan: Plan,
    /// The text of `config.yaml`, when it is another one.
    config: Option<(String, Config)>,
    /// The text of `.env`, when it is another one.
    env: Option<String>,
}

fn prepare(wish: &Wish, context: &Context) -> Result<Prepared> {
    let standing = Standing::read(&context.root)?;
    let surroundings = Surroundings {
        standing: &standing,
        installed: &Installed::of(context),
        host: &context.host,
    };
    let plan = surroundings.plan(wish)?;
    let env = match &plan.key {
        Some((variable, key)) => standing.env_with(variable, key.reveal())?,
        None => None,
    };
    Ok(Prepared {
        config: standing.config_with(&plan.settings)?,
        env,
        plan,
        standing,
    })
}
