//! Typed indices into arenas.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// The index of a `T` in its [`Arena`].
pub struct Handle<T> {
    index: u32,
    marker: PhantomData<fn() -> T>,
}

impl<T> Handle<T> {
    /// The position in the arena.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// The handle of a position, which must be valid.
    pub fn from_index(index: usize) -> Self {
        Handle { index: index as u32, marker: PhantomData }
    }
}

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index
    }
}

impl<T> Eq for Handle<T> {}

impl<T> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
    }
}

impl<T> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.index)
    }
}

/// A growing list whose members are identified by [`Handle`]s.
#[derive(Clone, Debug)]
pub struct Arena<T> {
    members: Vec<T>,
}

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Arena { members: Vec::new() }
    }
}

impl<T> Arena<T> {
    /// Adds a member.
    pub fn push(&mut self, member: T) -> Handle<T> {
        self.members.push(member);
        Handle::from_index(self.members.len() - 1)
    }

    /// The members, for changes.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.members.iter_mut()
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether the arena is empty.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// All members with their handles, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (Handle<T>, &T)> {
        self.members.iter().enumerate().map(|(index, member)| (Handle::from_index(index), member))
    }
}

impl<T> std::ops::Index<Handle<T>> for Arena<T> {
    type Output = T;

    fn index(&self, handle: Handle<T>) -> &T {
        &self.members[handle.index()]
    }
}

impl<T> std::ops::IndexMut<Handle<T>> for Arena<T> {
    fn index_mut(&mut self, handle: Handle<T>) -> &mut T {
        &mut self.members[handle.index()]
    }
}
