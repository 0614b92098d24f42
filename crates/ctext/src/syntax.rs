//! C expressions as trees with their types in C, and their text.

use cfa::{BinOp, FloatFormat, MachineModel, Scalar};

/// A C expression with its type before promotion, and bounds of its value if it is an integer.
///
/// Integer types are told apart by width and sign: C's usual arithmetic conversions need no more, since ranks decide nothing between
/// types of one width. [`Scalar::Bool`] is `_Bool`; comparisons have type `int`, which has 32 bits ([`Tree::on`] is for others).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    pub(crate) kind: Kind,
    pub(crate) ty: Scalar,
    pub(crate) range: Range,
}

/// Least and greatest value.
pub type Range = (i128, i128);

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A variable or constant of its own text.
    Atom(String, Level),
    /// An integer constant.
    Number(i128),
    /// A sign and its operand.
    Prefix(&'static str, Box<Tree>),
    /// A conversion, by the name of the type.
    Cast(String, Box<Tree>),
    Binary(BinOp, Box<Tree>, Box<Tree>),
    Choice(Box<[Tree; 3]>),
}

/// How strongly C's operators bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// `a ? b : c`
    Choice,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`, `!=`
    Equality,
    /// `<` and its like.
    Relation,
    /// `<<`, `>>`
    Shift,
    /// `+`, `-`
    Sum,
    /// `*`, `/`, `%`
    Product,
    /// Casts and signs in front.
    Unary,
    /// Names, constants, calls, members.
    Primary,
}

/// Spelling and strength of an operator.
fn operator(op: BinOp) -> (&'static str, Level) {
    match op {
        BinOp::Add => ("+", Level::Sum),
        BinOp::Sub => ("-", Level::Sum),
        BinOp::Mul => ("*", Level::Product),
        BinOp::Div => ("/", Level::Product),
        BinOp::Rem => ("%", Level::Product),
        BinOp::Shl => ("<<", Level::Shift),
        BinOp::Shr => (">>", Level::Shift),
        BinOp::BitAnd => ("&", Level::BitAnd),
        BinOp::BitOr => ("|", Level::BitOr),
        BinOp::BitXor => ("^", Level::BitXor),
        BinOp::Eq => ("==", Level::Equality),
        BinOp::Ne => ("!=", Level::Equality),
        BinOp::Lt => ("<", Level::Relation),
        BinOp::Le => ("<=", Level::Relation),
        BinOp::Gt => (">", Level::Relation),
        BinOp::Ge => (">=", Level::Relation),
        BinOp::And => ("&&", Level::And),
        BinOp::Or => ("||", Level::Or),
    }
}

/// The type's name in C; pointers are to bytes.
pub fn type_name(ty: Scalar, machine: MachineModel) -> &'static str {
    let long = machine.long_bits() == 64;
    match ty {
        Scalar::Bool => "_Bool",
        Scalar::Int { bits, signed } => match (bits, signed) {
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) if machine.int_bits() == 32 => "int",
            (32, false) if machine.int_bits() == 32 => "unsigned int",
            (32, true) => "long",
            (32, false) => "unsigned long",
            (64, true) if long => "long",
            (64, false) if long => "unsigned long",
            (64, true) => "long long",
            (64, false) => "unsigned long long",
            (_, true) => "__int128",
            (_, false) => "unsigned __int128",
        },
        Scalar::Float(FloatFormat::F32) => "float",
        Scalar::Float(FloatFormat::F64) => "double",
        Scalar::Float(FloatFormat::F16) => "_Float16",
        Scalar::Float(FloatFormat::F80) => "long double",
        Scalar::Float(FloatFormat::F128) => "__float128",
        Scalar::Ptr => "unsigned char *",
    }
}

/// The values of an integer type, of those that fit into [`i128`].
pub fn range(ty: Scalar) -> Range {
    match ty {
        Scalar::Bool => (0, 1),
        Scalar::Int { bits: 128, signed: false } => (0, i128::MAX),
        Scalar::Int { bits: 128, .. } => (i128::MIN, i128::MAX),
        Scalar::Int { bits, signed: true } => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        Scalar::Int { bits, .. } => (0, (1 << bits) - 1),
        Scalar::Float(_) | Scalar::Ptr => (0, 0),
    }
}

/// Whether one range lies in the other.
pub fn within(inner: Range, outer: Range) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

/// The integer type of that width.
pub fn int(bits: u16, signed: bool) -> Scalar {
    Scalar::Int { bits, signed }
}

/// The type in which C computes with operands of integer types.
pub fn common(a: &Tree, b: &Tree) -> Scalar {
    match (promoted(a.ty), promoted(b.ty)) {
        (Scalar::Int { bits: x, .. }, ty @ Scalar::Int { bits: y, .. }) if x < y => ty,
        (ty @ Scalar::Int { bits: x, .. }, Scalar::Int { bits: y, .. }) if y < x => ty,
        (Scalar::Int { bits, signed: s }, Scalar::Int { signed: t, .. }) => int(bits, s && t),
        (Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a.max(b)),
        (float @ Scalar::Float(_), _) | (_, float @ Scalar::Float(_)) => float,
        _ => Scalar::Ptr,
    }
}

/// The type after C's integer promotions.
pub fn promoted(ty: Scalar) -> Scalar {
    match ty {
        Scalar::Bool | Scalar::Int { bits: 8 | 16, .. } => Scalar::INT,
        ty => ty,
    }
}

/// Width of an integer type; no width for others.
pub fn width(ty: Scalar) -> u16 {
    match ty {
        Scalar::Bool => 1,
        Scalar::Int { bits, .. } => bits,
        Scalar::Float(_) | Scalar::Ptr => 0,
    }
}

impl Tree {
    /// A name or a constant. Brackets around the text of a dereferenced name are left out.
    pub fn atom(text: String, ty: Scalar) -> Self {
        let inner = text.strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
        let (text, level) = match inner {
            Some(inner) if inner.starts_with('*') && !inner.contains(['(', ')']) => (inner.to_owned(), Level::Unary),
            _ if text.starts_with(['-', '&']) => (text, Level::Unary),
            _ => (text, Level::Primary),
        };
        Self { kind: Kind::Atom(text, level), ty, range: range(ty) }
    }

    /// An integer constant, of type `int` where it fits, with a suffix only where it would have no type.
    pub fn number(value: i128) -> Self {
        let fits = |ty| within((value, value), range(ty));
        let ty = [Scalar::INT, int(64, true), int(64, false)].into_iter().find(|ty| fits(*ty));
        Self { kind: Kind::Number(value), ty: ty.unwrap_or(int(128, true)), range: (value, value) }
    }

    /// A constant of an integer type, which has a suffix if C would give it another one.
    pub fn typed_number(value: i128, ty: Scalar) -> Self {
        Self { kind: Kind::Number(value), ty, range: if width(ty) < 128 { (value, value) } else { range(ty) } }
    }

    /// `- a`, `~ a` or `! a`, of a type, with values in a range.
    pub fn prefix(sign: &'static str, a: Tree, ty: Scalar, range: Range) -> Self {
        Self { kind: Kind::Prefix(sign, Box::new(a)), ty, range }
    }

    /// The value at an address.
    pub fn load(a: Tree, ty: Scalar, machine: MachineModel) -> Self {
        if ty == int(8, false) {
            return Self::prefix("*", a, ty, range(ty));
        }
        let name = match type_name(ty, machine) {
            pointer if ty == Scalar::Ptr => format!("{pointer}*"),
            name => format!("{name} *"),
        };
        let typed = Self { kind: Kind::Cast(name, Box::new(a)), ty: Scalar::Ptr, range: (0, 0) };
        Self::prefix("*", typed, ty, range(ty))
    }

    /// `a op b`, with values in a range; `0 - b` is `-b`.
    pub fn binary(op: BinOp, a: Tree, b: Tree, ty: Scalar, range: Range) -> Self {
        if op == BinOp::Sub && a.ty == Scalar::INT && a.as_number() == Some(0) {
            return Self::prefix("-", b, ty, range);
        }
        Self { kind: Kind::Binary(op, Box::new(a), Box::new(b)), ty, range }
    }

    /// A comparison or a logical operation.
    pub fn truth(op: BinOp, a: Tree, b: Tree) -> Self {
        Self::binary(op, a, b, Scalar::INT, (0, 1))
    }

    /// `c ? a : b`
    pub fn choice(c: Tree, a: Tree, b: Tree) -> Self {
        let ty = common(&a, &b);
        let both = (a.range.0.min(b.range.0), a.range.1.max(b.range.1));
        let range = if within(both, range(ty)) { both } else { range(ty) };
        Self { kind: Kind::Choice(Box::new([c, a, b])), ty, range }
    }

    /// A conversion to a type.
    pub fn cast(self, ty: Scalar, machine: MachineModel) -> Self {
        let keeps = width(self.ty) > 0 && ty.is_int() && within(self.range, range(ty));
        let range = if keeps { self.range } else { range(ty) };
        Self { kind: Kind::Cast(type_name(ty, machine).to_owned(), Box::new(self)), ty, range }
    }

    /// Its type, before promotion.
    pub fn ty(&self) -> Scalar {
        self.ty
    }

    /// Bounds of its value.
    pub fn range(&self) -> Range {
        self.range
    }

    /// The number that it is.
    pub fn as_number(&self) -> Option<i128> {
        match self.kind {
            Kind::Number(value) => Some(value),
            _ => None,
        }
    }

    /// What is converted, if it is a conversion.
    pub fn converted(&self) -> Option<&Tree> {
        match &self.kind {
            Kind::Cast(_, a) => Some(a),
            _ => None,
        }
    }

    /// Number of casts and suffixes.
    pub fn conversions(&self) -> usize {
        match &self.kind {
            Kind::Atom(..) => 0,
            Kind::Number(_) => usize::from(!self.ty.is_signed()),
            Kind::Prefix(_, a) => a.conversions(),
            Kind::Cast(_, a) => 1 + a.conversions(),
            Kind::Binary(_, a, b) => a.conversions() + b.conversions(),
            Kind::Choice(parts) => parts.iter().map(Tree::conversions).sum(),
        }
    }

    /// The text of the expression.
    pub fn text(&self) -> String {
        self.leveled().0
    }

    /// As the value of a variable: `x += b`, or `x = b`.
    pub fn assignment(&self, name: &str) -> String {
        let is_name = |a: &Tree| matches!(&a.kind, Kind::Atom(text, _) if text == name);
        if let Kind::Binary(op, a, b) = &self.kind {
            let commutes = matches!(op, BinOp::Add | BinOp::Mul | BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor);
            let other = if is_name(a) { Some(b) } else { Some(a).filter(|_| commutes && is_name(b)) };
            let has_compound = !op.is_comparison() && !matches!(op, BinOp::And | BinOp::Or);
            if let Some(other) = other.filter(|_| has_compound) {
                return format!("{name} {}= {}", operator(*op).0, other.text());
            }
        }
        format!("{name} = {}", self.text())
    }

    fn leveled(&self) -> (String, Level) {
        match &self.kind {
            Kind::Atom(text, level) => (text.clone(), *level),
            Kind::Number(value) => self.number_text(*value),
            Kind::Prefix(sign, a) => {
                let a = a.operand(Level::Unary);
                // `--a` would be another operator.
                let text = if *sign == "-" && a.starts_with('-') { format!("-({a})") } else { format!("{sign}{a}") };
                (text, Level::Unary)
            }
            Kind::Cast(name, a) => (format!("({name}){}", a.operand(Level::Unary)), Level::Unary),
            Kind::Binary(op, a, b) => {
                let (sign, level) = operator(*op);
                let b = match associates(*op) && b.is_binary(*op) {
                    true => b.text(),
                    false => b.beside(*op, Side::Right),
                };
                (format!("{} {sign} {b}", a.beside(*op, Side::Left)), level)
            }
            Kind::Choice(parts) => {
                let [c, a, b] = parts.as_ref();
                (format!("{} ? {} : {}", c.operand(Level::Or), a.text(), b.text()), Level::Choice)
            }
        }
    }

    fn number_text(&self, value: i128) -> (String, Level) {
        let Scalar::Int { bits, signed } = self.ty else { return (value.to_string(), Level::Primary) };
        if bits == 128 {
            let name = if signed { "__int128" } else { "unsigned __int128" };
            let (high, low) = ((value as u128 >> 64) as u64, value as u64);
            return (format!("(({name})((unsigned __int128){high:#x}u << 64 | {low:#x}u))"), Level::Primary);
        }
        if signed && bits >= 32 && value == -(1 << (bits - 1)) {
            // C has no negative constants, and the positive one would not fit.
            return (format!("{} - 1", value + 1), Level::Sum);
        }
        let suffix = match signed {
            true => "",
            false if bits == 64 && value <= i128::from(u32::MAX) => "ull",
            false => "u",
        };
        (format!("{value}{suffix}"), if value < 0 { Level::Unary } else { Level::Primary })
    }

    fn is_binary(&self, op: BinOp) -> bool {
        matches!(self.kind, Kind::Binary(own, ..) if own == op)
    }

    /// Its text as an operand of what binds that strongly.
    pub fn operand(&self, level: Level) -> String {
        let (text, own) = self.leveled();
        if own >= level { text } else { format!("({text})") }
    }

    /// As an operand of an operator, with the brackets that C or `-Wparentheses` asks for.
    fn beside(&self, op: BinOp, side: Side) -> String {
        let (text, own) = self.leveled();
        let level = operator(op).1;
        let binds = if side == Side::Left { own >= level } else { own > level };
        let confusing = match level {
            Level::Or => own == Level::And,
            Level::BitOr | Level::BitXor | Level::BitAnd => {
                own != level && (Level::BitOr..=Level::Sum).contains(&own) && own != Level::Shift
            }
            Level::Equality | Level::Relation => matches!(own, Level::Equality | Level::Relation),
            Level::Shift => own == Level::Sum,
            _ => false,
        };
        if binds && !confusing { text } else { format!("({text})") }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Whether `a op (b op c)` may be written without brackets: only for logical operators, whose results have one type.
fn associates(op: BinOp) -> bool {
    matches!(op, BinOp::And | BinOp::Or)
}
