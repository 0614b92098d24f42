//! Where everything comes from that the semantics leaves open.
//!
//! [`Scripted`] replays what a counterexample says, [`ListInputs`] what a user gave, [`RandomInputs`] makes things up.

use cfa::{AllocKind, EdgeId, FuncId, HavocSource, Program, Scalar, Value, VarId, layout};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// What a value or bytes are wanted for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Result of a function without a body.
    Extern(FuncId),
    /// New value of a register.
    Havoc(VarId, HavocSource),
    /// New bytes at an address.
    MemHavoc(u64, HavocSource),
    /// Content of a new local memory variable.
    Declared(VarId),
    /// Content of a new object.
    Allocated(AllocKind),
    /// Bytes of a reallocated object behind those that were kept, whose number is given.
    Reallocated(u64),
    /// Bytes of external memory at an address, never written before.
    External(u64),
    /// Bytes that a read found outside of every live object; only if the run goes on there ([`crate::OutsideRead`]).
    Outside(u64),
}

/// A request for a value or for bytes.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The program.
    pub program: &'a Program,
    /// The edge that asks.
    pub edge: EdgeId,
    /// What for.
    pub source: Source,
}

/// Source of values, bytes and addresses.
pub trait Inputs {
    /// A value of type `ty`; `None` means zero. What doesn't fit the type is cut.
    fn value(&mut self, request: &Request<'_>, ty: Scalar) -> Option<Value>;

    /// Fills in `bytes`, which are zero before.
    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]);

    /// Address for the object that the edge makes; `None`, or one that is not free, means the next one of the layout.
    fn allocation(&mut self, edge: EdgeId) -> Option<u64> {
        let _ = edge;
        None
    }
}

/// Values for each edge in the order in which they are asked for; zero where nothing is left.
#[derive(Clone, Default, Debug)]
pub struct Scripted {
    /// Results of extern calls and havocs.
    pub values: FxHashMap<EdgeId, VecDeque<Value>>,
    /// Content of new objects and of havocked memory. Too short ones are filled up with zeros.
    pub bytes: FxHashMap<EdgeId, VecDeque<Vec<u8>>>,
    /// Bytes that reads out of bounds find, by the first edge out of the location that reads.
    pub outside: FxHashMap<EdgeId, VecDeque<Vec<u8>>>,
    /// Addresses of new objects.
    pub allocations: FxHashMap<EdgeId, VecDeque<u64>>,
    /// Content of external memory.
    pub external: BTreeMap<u64, u8>,
    /// Content of external memory where `external` has none.
    pub external_rest: u8,
}

impl Scripted {
    /// Appends a value for `edge`.
    pub fn push_value(&mut self, edge: EdgeId, value: Value) {
        self.values.entry(edge).or_default().push_back(value);
    }

    /// Appends bytes for `edge`.
    pub fn push_bytes(&mut self, edge: EdgeId, bytes: Vec<u8>) {
        self.bytes.entry(edge).or_default().push_back(bytes);
    }

    /// Appends bytes that a read out of bounds finds.
    pub fn push_outside(&mut self, edge: EdgeId, bytes: Vec<u8>) {
        self.outside.entry(edge).or_default().push_back(bytes);
    }

    /// Appends an address for the object that `edge` makes.
    pub fn push_allocation(&mut self, edge: EdgeId, address: u64) {
        self.allocations.entry(edge).or_default().push_back(address);
    }
}

