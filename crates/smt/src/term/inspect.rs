//! What terms are: constants, variables, names, sizes.

use super::{FALSE, Node, TRUE, TermId, Terms, VarName};

impl Terms {
    /// The bits of a bit-vector constant.
    #[inline]
    pub fn as_bv_const(&self, t: TermId) -> Option<u128> {
        match self.nodes[t.index()] {
            Node::Bv { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The bits of a float constant.
    #[inline]
    pub fn as_fp_const(&self, t: TermId) -> Option<u128> {
        match self.nodes[t.index()] {
            Node::Float { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// The value of a Boolean constant.
    #[inline]
    pub fn as_bool_const(&self, t: TermId) -> Option<bool> {
        match t {
            FALSE => Some(false),
            TRUE => Some(true),
            _ => None,
        }
    }

    /// The value of an integer constant.
    pub fn as_int_const(&self, t: TermId) -> Option<i128> {
        match self.nodes[t.index()] {
            Node::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether `t` is the constant `true`.
    #[inline]
    pub fn is_true(&self, t: TermId) -> bool {
        t == TRUE
    }

    /// Whether `t` is the constant `false`.
    #[inline]
    pub fn is_false(&self, t: TermId) -> bool {
        t == FALSE
    }

    /// Whether `t` is a variable.
    #[inline]
    pub fn is_var(&self, t: TermId) -> bool {
        matches!(self.nodes[t.index()], Node::Var { .. })
    }

    /// Number of different subterms of `t`, itself included.
    pub fn size(&self, t: TermId) -> usize {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                stack.extend_from_slice(&self.children(t));
            }
        }
        seen.len()
    }

    /// Name of a variable: the given one, or `prefix!number` for a fresh one. `None` for other terms.
    pub fn var_name(&self, t: TermId) -> Option<String> {
        let Node::Var { id, .. } = self.node(t) else { return None };
        let VarName { name, number } = self.vars[id.0 as usize];
        let name = &self.names[name as usize];
        Some(number.map_or_else(|| name.to_string(), |n| format!("{name}!{n}")))
    }

    /// Number of terms in the arena.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: `true` and `false` are always there.
    pub fn is_empty(&self) -> bool {
        false
    }
}
