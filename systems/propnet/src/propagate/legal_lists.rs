//! The lists of legal inputs of every role, from which random moves are chosen.

use super::Topology;

const NOWHERE: u32 = u32::MAX;

/// The legal inputs of every role and guard. Removal swaps an entry with the last.
#[derive(Clone, Debug)]
pub(super) struct LegalLists {
    /// One stretch per group of inputs with the same role and guard.
    list: Vec<u32>,
    groups: Vec<Group>,
    members: Vec<Member>,
    /// First group of each role; one more at the end.
    role_groups: Vec<usize>,
    /// Buffer for joined lists, used if more than one group is open.
    joined: Vec<u32>,
}

/// Inputs of a role that share a guard.
#[derive(Clone, Copy, Debug)]
struct Group {
    start: u32,
    length: u32,
    guard: u32,
}

/// An input: its group, and its place in the list, [`NOWHERE`] where not legal.
#[derive(Clone, Copy, Debug)]
struct Member {
    group: u32,
    place: u32,
}

impl LegalLists {
    /// Lists without an entry.
    pub(super) fn new(topology: &Topology) -> Self {
        let net = &topology.net;
        let mut members = vec![Member { group: 0, place: NOWHERE }; net.inputs()];
        let (mut groups, mut role_groups, mut at) = (Vec::new(), vec![0], 0);
        for role in 0..net.names.roles.len() {
            for guard in 0..topology.guards.len() as u32 {
                let start = at;
                for input in net.inputs_of(role).filter(|&i| topology.guard_of[i] == guard) {
                    members[input].group = groups.len() as u32;
                    at += 1;
                }
                if at > start {
                    groups.push(Group { start, length: 0, guard });
                }
            }
            role_groups.push(groups.len());
        }
        Self { list: vec![0; net.inputs()], groups, members, role_groups, joined: Vec::new() }
    }

    /// Copies other lists of the same net.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.list.copy_from_slice(&other.list);
        self.groups.copy_from_slice(&other.groups);
        self.members.copy_from_slice(&other.members);
    }

    /// Toggles the legality of an input.
    #[inline]
    pub(super) fn toggle(&mut self, input: u32) {
        let Member { group, place } = self.members[input as usize];
        let group = &mut self.groups[group as usize];
        if place == NOWHERE {
            let at = group.start + group.length;
            group.length += 1;
            self.list[at as usize] = input;
            self.members[input as usize].place = at;
        } else {
            group.length -= 1;
            let last = self.list[(group.start + group.length) as usize];
            self.list[place as usize] = last;
            self.members[last as usize].place = place;
            self.members[input as usize].place = NOWHERE;
        }
    }

    /// The legal inputs of a role: the list of its one group that is open and not empty, or several joined. `open`
    /// tells whether a guard holds.
    #[inline]
    pub(super) fn of(&mut self, role: usize, open: impl Fn(u32) -> bool) -> &[u32] {
        let groups = &self.groups[self.role_groups[role]..self.role_groups[role + 1]];
        let stretch = |g: &Group| g.start as usize..(g.start + g.length) as usize;
        let mut counting = groups.iter().filter(|g| g.length > 0 && open(g.guard));
        let Some(first) = counting.next() else { return &[] };
        let Some(second) = counting.next() else { return &self.list[stretch(first)] };
        self.joined.clear();
        for group in [first, second].into_iter().chain(counting) {
            self.joined.extend_from_slice(&self.list[stretch(group)]);
        }
        &self.joined
    }
}