impl Inputs for Scripted {
    fn value(&mut self, request: &Request<'_>, _: Scalar) -> Option<Value> {
        self.values.get_mut(&request.edge)?.pop_front()
    }

    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]) {
        if let Source::External(address) = request.source {
            let end = address.saturating_add(bytes.len() as u64);
            bytes.fill(self.external_rest);
            for (at, byte) in self.external.range(address..end) {
                bytes[(at - address) as usize] = *byte;
            }
            return;
        }
        let scripts = if let Source::Outside(_) = request.source { &mut self.outside } else { &mut self.bytes };
        if let Some(script) = scripts.get_mut(&request.edge).and_then(VecDeque::pop_front) {
            let kept = if let Source::Reallocated(kept) = request.source { kept as usize } else { 0 };
            let script = script.get(kept..).unwrap_or_default();
            let len = script.len().min(bytes.len());
            bytes[..len].copy_from_slice(&script[..len]);
        }
    }

    fn allocation(&mut self, edge: EdgeId) -> Option<u64> {
        self.allocations.get_mut(&edge)?.pop_front()
    }
}

/// What a C program is given by convention before `main`: one argument, an argument vector in external memory.
///
/// `None` for requests of the program itself.
pub fn convention(request: &Request<'_>, ty: Scalar) -> Option<Value> {
    let program = request.program;
    let asks = program.locs[program.edges[request.edge].src].func;
    (asks == program.start).then(|| match ty {
        Scalar::Ptr => Value(u128::from(layout::external_range(program.machine).start + 4096)),
        Scalar::Float(_) => Value(0),
        Scalar::Bool | Scalar::Int { .. } => Value(1),
    })
}

/// The argument vector that [`convention`] gives, where its bytes are asked for: a string, whose characters are open, and null behind it.
///
/// Returns whether they are.
pub fn convention_bytes(request: &Request<'_>, bytes: &mut [u8]) -> bool {
    let Source::External(address) = request.source else { return false };
    let start = layout::external_range(request.program.machine).start;
    let word = u64::from(request.program.pointer_bits() / 8);
    let Some(offset) = address.checked_sub(start + 4096).filter(|offset| *offset < 2 * word) else { return false };
    let string = request.program.byte_order.bytes(u128::from(start + 8192), word as usize);
    for (at, byte) in (offset..).zip(bytes) {
        *byte = if at < word { string[at as usize] } else { 0 };
    }
    true
}

/// Lets an object of pointers be what a program is given: pointers to strings outside of it, and null behind them.
pub fn complete_arguments(program: &Program, bytes: &mut [u8]) {
    let range = layout::external_range(program.machine);
    let strings = range.start..range.end - (range.end - range.start) / 2;
    let word = program.pointer_bits() as usize / 8;
    let last = (bytes.len() / word).saturating_sub(1);
    for (i, pointer) in bytes.chunks_exact_mut(word).enumerate() {
        let given = program.byte_order.number(pointer) as u64;
        let string = match i {
            _ if i == last => 0,
            _ if strings.contains(&given) => given,
            _ => range.start + 8192,
        };
        pointer.copy_from_slice(&program.byte_order.bytes(u128::from(string), word));
    }
}

/// Results of extern calls in the order of the calls; everything else, and what is missing, is zero.
#[derive(Clone, Default, Debug)]
pub struct ListInputs {
    /// Values that are still to be given.
    pub values: VecDeque<Value>,
}

impl ListInputs {
    /// Inputs that give these values.
    pub fn new(values: impl IntoIterator<Item = Value>) -> Self {
        Self { values: values.into_iter().collect() }
    }
}

impl Inputs for ListInputs {
    fn value(&mut self, request: &Request<'_>, ty: Scalar) -> Option<Value> {
        match request.source {
            Source::Extern(_) => convention(request, ty).or_else(|| self.values.pop_front()),
            _ => convention(request, ty),
        }
    }

    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]) {
        convention_bytes(request, bytes);
    }
}

/// Random values, the same for the same seed: mostly small numbers, sometimes the limits of the type, sometimes anything.
#[derive(Clone, Debug)]
pub struct RandomInputs {
    state: u64,
    habits: Habits,
    /// Allocations so far.
    allocations: u64,
}

