//! Strongly connected components of a graph given as lists of successors.
//!
//! # Source
//! R. Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1 (1972).
//!
//! # Departures
//! An explicit stack replaces recursion, because nets have paths of a million gates.
//!
//! # Cost
//! Linear in vertices and edges.

/// The number of each vertex's component. Components are numbered in reverse topological order: an edge leads to a
/// component with the same or a smaller number.
#[must_use]
pub fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    components_by(successors.len(), |v, n| successors[v].get(n).copied())
}

/// The same for a graph given by a function: the `n`-th successor of a vertex, `None` past the last.
#[must_use]
pub fn components_by(vertices: usize, successor: impl Fn(usize, usize) -> Option<usize>) -> Vec<usize> {
    const UNSEEN: usize = usize::MAX;
    let mut index = vec![UNSEEN; vertices];
    let mut low = vec![0; vertices];
    let mut component = vec![UNSEEN; vertices];
    let mut stack = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    let (mut next_index, mut next_component) = (0, 0);
    for root in 0..vertices {
        if index[root] != UNSEEN {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (v, ref mut edge)) = path.last_mut() {
            if *edge == 0 {
                index[v] = next_index;
                low[v] = next_index;
                next_index += 1;
                stack.push(v);
            }
            let to = successor(v, *edge);
            *edge += 1;
            match to {
                Some(w) if index[w] == UNSEEN => path.push((w, 0)),
                Some(w) if component[w] == UNSEEN => low[v] = low[v].min(index[w]),
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some(&(parent, _)) = path.last() {
                        low[parent] = low[parent].min(low[v]);
                    }
                    if low[v] == index[v] {
                        while let Some(w) = stack.pop() {
                            component[w] = next_component;
                            if w == v {
                                break;
                            }
                        }
                        next_component += 1;
                    }
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_one_component_and_comes_before_what_leads_to_it() {
        // 0 -> 1 <-> 2 -> 3
        let found = components(&[vec![1], vec![2], vec![1, 3], vec![]]);
        assert_eq!(found, [2, 1, 1, 0]);
    }
}
