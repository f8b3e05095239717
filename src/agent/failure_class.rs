//! What kind of failure an agent met, in words that never change.

use std::fmt;
use std::str::FromStr;

/// What stood in the way of an agent that knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureClass {
    /// Something that has to be set up is not, or is wrong: no request was made.
    Configuration,
    /// The service does not know the key, or the program is not logged in.
    Authentication,
    /// The service wants fewer requests.
    RateLimit,
    /// The service is overloaded, or failed itself.
    Overloaded,
    /// The service refused the request for another reason, in its own words.
    Api,
    /// The service could not be reached, or the connection broke.
    Network,
    /// The money that was allowed is spent, or the account has none left.
    Budget,
    /// The turns that were allowed are used up.
    Turns,
    /// The model refused to do it.
    Refused,
    /// There was no answer, or an empty one.
    Empty,
    /// The program broke, or spoke another language than its own.
    Crash,
    /// The time was up.
    Timeout,
    /// Somebody asked for an end.
    Interrupted,
    /// The answer does not fit the role, after all corrections.
    Output,
    /// The store could not be read or written.
    Store,
}

impl FailureClass {
    const ALL: [(Self, &'static str); 15] = [
        (Self::Configuration, "configuration"),
        (Self::Authentication, "authentication"),
        (Self::RateLimit, "rate-limit"),
        (Self::Overloaded, "overloaded"),
        (Self::Api, "api"),
        (Self::Network, "network"),
        (Self::Budget, "budget"),
        (Self::Turns, "turns"),
        (Self::Refused, "refused"),
        (Self::Empty, "empty"),
        (Self::Crash, "crash"),
        (Self::Timeout, "timeout"),
        (Self::Interrupted, "interrupted"),
        (Self::Output, "output"),
        (Self::Store, "store"),
    ];

    /// The word for it, as it stands in attempt records and failure reports.
    pub fn as_str(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(class, _)| *class == self)
            .map_or("crash", |(_, word)| word)
    }

    /// Whether the same session may come to an end when it is gone on with. After the other failures
    /// it would end as it did: whoever steps again wants to begin anew.
    pub fn can_be_taken_up(self) -> bool {
        match self {
            Self::Interrupted
            | Self::Timeout
            | Self::Network
            | Self::RateLimit
            | Self::Overloaded
            | Self::Authentication
            | Self::Configuration
            | Self::Budget
            | Self::Store => true,
            Self::Api | Self::Turns | Self::Refused | Self::Empty | Self::Crash | Self::Output => {
                false
            }
        }
    }

    /// What a person can do about it, where that is the same for every agent.
    pub fn hint(self) -> Option<&'static str> {
        match self {
            Self::Authentication => Some(
                "check the key in .env of the storage root, or log the program in; `uwf doctor` \
                 tells what is set",
            ),
            Self::RateLimit | Self::Overloaded | Self::Network | Self::Timeout => {
                Some("step again later: the thread is as it was")
            }
            Self::Budget => Some(
                "raise `maxBudgetUsd` in the agent's entry, or top the account up, and step again",
            ),
            Self::Configuration => Some("`uwf doctor` tells what is set up and what is wrong"),
            _ => None,
        }
    }
}

impl fmt::Display for FailureClass {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The text is not the word for a class of failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownClass;

impl FromStr for FailureClass {
    type Err = UnknownClass;

    fn from_str(text: &str) -> Result<Self, UnknownClass> {
        let known = Self::ALL.iter().find(|(_, word)| *word == text);
        known.map(|(class, _)| *class).ok_or(UnknownClass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_word_of_its_own() {
        for (class, word) in FailureClass::ALL {
            assert_eq!(class.as_str(), word);
            assert_eq!(word.parse(), Ok(class));
        }
        assert_eq!("crash ".parse::<FailureClass>(), Err(UnknownClass));
    }
}
