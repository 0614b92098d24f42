//! Bitwise operators, shifts, and taking bits apart and together.

use crate::sort::MAX_WIDTH;
use crate::term::{BinOp, Node, TermId, Terms, UnOp};
use crate::value::mask;

impl Terms {
    /// Complement.
    #[track_caller]
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        if let Some(folded) = self.fold_un(UnOp::BvNot, a) {
            return folded;
        }
        match self.node(a) {
            Node::Un(UnOp::BvNot, x) => x,
            Node::Bin(BinOp::BvXor, x, c) if self.is_const(c) => {
                let c = self.bv_not(c);
                self.bv_xor(x, c)
            }
            _ => self.raw_un(UnOp::BvNot, a),
        }
    }

    fn bitwise_complements(&self, a: TermId, b: TermId) -> bool {
        self.node(a) == Node::Un(UnOp::BvNot, b) || self.node(b) == Node::Un(UnOp::BvNot, a)
    }

    /// Bitwise and.
    #[track_caller]
    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return a;
        }
        if let Some(folded) = self.fold_bin(BinOp::BvAnd, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if self.bitwise_complements(a, b) {
            return self.bv(width, 0);
        }
        if let Some(c) = self.as_bv_const(b) {
            if c == 0 {
                return b;
            }
            if c == mask(width) || (c & (c + 1) == 0 && self.bounds(a).1 <= c) {
                return a;
            }
            // A run of ones is a piece of the term between zeros.
            let (low, high) = (c.trailing_zeros(), 128 - c.leading_zeros());
            if c == mask(high) & !mask(low) {
                let piece = self.extract(high - 1, low, a);
                let piece = if low == 0 {
                    piece
                } else {
                    let zeros = self.bv(low, 0);
                    self.concat(piece, zeros)
                };
                return self.zero_ext(width - high, piece);
            }
            match self.node(a) {
                Node::Bin(BinOp::BvAnd, x, d) if self.is_const(d) => {
                    let both = self.bv_and(d, b);
                    return self.bv_and(x, both);
                }
                Node::Un(UnOp::ZeroExt(extra), x) => {
                    let inner = self.width(x);
                    let c = self.bv(inner, c);
                    let masked = self.bv_and(x, c);
                    return self.zero_ext(extra.into(), masked);
                }
                _ => {}
            }
        }
        self.raw_bin(BinOp::BvAnd, a, b)
    }

    /// Bitwise or.
    #[track_caller]
    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return a;
        }
        if let Some(folded) = self.fold_bin(BinOp::BvOr, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if self.bitwise_complements(a, b) {
            return self.bv(width, u128::MAX);
        }
        if let Some(c) = self.as_bv_const(b) {
            if c == 0 {
                return a;
            }
            if c == mask(width) {
                return b;
            }
            if let Node::Bin(BinOp::BvOr, x, d) = self.node(a)
                && self.is_const(d)
            {
                let both = self.bv_or(d, b);
                return self.bv_or(x, both);
            }
        }
        if let Some(joined) = self.or_of_disjoint_pieces(a, b) {
            return joined;
        }
        self.raw_bin(BinOp::BvOr, a, b)
    }

    /// `y | (x ++ zeros)` is `x ++ y`, where `y` has room in the zeros: numbers put together by shifts.
    fn or_of_disjoint_pieces(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        for (low, high) in [(a, b), (b, a)] {
            let zeros = self.congruence(high).zeros().min(width - 1);
            if zeros > 0 && self.bounds(low).1 <= mask(zeros) {
                return self.nested(|terms| {
                    let (x, y) = (terms.extract(width - 1, zeros, high), terms.extract(zeros - 1, 0, low));
                    terms.concat(x, y)
                });
            }
        }
        None
    }

    /// Bitwise exclusive or.
    #[track_caller]
    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return self.bv(width, 0);
        }
        if let Some(folded) = self.fold_bin(BinOp::BvXor, a, b) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if self.bitwise_complements(a, b) {
            return self.bv(width, u128::MAX);
        }
        if let Some(c) = self.as_bv_const(b) {
            if c == 0 {
                return a;
            }
            if c == mask(width) {
                return self.bv_not(a);
            }
            match self.node(a) {
                Node::Bin(BinOp::BvXor, x, d) if self.is_const(d) => {
                    let both = self.bv_xor(d, b);
                    return self.bv_xor(x, both);
                }
                Node::Un(UnOp::BvNot, x) => {
                    let c = self.bv_not(b);
                    return self.bv_xor(x, c);
                }
                _ => {}
            }
        }
        self.raw_bin(BinOp::BvXor, a, b)
    }

    /// Shift left; zero when the distance is at least the width.
    #[track_caller]
    pub fn bv_shl(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::BvShl, a, b) {
            return folded;
        }
        match self.distance(a, b) {
            Some(distance) => self.shl_const(a, distance),
            None if self.as_bv_const(a) == Some(0) => a,
            None => self.raw_bin(BinOp::BvShl, a, b),
        }
    }

    /// Logical shift right; zero when the distance is at least the width.
    #[track_caller]
    pub fn bv_lshr(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::BvLshr, a, b) {
            return folded;
        }
        match self.distance(a, b) {
            Some(distance) => self.lshr_const(a, distance),
            None if self.as_bv_const(a) == Some(0) => a,
            None => self.raw_bin(BinOp::BvLshr, a, b),
        }
    }

    /// Arithmetic shift right.
    #[track_caller]
    pub fn bv_ashr(&mut self, a: TermId, b: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::BvAshr, a, b) {
            return folded;
        }
        let width = self.width(a);
        if let Some(distance) = self.distance(a, b) {
            let distance = distance.min(width - 1);
            let high = self.extract(width - 1, distance, a);
            return self.sign_ext(distance, high);
        }
        if self.as_bv_const(a).is_some_and(|c| c == 0 || c == mask(width)) {
            return a;
        }
        if self.is_nonnegative(a) {
            return self.bv_lshr(a, b);
        }
        self.raw_bin(BinOp::BvAshr, a, b)
    }

    /// A constant distance of a shift, at most the width.
    fn distance(&self, a: TermId, b: TermId) -> Option<u32> {
        let distance = self.as_bv_const(b)?;
        let width = self.width(a);
        Some(u32::try_from(distance).unwrap_or(u32::MAX).min(width))
    }

    pub(super) fn shl_const(&mut self, a: TermId, distance: u32) -> TermId {
        let width = self.width(a);
        if distance == 0 {
            return a;
        }
        if distance >= width {
            return self.bv(width, 0);
        }
        if let (base, c @ 1..) = self.split_offset(a) {
            // Keeps offsets of array indices outermost.
            let shifted = self.shl_const(base, distance);
            return self.bv_add_const(shifted, c << distance);
        }
        let low = self.extract(width - 1 - distance, 0, a);
        let zeros = self.bv(distance, 0);
        self.concat(low, zeros)
    }

    pub(super) fn lshr_const(&mut self, a: TermId, distance: u32) -> TermId {
        let width = self.width(a);
        if distance >= width {
            return self.bv(width, 0);
        }
        let high = self.extract(width - 1, distance, a);
        self.zero_ext(distance, high)
    }

    /// Bits of `hi` in front of those of `lo`.
    #[track_caller]
    pub fn concat(&mut self, hi: TermId, lo: TermId) -> TermId {
        if let Some(folded) = self.fold_bin(BinOp::Concat, hi, lo) {
            return folded;
        }
        if self.as_bv_const(hi) == Some(0) {
            let extra = self.width(hi);
            return self.zero_ext(extra, lo);
        }
        match (self.node(hi), self.node(lo)) {
            (Node::Bin(BinOp::Concat, a, b), _) => {
                let rest = self.concat(b, lo);
                return self.concat(a, rest);
            }
            (Node::Un(UnOp::ZeroExt(extra), x), _) => {
                let rest = self.concat(x, lo);
                return self.zero_ext(extra.into(), rest);
            }
            (Node::Un(UnOp::Extract { hi: h, lo: m }, x), Node::Un(UnOp::Extract { hi: n, lo: l }, y))
                if x == y && m == n + 1 =>
            {
                return self.extract(h.into(), l.into(), x);
            }
            (_, Node::Bin(BinOp::Concat, a, b)) => {
                let joinable = match (self.node(hi), self.node(a)) {
                    (Node::Bv { .. }, Node::Bv { .. }) => true,
                    (Node::Un(UnOp::Extract { lo: m, .. }, x), Node::Un(UnOp::Extract { hi: n, .. }, y)) => {
                        x == y && m == n + 1
                    }
                    _ => false,
                };
                if joinable {
                    let front = self.concat(hi, a);
                    return self.concat(front, b);
                }
            }
            _ => {}
        }
        self.raw_bin(BinOp::Concat, hi, lo)
    }

    /// `extra` zero bits in front of `t`.
    #[track_caller]
    pub fn zero_ext(&mut self, extra: u32, t: TermId) -> TermId {
        if extra == 0 {
            return t;
        }
        assert!(extra < MAX_WIDTH, "extension by {extra} bits");
        let op = UnOp::ZeroExt(extra as u8);
        if let Some(folded) = self.fold_un(op, t) {
            return folded;
        }
        match self.node(t) {
            Node::Un(UnOp::ZeroExt(more), x) => self.zero_ext(extra + u32::from(more), x),
            Node::Un(UnOp::Extract { lo: 0, .. }, x) if self.bounds(x).1 <= mask(self.width(t)) => {
                self.zero_resize(self.width(t) + extra, x)
            }
            _ => self.raw_un(op, t),
        }
    }

    /// `extra` copies of the sign bit in front of `t`.
    #[track_caller]
    pub fn sign_ext(&mut self, extra: u32, t: TermId) -> TermId {
        if extra == 0 {
            return t;
        }
        assert!(extra < MAX_WIDTH, "extension by {extra} bits");
        let op = UnOp::SignExt(extra as u8);
        if let Some(folded) = self.fold_un(op, t) {
            return folded;
        }
        match self.node(t) {
            Node::Un(UnOp::SignExt(more), x) => self.sign_ext(extra + u32::from(more), x),
            Node::Un(UnOp::ZeroExt(more), x) => self.zero_ext(extra + u32::from(more), x),
            _ if self.is_nonnegative(t) => self.zero_ext(extra, t),
            _ => self.raw_un(op, t),
        }
    }

    /// `t` with exactly `width` bits: cut, or extended by zeros.
    #[track_caller]
    pub fn zero_resize(&mut self, width: u32, t: TermId) -> TermId {
        let old = self.width(t);
        if width < old { self.extract(width - 1, 0, t) } else { self.zero_ext(width - old, t) }
    }

    /// `t` with exactly `width` bits: cut, or extended by its sign.
    #[track_caller]
    pub fn sign_resize(&mut self, width: u32, t: TermId) -> TermId {
        let old = self.width(t);
        if width < old { self.extract(width - 1, 0, t) } else { self.sign_ext(width - old, t) }
    }

    /// Bits `hi` down to `lo` of `t`, both included.
    #[track_caller]
    pub fn extract(&mut self, hi: u32, lo: u32, t: TermId) -> TermId {
        let width = self.width(t);
        assert!(lo <= hi && hi < width, "bits {hi} to {lo} of {width}");
        if lo == 0 && hi == width - 1 {
            return t;
        }
        let op = UnOp::Extract { hi: hi as u8, lo: lo as u8 };
        if let Some(folded) = self.fold_un(op, t) {
            return folded;
        }
        let (min, max) = self.bounds(t);
        if min >> lo == max >> lo {
            return self.bv(hi - lo + 1, min >> lo);
        }
        match self.node(t) {
            Node::Un(UnOp::Extract { lo: inner, .. }, x) => {
                self.extract(hi + u32::from(inner), lo + u32::from(inner), x)
            }
            Node::Bin(BinOp::Concat, a, b) => {
                let split = self.width(b);
                if hi < split {
                    self.extract(hi, lo, b)
                } else if lo >= split {
                    self.extract(hi - split, lo - split, a)
                } else {
                    let (a, b) = (self.extract(hi - split, 0, a), self.extract(split - 1, lo, b));
                    self.concat(a, b)
                }
            }
            Node::Un(UnOp::ZeroExt(_), x) => {
                let inner = self.width(x);
                if lo >= inner {
                    self.bv(hi - lo + 1, 0)
                } else {
                    let low = self.extract(hi.min(inner - 1), lo, x);
                    self.zero_ext((hi + 1).saturating_sub(inner), low)
                }
            }
            Node::Un(UnOp::SignExt(_), x) => {
                let inner = self.width(x);
                let low = self.extract(hi.min(inner - 1), lo.min(inner - 1), x);
                let missing = hi - lo + 1 - self.width(low);
                self.sign_ext(missing, low)
            }
            _ => match self.nested(|terms| terms.pushed_extract(hi, lo, t)) {
                Some(result) => result,
                None => self.raw_un(op, t),
            },
        }
    }

    /// Extracts from the arguments of `t` instead, where one of them becomes simpler.
    fn pushed_extract(&mut self, hi: u32, lo: u32, t: TermId) -> TermId {
        match self.node(t) {
            // It is a number in fewer bits, as which an extension finds it again.
            Node::Bin(..) if lo == 0 && self.bounds(t).1 <= mask(hi + 1) => {}
            Node::Bin(op @ (BinOp::BvAnd | BinOp::BvOr | BinOp::BvXor), a, b)
                if self.is_easy_to_cut(a) || self.is_easy_to_cut(b) =>
            {
                let (a, b) = (self.extract(hi, lo, a), self.extract(hi, lo, b));
                return self.bin(op, a, b);
            }
            Node::Bin(op @ (BinOp::BvAdd | BinOp::BvSub | BinOp::BvMul), a, b)
                if lo == 0 && (self.is_easy_to_cut(a) || self.is_easy_to_cut(b)) =>
            {
                let (a, b) = (self.extract(hi, lo, a), self.extract(hi, lo, b));
                return self.bin(op, a, b);
            }
            Node::Bin(op @ (BinOp::BvAdd | BinOp::BvSub), a, b)
                if lo > 0 && self.congruence(a).zeros().min(self.congruence(b).zeros()) >= lo =>
            {
                let (a, b) = (self.extract(hi, lo, a), self.extract(hi, lo, b));
                return self.bin(op, a, b);
            }
            Node::Un(UnOp::BvNot, a) if self.is_easy_to_cut(a) => {
                let a = self.extract(hi, lo, a);
                return self.bv_not(a);
            }
            Node::Un(UnOp::BvNeg, a) if lo == 0 && self.is_easy_to_cut(a) => {
                let a = self.extract(hi, lo, a);
                return self.bv_neg(a);
            }
            Node::Ite(c, a, b) if self.is_easy_to_cut(a) && self.is_easy_to_cut(b) => {
                let (a, b) = (self.extract(hi, lo, a), self.extract(hi, lo, b));
                return self.ite(c, a, b);
            }
            _ => {}
        }
        self.raw_un(UnOp::Extract { hi: hi as u8, lo: lo as u8 }, t)
    }

    fn is_easy_to_cut(&self, t: TermId) -> bool {
        matches!(
            self.node(t),
            Node::Bv { .. } | Node::Un(UnOp::ZeroExt(_) | UnOp::SignExt(_), _) | Node::Bin(BinOp::Concat, ..)
        )
    }
}
