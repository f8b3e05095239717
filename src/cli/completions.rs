//! `uwf completions`.

use clap_complete::Shell;

use super::context;
use super::error::Result;

/// Print the completion script of a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  uwf completions bash > ~/.local/share/bash-completion/completions/uwf
  uwf completions zsh > ~/.zfunc/_uwf
  uwf completions fish > ~/.config/fish/completions/uwf.fish")]
pub struct Arguments {
    /// bash, zsh, fish, elvish or powershell
    #[arg(hide_possible_values = true)]
    shell: Shell,
}

pub fn run(arguments: &Arguments) -> Result {
    let mut script = Vec::new();
    let mut definition = super::definition();
    clap_complete::generate(arguments.shell, &mut definition, "uwf", &mut script);
    context::print_document(&String::from_utf8_lossy(&script))
}
