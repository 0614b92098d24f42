//! The call of an entry function that is not `main`, with the arguments of a run.

use super::literal;
use base::Span;
use cfa::{CType, CTypeId, Function, Program, Scalar, Storage};
use outcome::{Input, InputSource};
use std::fmt::Write;

/// Most bytes of text from the specifiers of a definition to its name.
const MAX_SPECIFIERS: u32 = 200;

/// A call that shows the run, as far as the inputs say which it is.
pub(super) struct Call<'a> {
    function: &'a Function,
    /// Type and value of each argument, in C.
    arguments: Vec<(String, String)>,
    /// Objects that arguments lead to: name, size and first bytes.
    objects: Vec<(String, u64, &'a [u8])>,
    /// Whether the program has a `main`, which is not the entry function.
    has_main: bool,
}

/// How the entry function is called.
pub(super) enum Entry<'a> {
    /// It is `main`.
    Main,
    /// It is not.
    Other(Call<'a>),
    /// Another file can't call it like that.
    Unknown,
}

/// Finds out how the entry function is called.
pub(super) fn of<'a>(program: &'a Program, entry: &str, inputs: &'a [Input]) -> Entry<'a> {
    if entry == "main" {
        return Entry::Main;
    }
    let defined = |name: &str| program.functions.iter().find(|f| f.body.is_some() && &*f.name == name);
    let Some(function) = defined(entry) else { return Entry::Unknown };
    let is_plain = function.params.len() == function.param_ctypes.len() && !function.variadic;
    let gives_record = matches!(program.ctypes.get(function.ret_ctype), CType::Record { .. });
    if !is_plain || gives_record || is_static(program, function) {
        return Entry::Unknown;
    }
    let mut call = Call { function, arguments: Vec::new(), objects: Vec::new(), has_main: defined("main").is_some() };
    for (number, (param, ctype)) in function.params.iter().zip(&function.param_ctypes).enumerate() {
        let var = &program.vars[*param];
        let Storage::Register(scalar) = var.storage else { return Entry::Unknown };
        let argument = match scalar {
            Scalar::Ptr => call.pointer(program, &var.name, *ctype, inputs),
            Scalar::Float(_) => None,
            _ => {
                let value = inputs.iter().find(|i| matches!(i.source, InputSource::Argument(n, _) if n == number));
                let text = value.map_or_else(|| "0".to_owned(), |input| literal(input.value, scalar));
                Some((cfa::display::scalar(scalar, program.machine).to_owned(), text))
            }
        };
        let Some(argument) = argument else { return Entry::Unknown };
        call.arguments.push(argument);
    }
    Entry::Other(call)
}

impl<'a> Call<'a> {
    /// Null, or an object of its own.
    fn pointer(&mut self, program: &Program, name: &str, ty: CTypeId, inputs: &'a [Input]) -> Option<(String, String)> {
        let CType::Pointer(to) = *program.ctypes.get(ty) else { return None };
        let said =
            |what: &str| inputs.iter().find(|i| matches!(&i.source, InputSource::Environment(text) if text == what));
        let pointer = |text: String| Some(("void *".to_owned(), text));
        let is_null = said(&format!("{name} is null"))?;
        if is_null.value.0 != 0 {
            return pointer("(void *)0".to_owned());
        }
        if leads_further(program, to) {
            return None;
        }
        let object = format!("{name}_object");
        let bytes = inputs.iter().find_map(|input| match &input.source {
            InputSource::Object { declared, bytes } if declared.contains(&format!(" {object}[")) => Some(&**bytes),
            _ => None,
        });
        let count = said(&format!("elements of {name}"))?.value.0 as u64;
        let size = count.checked_mul(program.ctypes.size(to).max(1))?;
        self.objects.push((object.clone(), size, bytes.unwrap_or_default()));
        pointer(object)
    }

    /// Whether an input is one of the arguments.
    pub(super) fn gives(&self, input: &Input) -> bool {
        match &input.source {
            InputSource::Argument(..) => true,
            InputSource::Object { declared, .. } => {
                self.objects.iter().any(|(name, ..)| declared.contains(&format!(" {name}[")))
            }
            InputSource::Environment(text) => text.ends_with(" is null") || text.starts_with("elements of "),
            _ => false,
        }
    }

    /// The function that calls it: `main`, or where the program has one, what runs before that.
    pub(super) fn define(&self, out: &mut String) {
        let Self { function, arguments, objects, has_main } = self;
        let name = &function.name;
        let types: Vec<&str> = arguments.iter().map(|(ty, _)| ty.as_str()).collect();
        let values: Vec<&str> = arguments.iter().map(|(_, value)| value.as_str()).collect();
        let types = if types.is_empty() { "void".to_owned() } else { types.join(", ") };
        let _ = write!(out, "\n/* The entry function, and its arguments. */\nextern void {name}({types});\n");
        if !objects.is_empty() {
            // What a caller has made is not lost.
            let _ = write!(out, "extern void *malloc(unsigned long);\nvoid *hone_kept[{}];\n", objects.len());
        }
        let head =
            if *has_main { "__attribute__((constructor)) static void hone_main(void)" } else { "int main(void)" };
        let _ = writeln!(out, "extern void exit(int);\n{head} {{");
        for (i, (object, size, bytes)) in objects.iter().enumerate() {
            let text: Vec<String> = bytes.iter().take(*size as usize).map(u8::to_string).collect();
            let _ = write!(
                out,
                "    static const unsigned char {object}_bytes[{size} + 1] = {{{}}};\n    \
                 unsigned char *{object} = hone_kept[{i}] = malloc({size});\n    \
                 for (unsigned long i = 0; i < {size}; i++) {{\n        {object}[i] = {object}_bytes[i];\n    }}\n",
                text.join(", ")
            );
        }
        let _ = write!(out, "    {name}({});\n    exit(0);\n}}\n", values.join(", "));
    }
}

/// Whether objects of a type hold pointers.
fn leads_further(program: &Program, ty: CTypeId) -> bool {
    match program.ctypes.get(ty) {
        CType::Pointer(_) => true,
        CType::Array(of, _) => leads_further(program, *of),
        CType::Record { fields, .. } => fields.iter().any(|field| leads_further(program, field.ty)),
        _ => false,
    }
}

/// Whether the definition is `static`, by its text.
fn is_static(program: &Program, function: &Function) -> bool {
    let before = Span { lo: function.span.lo.saturating_sub(MAX_SPECIFIERS), hi: function.span.lo };
    let text = program.source.snippet(before);
    let declared = text.rsplit([';', '}', '\n']).find(|part| !part.trim().is_empty()).unwrap_or_default();
    declared.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "static")
}
