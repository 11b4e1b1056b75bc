//! The names of entrants who are entered together, by a request or a tournament file.

use std::collections::HashMap;

use crate::error::{ProblemPart, detail};
use crate::ground::text::alike;

/// The names of entrants and members so far, in the form in which names are compared, each with the name itself.
#[derive(Debug, Default)]
pub(crate) struct EntrantNames(HashMap<String, String>);

impl EntrantNames {
    /// Adds a name in its normal form. If an earlier entrant or member has this name, or one that looks like it, the
    /// name is a mistake at `pointer`. Returns whether the name is no mistake.
    pub(crate) fn add(&mut self, pointer: &str, name: &str, mistakes: &mut Vec<ProblemPart>) -> bool {
        let Some(other) = self.0.insert(alike(name), name.to_owned()) else { return true };
        let detail = match other == name {
            true => detail!("the name `{name}` is listed twice", name),
            false => detail!("`{name}` looks like `{other}`, which is another entrant", name, other),
        };
        mistakes.push(ProblemPart::at(pointer, detail));
        false
    }
}

/// Checks how many members of an entrant are named. `team` is the number of members of an entrant; entrants who play
/// alone name none. Returns whether the number is right; otherwise it is a mistake at `pointer`.
pub(crate) fn check_members(pointer: &str, found: usize, team: usize, mistakes: &mut Vec<ProblemPart>) -> bool {
    let needed = if team == 1 { 0 } else { team };
    if found != needed {
        mistakes
            .push(ProblemPart::at(pointer, detail!("{found} members are named, {needed} are needed", found, needed)));
    }
    found == needed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_looks_like_an_earlier_one_is_a_mistake() {
        let (mut names, mut mistakes) = (EntrantNames::default(), Vec::new());
        let added = ["Asha", "Bina", "ASHA", "Bina"].map(|name| names.add("/name", name, &mut mistakes));
        assert_eq!(added, [true, true, false, false]);
        let told: Vec<&str> = mistakes.iter().map(|mistake| mistake.detail.as_str()).collect();
        assert_eq!(told, ["`ASHA` looks like `Asha`, which is another entrant", "the name `Bina` is listed twice"]);
    }

    #[test]
    fn entrants_who_play_alone_name_no_members_and_teams_name_all() {
        let mut mistakes = Vec::new();
        let found = [(0, 1), (1, 1), (2, 2), (0, 2), (3, 2)];
        let right = found.map(|(found, team)| check_members("/members", found, team, &mut mistakes));
        assert_eq!(right, [true, false, true, false, false]);
        assert_eq!(mistakes.len(), 3);
    }
}
