//! Pragmas that say something of the lines that follow: how records are packed, and what is not checked.

use super::Packs;
use crate::ast::Pragma;
use crate::unchecked::Unchecked;
use base::Span;

/// What pragmas have said so far, and the labels and states to which they may go back.
#[derive(Default)]
pub(super) struct Pragmas {
    pub packs: Packs,
    pub unchecked: Unchecked,
    pub others: Vec<Pragma>,
    pack: Option<u32>,
    pack_stack: Vec<(Option<String>, Option<u32>)>,
    silent: Vec<String>,
    silent_stack: Vec<Vec<String>>,
}

impl Pragmas {
    /// Takes what stands behind the `#pragma` that spans `span`, behind which it holds. Others than these don't change what a program does.
    pub fn read(&mut self, text: &str, span: Span) {
        let at = span.hi;
        if changes_symbols_or_layout(text) {
            self.others.push(Pragma { text: text.to_owned(), span });
        } else if let Some(args) = text.strip_prefix("pack") {
            self.pack(args.trim_start(), at);
        } else if let Some(args) = text.strip_prefix("CPROVER").and_then(|rest| rest.trim_start().strip_prefix("check"))
        {
            self.check(args.trim(), at);
        }
    }

    /// `pack(…)`, as GCC and MSVC understand it.
    fn pack(&mut self, args: &str, at: u32) {
        let Some(args) = args.strip_prefix('(').and_then(|a| a.split_once(')')) else { return };
        let mut words = args.0.split(',').map(str::trim).filter(|w| !w.is_empty()).peekable();
        let to_pack = |n: u32| (n > 0).then_some(n);
        match words.peek().copied() {
            None => self.pack = None,
            Some("push") => {
                let mut label = None;
                let old = self.pack;
                for word in words.skip(1) {
                    match word.parse() {
                        Ok(n) => self.pack = to_pack(n),
                        Err(_) => label = Some(word.to_owned()),
                    }
                }
                self.pack_stack.push((label, old));
            }
            Some("pop") => {
                let label = words.nth(1);
                let depth = match label {
                    Some(l) => self.pack_stack.iter().rposition(|(name, _)| name.as_deref() == Some(l)),
                    None => self.pack_stack.len().checked_sub(1),
                };
                if let Some(depth) = depth {
                    self.pack = self.pack_stack[depth].1;
                    self.pack_stack.truncate(depth);
                }
            }
            Some(word) => match word.parse() {
                Ok(n) => self.pack = to_pack(n),
                Err(_) => return,
            },
        }
        self.packs.push((at, self.pack));
    }

    /// `CPROVER check push`, `pop`, `disable "KIND"` and `enable "KIND"`, as CBMC understands them.
    fn check(&mut self, args: &str, at: u32) {
        let (verb, kind) = args.split_once(char::is_whitespace).unwrap_or((args, ""));
        let kind = kind.trim().trim_matches('"').to_owned();
        match verb {
            "push" => return self.silent_stack.push(self.silent.clone()),
            "pop" => self.silent = self.silent_stack.pop().unwrap_or_default(),
            "disable" if !self.silent.contains(&kind) => self.silent.push(kind),
            "enable" => self.silent.retain(|silent| *silent != kind),
            _ => return,
        }
        self.unchecked.since(at, self.silent.clone());
    }
}

/// Whether the pragma says something of the symbols of names, or lays out what follows in another way.
fn changes_symbols_or_layout(text: &str) -> bool {
    let (name, rest) = text.split_once(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or((text, ""));
    match name {
        "redefine_extname" | "weak" => true,
        "scalar_storage_order" => rest.trim() == "big-endian",
        "ms_struct" => rest.trim() != "off",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Pragmas {
        let mut pragmas = Pragmas::default();
        lines.iter().zip(0..).for_each(|(line, at)| pragmas.read(line, Span::new(at, at)));
        pragmas
    }

    #[test]
    fn others() {
        let lines =
            ["weak f", "once", "ms_struct on", "scalar_storage_order little-endian", "scalar_storage_order big-endian"];
        let found = read(&lines).others;
        let texts: Vec<&str> = found.iter().map(|pragma| pragma.text.as_str()).collect();
        assert_eq!(texts, ["weak f", "ms_struct on", "scalar_storage_order big-endian"]);
    }

    #[test]
    fn packs() {
        let found = read(&["pack(push, 1)", "pack(push, a, 2)", "pack(pop)", "pack(pop)", "pack(4)", "pack()", "once"]);
        let packs: Vec<_> = found.packs.iter().map(|(_, n)| *n).collect();
        assert_eq!(packs, [Some(1), Some(2), Some(1), None, Some(4), None]);
    }

    #[test]
    fn checks_are_off_between_push_and_pop() {
        let lines = [
            "CPROVER check push",
            "CPROVER check disable \"pointer\"",
            "CPROVER  check disable \"bounds\"",
            "CPROVER check pop",
        ];
        let found = read(&lines).unchecked;
        let off = |kind: &str| (0..5).map(|at| found.is_off(kind, at)).collect::<Vec<_>>();
        assert_eq!(off("pointer"), [false, true, true, false, false]);
        assert_eq!(off("bounds"), [false, false, true, false, false]);
        assert_eq!(off("conversion"), [false; 5]);
        assert_eq!((found.parts("pointer"), found.parts("conversion")), (vec![1..2, 2..3], vec![]));
        let on = read(&["CPROVER check disable \"pointer\"", "CPROVER check enable \"pointer\""]).unchecked;
        assert!(on.is_off("pointer", 0) && !on.is_off("pointer", 1));
    }
}