/// What random values are like.
#[derive(Clone, Debug, Default)]
pub struct Habits {
    /// Numbers near which a quarter of the integers is; none if empty.
    pub constants: Rc<[u128]>,
    /// Whether most integers are 0 or 1, as where a program asks what to do next.
    pub choices: bool,
    /// Which allocations fail.
    pub failures: Failures,
    /// Whether bytes from outside are mostly digits, and programs have arguments.
    pub texts: bool,
}

/// Which allocations fail.
#[derive(Clone, Copy, Debug, Default)]
pub enum Failures {
    #[default]
    /// None.
    None,
    /// One in eight.
    Some,
    /// The one of this number, counted from 0, and no other: programs that check most of them are wrong about one.
    One(u64),
}

/// What is between the digits of a text.
const MARKS: &[u8] = b" -+.,:/()*%=\n\tAaZz_";

/// Larger objects than this start as zeros rather than with random bytes.
const MAX_RANDOM_BYTES: usize = 1 << 16;

impl RandomInputs {
    /// Inputs for this seed.
    pub fn new(seed: u64) -> Self {
        Self::with(seed, Habits::default())
    }

    /// Inputs for this seed, with habits.
    pub const fn with(seed: u64, habits: Habits) -> Self {
        Self { state: seed, habits, allocations: 0 }
    }

    /// The next number of the splitmix64 generator (Steele, Lea and Flood, OOPSLA 2014).
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.draw() % n
    }

    /// A byte of a text, which ends now and then.
    fn character(&mut self) -> u8 {
        match self.below(16) {
            0 => 0,
            1 => MARKS[self.below(MARKS.len() as u64) as usize],
            _ => b'0' + self.below(10) as u8,
        }
    }

    /// Whether an allocation fails.
    fn fails(&mut self) -> bool {
        self.allocations += 1;
        match self.habits.failures {
            Failures::None => false,
            Failures::Some => self.below(8) == 0,
            Failures::One(n) => self.allocations == n + 1,
        }
    }

    fn int(&mut self, bits: u32) -> Value {
        if self.habits.choices && self.below(8) > 0 {
            return Value(u128::from(self.below(2)));
        }
        if !self.habits.constants.is_empty() && self.below(4) == 0 {
            let constants = self.habits.constants.clone();
            let constant = constants[self.below(constants.len() as u64) as usize];
            let near = constant.wrapping_add(u128::from(self.below(3))).wrapping_sub(1);
            return Value::truncated(near, bits);
        }
        let wide = u128::from(self.draw()) << 64 | u128::from(self.draw());
        let v = match self.below(16) {
            0..=5 => wide % 4,
            6..=9 => wide % 100,
            10 => (wide % 4).wrapping_neg(),
            11 => (wide % 100).wrapping_neg(),
            // Near the limits: 0x7f.., 0x80.., 0xff.. of this or a smaller width.
            12 | 13 => (1u128 << (bits - 1)).wrapping_add(wide % 3).wrapping_sub(1),
            14 => (1u128 << (wide % u128::from(bits))).wrapping_add((wide >> 64) % 3).wrapping_sub(1),
            _ => wide,
        };
        Value::truncated(v, bits)
    }
}

