//! The programs: each builds, changes and frees linked structures; those with segments do it for any number of nodes.

use crate::explore::explore;
use crate::laws;
use crate::runs::{self, Shows};

macro_rules! programs {
    ($($name:ident: $shows:ident,)*) => {
        $(
            #[test]
            fn $name() {
                let explored = explore(include_str!(concat!("programs/", stringify!($name), ".c")));
                runs::check(&explored, Shows::$shows);
                laws::check(&explored);
            }
        )*
    };
}

programs! {
    singly_from_front: Segments,
    singly_from_end: Segments,
    doubly_from_front: Segments,
    doubly_from_end: Segments,
    list_of_lists: Owned,
    block_for_each_node: Owned,
    block_for_some_nodes: Owned,
    blocks_within_blocks: Owned,
    circular_with_head: Segments,
    deletion_in_the_middle: Segments,
    reversal: Segments,
    sorted_insertion: Segments,
    stack_of_nodes: Segments,
    end_pointer: Segments,
    globals: Segments,
    structs_on_the_stack: Objects,
    pointers_to_pointers: Segments,
    embedded_links: Segments,
    grown_by_realloc: Objects,
    copied_and_cleared: Segments,
    truth_values: Segments,
    bounded_recursion: Objects,
    parent_pointers: Owned,
    freed_nodes: Segments,
    shared_or_own: Owned,
    numbers_without_sign: Objects,
    end_of_any_value: Segments,
    last_of_its_kind: Segments,
    two_kinds: Segments,
    tree: Segments,
    tree_with_stack: Owned,
    tree_with_parents: Segments,
    own_or_block: Owned,
    rings_in_nodes: Owned,
}
