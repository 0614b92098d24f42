//! From a model to a script that the interpreter replays.

use base::ByteOrder;
use cfa::EdgeId;
use encode::memory::object::{ObjId, Size};
use encode::{Encoder, LogEntry, Logged};
use interp::Scripted;
use smt::{ArrayValue, Evaluator, FloatSort, Model, TermId, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use transform::accelerate::origins::{Origin, Origins};

/// Longest initial content that is written down; the rest is zero.
const MAX_CONTENT: u64 = 1 << 26;

/// The inputs, contents and addresses that the model gives to everything that was left open on the path that it takes.
///
/// `origins` tells where the edges of a transformed program come from: the script is one for the program as it was.
pub fn script(enc: &Encoder<'_>, model: &Model, origins: Option<&Origins>) -> Scripted {
    let mut eval = model.evaluator(&enc.terms);
    let mut script = Scripted::default();
    let order = enc.program.byte_order;
    let executed: Vec<_> = enc.log.iter().filter(|entry| eval.satisfies(enc.guards.formula(entry.guard))).collect();
    let mut contents = initial_contents(enc, &mut eval, &executed);
    let mut batch = Batch::default();
    for entry in &executed {
        let origin = origins.map_or(Origin::Copy(entry.edge), |origins| origins.of(entry.edge));
        if let (Origin::Copy(_) | Origin::Count, false) = (origin, batch.is_empty()) {
            std::mem::take(&mut batch).expand(&mut script);
        }
        let entry =
            &LogEntry { edge: if let Origin::Copy(edge) = origin { edge } else { entry.edge }, ..(*entry).clone() };
        match &entry.what {
            Logged::Value { var, .. } => {
                let value = cfa::Value(bits_of(&eval.eval(*var)));
                match origin {
                    Origin::Copy(edge) => script.push_value(edge, value),
                    Origin::Count => batch.count = value.0,
                    Origin::Early(edge) => batch.early.push((edge, value)),
                    Origin::Last(edge) => batch.last.push((edge, value)),
                    Origin::Made => {}
                }
            }
            Logged::Series { edge, values } => {
                if let Value::Array(array) = eval.eval(*values) {
                    batch.each.push((*edge, array));
                }
            }
            Logged::Bytes { chunks } => {
                let bytes = chunks.iter().flat_map(|chunk| bytes_of(&mut eval, *chunk, order)).collect();
                script.push_bytes(entry.edge, bytes);
            }
            Logged::Whole { when, object, elem, var } => {
                if eval.satisfies(*when) {
                    let mut bytes = Vec::new();
                    put_array(&mut bytes, enc, &mut eval, (*object, *elem, *var));
                    script.push_bytes(entry.edge, bytes);
                }
            }
            Logged::Object { object } => {
                script.push_allocation(entry.edge, enc.objects.get(*object).base);
                script.push_bytes(entry.edge, contents.remove(object).unwrap_or_default());
            }
            Logged::Outside { when, var } => {
                if eval.satisfies(*when) {
                    script.push_outside(entry.edge, bytes_of(&mut eval, *var, order));
                }
            }
            Logged::Content { .. } | Logged::ContentArray { .. } => {}
        }
    }
    batch.expand(&mut script);
    if let Value::Array(array) = eval.eval(enc.external) {
        script.external_rest = bits_of(&array.default) as u8;
        script.external = array.elems.iter().map(|(at, byte)| (*at as u64, bits_of(byte) as u8)).collect();
    }
    script
}

/// What the objects of a run hold in the beginning, as far as it matters to the run.
fn initial_contents(enc: &Encoder<'_>, eval: &mut Evaluator<'_>, executed: &[&LogEntry]) -> BTreeMap<ObjId, Vec<u8>> {
    let mut contents: BTreeMap<ObjId, Vec<u8>> = BTreeMap::new();
    let order = enc.program.byte_order;
    for entry in executed {
        match &entry.what {
            Logged::Content { object, offset, var } => {
                let bytes = bytes_of(eval, *var, order);
                put(contents.entry(*object).or_default(), *offset, &bytes);
            }
            Logged::ContentArray { object, elem, var } => {
                put_array(contents.entry(*object).or_default(), enc, eval, (*object, *elem, *var));
            }
            _ => {}
        }
    }
    contents
}

/// Puts the elements of an array, of `elem` bytes each, where an object has them.
fn put_array(
    content: &mut Vec<u8>,
    enc: &Encoder<'_>,
    eval: &mut Evaluator<'_>,
    (object, elem, var): (ObjId, u32, TermId),
) {
    let size = match enc.objects.get(object).size {
        Size::Const(size) => size,
        Size::Term(term) => bits_of(&eval.eval(term)) as u64,
    };
    let Value::Array(array) = eval.eval(var) else { return };
    let elem = u64::from(elem);
    let elements = size.min(MAX_CONTENT) / elem;
    let mut fill = |index: u64, value: &Value| {
        let bits = enc.program.byte_order.bytes(bits_of(value), elem as usize);
        put(content, index * elem, &bits);
    };
    if bits_of(&array.default) != 0 {
        (0..elements).for_each(|index| fill(index, &array.default));
    }
    for (index, value) in &array.elems {
        if *index < u128::from(elements) {
            fill(*index as u64, value);
        }
    }
}

/// Most values that an acceleration expands to.
const MAX_EXPANDED: u128 = 1 << 24;

/// The inputs of one acceleration.
#[derive(Default)]
struct Batch {
    count: u128,
    early: Vec<(EdgeId, cfa::Value)>,
    last: Vec<(EdgeId, cfa::Value)>,
    each: Vec<(EdgeId, Arc<ArrayValue>)>,
}

impl Batch {
    fn is_empty(&self) -> bool {
        self.early.is_empty() && self.last.is_empty() && self.each.is_empty()
    }

    /// Gives each iteration its inputs.
    fn expand(self, script: &mut Scripted) {
        let inputs = self.early.len().max(self.last.len()) + self.each.len();
        if inputs == 0 {
            return;
        }
        // Longer ones are cut; then the replay fails, and there is no answer.
        for iteration in 0..self.count.min(MAX_EXPANDED / inputs as u128) {
            let values = if iteration + 1 == self.count { &self.last } else { &self.early };
            for (edge, value) in values {
                script.push_value(*edge, *value);
            }
            for (edge, array) in &self.each {
                script.push_value(*edge, cfa::Value(bits_of(array.get(iteration))));
            }
        }
    }
}

fn put(content: &mut Vec<u8>, offset: u64, bytes: &[u8]) {
    if offset + bytes.len() as u64 > MAX_CONTENT {
        return;
    }
    let (offset, end) = (offset as usize, offset as usize + bytes.len());
    if content.len() < end {
        content.resize(end, 0);
    }
    content[offset..end].copy_from_slice(bytes);
}

/// The bits of a value as the interpreter keeps them.
fn bits_of(value: &Value) -> u128 {
    match value {
        Value::Bool(b) => u128::from(*b),
        Value::Bv { value, .. } => *value,
        Value::Float { sort, bits } if *sort == FloatSort::X87 => {
            // The explicit integer bit is set unless the exponent is zero.
            let (top, fraction) = (bits >> 63, bits & ((1 << 63) - 1));
            let integer = u128::from(top & 0x7fff != 0);
            top << 64 | integer << 63 | fraction
        }
        Value::Float { bits, .. } => *bits,
        Value::Int(_) | Value::Array(_) => 0,
    }
}

fn bytes_of(eval: &mut Evaluator<'_>, term: TermId, order: ByteOrder) -> Vec<u8> {
    let value = eval.eval(term);
    let width = match &value {
        Value::Bv { width, .. } => *width,
        Value::Float { sort, .. } if *sort == FloatSort::X87 => 80,
        Value::Float { sort, .. } => sort.width(),
        _ => 8,
    };
    order.bytes(bits_of(&value), width.div_ceil(8) as usize)
}