impl Inputs for RandomInputs {
    fn value(&mut self, request: &Request<'_>, ty: Scalar) -> Option<Value> {
        let program = request.program;
        if let Some(value) = convention(request, ty) {
            let is_count = self.habits.texts && ty.is_int();
            return Some(if is_count { Value(u128::from(1 + self.below(4))) } else { value });
        }
        let ctype = match request.source {
            // Natively, this is rare.
            Source::Havoc(_, HavocSource::Allocation) => return Some(Value::from(self.fails())),
            Source::Extern(func) => program.functions[func].ret_ctype,
            Source::Havoc(var, _) => program.vars[var].ctype,
            _ => return Some(self.int(ty.bits(program.pointer_bits()))),
        };
        let is_c_bool = ty == Scalar::Int { bits: 8, signed: false }
            && matches!(program.ctypes.get(ctype), cfa::CType::Scalar { name, .. } if &**name == "_Bool");
        Some(match ty {
            Scalar::Bool => Value::from(self.below(2) == 1),
            Scalar::Int { .. } if is_c_bool => Value::from(self.below(2) == 1),
            Scalar::Int { bits, .. } => self.int(u32::from(bits)),
            Scalar::Float(format) => match self.below(4) {
                0 => Value::truncated(u128::from(self.draw()) << 64 | u128::from(self.draw()), format.bits()),
                1 => cfa::eval::float_from_f64(format, self.below(2001) as f64 / 100.0 - 10.0),
                _ => cfa::eval::float_from_f64(format, self.below(21) as f64 - 10.0),
            },
            Scalar::Ptr if self.below(2) == 0 => Value(0),
            Scalar::Ptr => {
                Value(u128::from(layout::external_range(program.machine).start + 4096 * (1 + self.below(64))))
            }
        })
    }

    fn bytes(&mut self, request: &Request<'_>, bytes: &mut [u8]) {
        if convention_bytes(request, bytes) {
            return;
        }
        // What `scanf` and the like read is mostly a number.
        if let (Source::MemHavoc(..), 2 | 4 | 8) = (request.source, bytes.len()) {
            let value = self.int(8 * bytes.len() as u32);
            bytes.copy_from_slice(&request.program.byte_order.bytes(value.0, bytes.len()));
            return;
        }
        let is_text = matches!(request.source, Source::MemHavoc(..) | Source::External(_));
        if self.habits.texts && is_text && bytes.len() <= MAX_RANDOM_BYTES {
            bytes.iter_mut().for_each(|byte| *byte = self.character());
            return;
        }
        // Half of the objects stay zero: programs that read uninitialised memory mostly hope for that.
        if bytes.len() <= MAX_RANDOM_BYTES && (matches!(request.source, Source::External(_)) || self.below(2) == 0) {
            for chunk in bytes.chunks_mut(8) {
                let random = self.draw().to_le_bytes();
                let len = chunk.len();
                chunk.copy_from_slice(&random[..len]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Id;
    use cfa::build::Builder;

    #[test]
    fn random_numbers_are_splitmix64() {
        let mut random = RandomInputs::new(1_234_567);
        let expected: [u64; 3] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([random.draw(), random.draw(), random.draw()], expected);
    }

    #[test]
    fn memory_as_large_as_a_number_holds_one() {
        let program = Builder::new().program;
        let source = Source::MemHavoc(0x1000, HavocSource::Environment);
        let request = Request { program: &program, edge: EdgeId::from_index(0), source };
        let mut random = RandomInputs::with(1, Habits { choices: true, ..Habits::default() });
        let mut numbers = [0; 64].map(|zero: u32| {
            let mut bytes = zero.to_le_bytes();
            random.bytes(&request, &mut bytes);
            u32::from_le_bytes(bytes)
        });
        numbers.sort_unstable();
        assert!(numbers[40] <= 1, "most are 0 or 1: {numbers:?}");
    }

    #[test]
    fn one_allocation_fails() {
        let mut random = RandomInputs::with(1, Habits { failures: Failures::One(2), ..Habits::default() });
        assert_eq!([(); 5].map(|()| random.fails()), [false, false, true, false, false]);
    }

    #[test]
    fn texts_are_mostly_digits_and_end() {
        let program = Builder::new().program;
        let source = Source::External(0x1000);
        let request = Request { program: &program, edge: EdgeId::from_index(0), source };
        let mut random = RandomInputs::with(1, Habits { texts: true, ..Habits::default() });
        let mut bytes = [1; 256];
        random.bytes(&request, &mut bytes);
        assert!(bytes.iter().filter(|byte| byte.is_ascii_digit()).count() > 128, "{bytes:?}");
        assert!(bytes.contains(&0), "{bytes:?}");
    }
}
