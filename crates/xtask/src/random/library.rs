//! Statements that call C's library: texts, bytes, numbers from texts and texts from numbers, characters, sorting.
//!
//! Texts always end within their array, and what is compared is only what C defines: the sign of `strcmp`, not its value.

use super::program::Writer;

/// What texts are set to; at most seven characters.
const LITERALS: [&str; 10] =
    ["\"\"", "\"a\"", "\"12\"", "\"-3\"", "\"0x1f\"", "\" 7z\"", "\"abcab\"", "\"B a\"", "\"+08\"", "\"zz9.5\""];
/// Functions from a character to a truth value or a character.
const CHARACTERS: [&str; 10] =
    ["isdigit", "isalpha", "isspace", "isupper", "isxdigit", "ispunct", "isalnum", "islower", "toupper", "tolower"];
/// Formats for a number of type `int`, with at most seven characters for numbers of at most three digits.
const FORMATS: [&str; 9] = ["%d", "%x", "%5d", "%-4d|", "%+d", "%03d", "<%i>", "%.2d", "%o"];

impl Writer {
    /// An array of characters with a text.
    pub(super) fn text(&mut self, depth: usize) {
        let (name, room, value) = (self.name("t"), 8 + self.rng.usize(..4), self.pick(&LITERALS));
        self.line(depth, &format!("char {name}[{room}] = {value};"));
        self.scope.texts.push((name, room));
    }

    /// A statement that calls the library.
    pub(super) fn library(&mut self, depth: usize) {
        let (Some((t, room)), Some((u, _))) =
            (self.rng.choice(self.scope.texts.clone()), self.rng.choice(self.scope.texts.clone()))
        else {
            return self.text(depth);
        };
        match self.rng.u8(..3) {
            0 => self.change(depth, (&t, room), &u),
            _ => self.ask(depth, &t, &u),
        }
    }

    /// Changes a text.
    fn change(&mut self, depth: usize, (t, room): (&str, usize), u: &str) {
        let (a, last) = (self.atom(), room - 1);
        let (literal, format) = (self.pick(&LITERALS), self.pick(&FORMATS));
        let lines = match self.rng.u8(..10) {
            0 => vec![format!("strcpy({t}, {literal});")],
            1 => vec![format!("snprintf({t}, {room}, \"{format}\", (int)(signed char)({a}));")],
            2 => vec![format!("snprintf({t}, {room}, \"%s%c\", {literal}, 'a' + (int)((unsigned)({a}) % 5));")],
            3 => vec![format!("memset({t}, '0' + (int)((unsigned)({a}) % 10), {});", self.rng.usize(..=last))],
            4 => vec![format!("strncpy({t}, {literal}, {last});"), format!("{t}[{last}] = 0;")],
            5 => vec![format!("strncat({t}, {literal}, {last} - strlen({t}));")],
            6 => {
                let by = 1 + self.rng.usize(..3);
                vec![format!("memmove({t} + {by}, {t}, {});", last - by), format!("{t}[{last}] = 0;")]
            }
            7 => vec![format!("{t}[(unsigned)({a}) % {last}] = (char)('x' + ({a} & 1));")],
            8 if t != u => vec![format!("if (strlen({u}) < {room}) strcpy({t}, {u});")],
            _ => vec![format!("if ({t}[0]) {t}[0] = (char)toupper((unsigned char){t}[0]);")],
        };
        lines.iter().for_each(|line| self.line(depth, line));
    }

    /// Sets a variable to what the library says of a text or of numbers.
    fn ask(&mut self, depth: usize, t: &str, u: &str) {
        let Some(target) = self.one_of(&self.scope.variables.clone()) else { return };
        let (a, b) = (self.atom(), self.atom());
        let (literal, character) = (self.pick(&LITERALS), self.pick(&CHARACTERS));
        let value = match self.rng.u8(..14) {
            0 => format!("(int)strlen({t})"),
            1 => format!("(strcmp({t}, {u}) < 0)"),
            2 => format!("(strncmp({t}, {literal}, {}) == 0)", self.rng.u8(..4)),
            3 => format!("(memcmp({t}, {u}, {}) > 0)", self.rng.u8(..8)),
            4 => format!("(strchr({t}, 'a' + (int)((unsigned)({a}) % 3)) != NULL)"),
            5 => format!("(int)strspn({t}, \"0123ab\")"),
            6 => format!("(int)strcspn({t}, {literal})"),
            7 => format!("atoi({t})"),
            8 => format!("(int)strtol({t}, NULL, {})", self.pick(&["0", "10", "16"])),
            9 => {
                let position = self.name("e");
                self.line(depth, &format!("char *{position};"));
                self.line(depth, &format!("{target} = (int)strtoul({t}, &{position}, 0) & 255;"));
                format!("(int)({position} - {t})")
            }
            10 => {
                let (number, initial) = (self.name("n"), self.rng.u8(..4));
                self.line(depth, &format!("int {number} = {initial};"));
                self.line(depth, &format!("{target} = sscanf({t}, \"%d\", &{number});"));
                format!("{number} & 255")
            }
            11 => format!("({character}((unsigned char){t}[{}]) != 0)", self.rng.u8(..3)),
            12 => {
                format!("div((int)(signed char)({a}), 1 + (int)((unsigned)({b}) % 4)).{}", self.pick(&["quot", "rem"]))
            }
            _ => return self.sort(depth, &target),
        };
        self.line(depth, &format!("{target} = {value};"));
    }

    /// Sorts a few numbers.
    fn sort(&mut self, depth: usize, target: &str) {
        let (name, values, rank) = (self.name("q"), [0; 3].map(|_| self.atom()).join(", "), self.rng.u8(..3));
        self.line(depth, &format!("int {name}[3] = {{{values}}};"));
        self.line(depth, &format!("qsort({name}, 3, sizeof *{name}, ascending);"));
        self.line(depth, &format!("{target} = {name}[{rank}];"));
    }
}
