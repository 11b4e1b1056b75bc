//! The entrants of a tournament file, one by one.

use std::collections::HashMap;

use super::keys::{EntrantLine, EntrantName};
use crate::error::ProblemPart;
use crate::ground::text::{alike, for_people};
use crate::robots::RobotKind;

/// The robot that takes the place of people in a simulation, if the file names no other one.
const LIKE_PEOPLE: RobotKind = RobotKind::Hunter;

/// An entrant who is entered by the organiser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant {
    /// The name, which no other entrant or member has.
    pub name: String,
    /// The names of the members of a team. Empty for an entrant who plays alone.
    pub members: Vec<String>,
    /// The robot that plays for the entrant. `None` for people.
    pub robot: Option<RobotKind>,
    /// The robot that plays for the entrant in a simulation.
    pub strength: RobotKind,
    /// JSON Pointer to the entrant in the file.
    pub pointer: String,
}

/// Players who enter by themselves before the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Awaited {
    /// Number of players.
    pub players: u32,
    /// The longest time that the start waits for them, in seconds. `None` if it waits for ever.
    pub wait: Option<u32>,
    /// The robot that plays for them in a simulation.
    pub strength: RobotKind,
}

/// Lists the entrants of all lines in their order, and the players who enter by themselves. `team` is the number of
/// members of an entrant. Mistakes are added to `mistakes`.
pub(super) fn all(
    lines: &[EntrantLine],
    team: usize,
    mistakes: &mut Vec<ProblemPart>,
) -> (Vec<Entrant>, Option<Awaited>) {
    let (mut entrants, mut awaited) = (Vec::new(), None);
    for (at, line) in lines.iter().enumerate() {
        let pointer = format!("/entrants/{at}");
        let like = line.plays_like.map_or(LIKE_PEOPLE, Into::into);
        if let Some(players) = line.players {
            if awaited.is_some() {
                mistakes.push(ProblemPart::at(&pointer, mistake!("a second line says how many players enter")));
            }
            awaited = Some(Awaited { players, wait: line.wait, strength: like });
        }
        entrants.extend(of_line(line, &pointer, team, like, mistakes));
    }
    check_names(&entrants, mistakes);
    entrants.iter_mut().for_each(compose);
    (entrants, awaited)
}

fn of_line(
    line: &EntrantLine,
    pointer: &str,
    team: usize,
    like: RobotKind,
    mistakes: &mut Vec<ProblemPart>,
) -> Vec<Entrant> {
    let entrant = |name: &str, pointer: String| Entrant {
        name: name.to_owned(),
        members: Vec::new(),
        robot: None,
        strength: like,
        pointer,
    };
    if let Some(names) = &line.names {
        if team > 1 {
            let detail = mistake!("entrants are teams of {team}: write `team` and `members`", team);
            mistakes.push(ProblemPart::at(format!("{pointer}/names"), detail));
        }
        let named = names.iter().enumerate();
        return named.map(|(at, name)| entrant(&name.0, format!("{pointer}/names/{at}"))).collect();
    }
    if let Some(robot) = line.robots {
        let robot = RobotKind::from(robot);
        let name = line.name.clone().unwrap_or_else(|| capital(robot.name()));
        let count = line.count.unwrap_or(1);
        let numbered = |number: u32| if count == 1 { name.clone() } else { format!("{name} {number}") };
        let made = (1..=count).map(|number| {
            let name = numbered(number);
            let members = if team == 1 { 0 } else { team };
            Entrant {
                members: (1..=members).map(|member| format!("{name}, {member}")).collect(),
                robot: Some(robot),
                strength: robot,
                ..entrant(&name, pointer.to_owned())
            }
        });
        return made.collect();
    }
    let Some(name) = &line.team else { return Vec::new() };
    let members: Vec<String> = line.members.iter().flatten().map(|EntrantName(member)| member.clone()).collect();
    if members.len() != team || team == 1 {
        let (found, needed) = (members.len(), if team == 1 { 0 } else { team });
        let detail = mistake!("{found} members are named, {needed} are needed", found, needed);
        let help = "`team_size` is the number of members of every team; 1, unless the file says another number";
        let part = ProblemPart::at(format!("{pointer}/members"), detail);
        mistakes.push(ProblemPart { help: Some(help.to_owned()), ..part });
    }
    let robot = line.robot.map(RobotKind::from);
    vec![Entrant { members, robot, strength: robot.unwrap_or(like), ..entrant(name, format!("{pointer}/team")) }]
}

/// Checks that people can read all names, and that no two of them look the same.
fn check_names(entrants: &[Entrant], mistakes: &mut Vec<ProblemPart>) {
    let mut seen: HashMap<String, String> = HashMap::new();
    for entrant in entrants {
        let line = entrant.pointer.strip_suffix("/team").unwrap_or(&entrant.pointer);
        // Members of robots get their names from the line of the robots.
        let has_places = entrant.pointer.ends_with("/team");
        let member = |(at, name): (usize, &'_ String)| {
            let pointer = if has_places { format!("{line}/members/{at}") } else { line.to_owned() };
            (name.clone(), pointer)
        };
        let own = std::iter::once((entrant.name.clone(), entrant.pointer.clone()));
        for (name, pointer) in own.chain(entrant.members.iter().enumerate().map(member)) {
            if for_people(&name).is_err() {
                let detail = mistake!("a name is one line of visible characters");
                mistakes.push(ProblemPart::at(&pointer, detail));
                continue;
            }
            if let Some(other) = seen.insert(alike(&name), name.clone()) {
                let detail = match other == name {
                    true => mistake!("`{name}` is named twice", name),
                    false => mistake!("`{name}` looks like `{other}`, which is another entrant", name, other),
                };
                let help = "every entrant and every member has a name of its own; robots get another one by `name`";
                mistakes.push(ProblemPart { help: Some(help.to_owned()), ..ProblemPart::at(&pointer, detail) });
            }
        }
    }
}

/// Brings the names into the form that the service stores and shows.
fn compose(entrant: &mut Entrant) {
    for name in entrant.members.iter_mut().chain([&mut entrant.name]) {
        if let Ok(composed) = for_people(name) {
            *name = composed;
        }
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
