//! Landlock itself.

use std::path::Path;

use landlock::{
    ABI, AccessFs, LandlockStatus, RestrictionStatus, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use super::ConfinementError;

/// The last version that added a kind of writing. An older system confines what it knows of.
const WRITING: ABI = ABI::V5;

/// Lets this thread, and what it starts from here on, write at and below these paths only; those
/// that are not there are passed over. It signals none but itself and those, where the system can
/// see to that. The version of Landlock that the system has.
pub fn restrict<P: AsRef<Path>>(writable: &[P]) -> Result<u32, ConfinementError> {
    let status = enforce(writable).map_err(|error| ConfinementError::Refused(error.into()))?;
    match status.landlock {
        LandlockStatus::NotImplemented => Err(ConfinementError::Missing),
        LandlockStatus::NotEnabled => Err(ConfinementError::SwitchedOff),
        LandlockStatus::Available { .. } if status.ruleset == RulesetStatus::NotEnforced => {
            Err(ConfinementError::Refused("nothing came of it".into()))
        }
        LandlockStatus::Available {
            effective_abi,
            kernel_abi,
        } => {
            // The newer one, where the system's is newer than what the crate knows.
            let newer = kernel_abi.and_then(|version| u32::try_from(version).ok());
            Ok(newer.unwrap_or(effective_abi as u32))
        }
    }
}

fn enforce<P: AsRef<Path>>(writable: &[P]) -> Result<RestrictionStatus, RulesetError> {
    let access = AccessFs::from_write(WRITING);
    Ruleset::default()
        .handle_access(access)?
        // From the sixth version on: `pkill` of a command is to end nobody but its own.
        .scope(Scope::Signal)?
        .create()?
        .add_rules(path_beneath_rules(writable, access))?
        .restrict_self()
}
