//! A short list that is stored in an array, for hot code that makes thousands of lists.

use super::Vertex;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};

/// The first moves of a line that reading expects.
pub type Line = SmallList<Vertex, 12>;

/// A list of at most `N` things, no more than 255; further things are left out.
#[derive(Clone, Copy, Debug)]
pub struct SmallList<T, const N: usize> {
    list: [T; N],
    len: u8,
}

impl<T: Copy + Default, const N: usize> Default for SmallList<T, N> {
    #[inline]
    fn default() -> Self {
        Self { list: [T::default(); N], len: 0 }
    }
}

impl Line {
    /// Nothing is known.
    pub const NONE: Self = Self { list: [Vertex::PASS; 12], len: 0 };

    /// Its first move; a pass if nothing is known.
    #[must_use]
    pub fn start(&self) -> Vertex {
        self.first().copied().unwrap_or(Vertex::PASS)
    }

    /// The same if it starts with this move, else that alone.
    #[must_use]
    pub fn starting_with(self, start: Vertex) -> Self {
        if self.start() == start { self } else { Self::from(start) }
    }
}

impl From<Vertex> for Line {
    /// A line of one move; a pass gives an empty line.
    fn from(start: Vertex) -> Self {
        std::iter::once(start).filter(|&v| v != Vertex::PASS).collect()
    }
}

impl<T: Copy + Default + PartialEq, const N: usize> FromIterator<T> for SmallList<T, N> {
    /// The first ones.
    fn from_iter<I: IntoIterator<Item = T>>(things: I) -> Self {
        let mut list = Self::default();
        things.into_iter().take(N).for_each(|thing| list.push(thing));
        list
    }
}

impl<T: PartialEq, const N: usize> PartialEq for SmallList<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for SmallList<T, N> {}

impl<T: Hash, const N: usize> Hash for SmallList<T, N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl<T: Copy + PartialEq, const N: usize> SmallList<T, N> {
    /// Adds one if it fits.
    #[inline]
    pub(crate) fn push(&mut self, thing: T) {
        if let Some(place) = self.list.get_mut(usize::from(self.len)) {
            *place = thing;
            self.len += 1;
        }
    }

    /// Adds one if it is new and fits.
    #[inline]
    pub(crate) fn push_once(&mut self, thing: T) {
        // Not `contains`: for small numbers that is a function of its own, made for long lists.
        if self.iter().all(|known| *known != thing) {
            self.push(thing);
        }
    }
}

impl<T, const N: usize> Deref for SmallList<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.list[..usize::from(self.len)]
    }
}

impl<T, const N: usize> DerefMut for SmallList<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.list[..usize::from(self.len)]
    }
}
