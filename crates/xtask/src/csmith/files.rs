//! A random program as the files of a project: types and declarations in a header, variables and functions in turns in files that include it.
//!
//! What Csmith makes `static` gets external linkage by that, so that the program is what a linker makes of its files. It begins each part in the
//! first column: variables in one line, functions up to a closing brace.

use super::Bench;
use std::fs;
use std::path::{Path, PathBuf};

/// A program on the disk.
pub struct Sources {
    /// The files that are compiled.
    pub files: Vec<PathBuf>,
    header: Option<PathBuf>,
}

impl Sources {
    /// Writes a program into the folder for files that are not kept, in as many files as the options say.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn write(bench: &Bench<'_>, name: &str, text: &str) -> Result<Self, String> {
        let put = |name: &str, text: &str| {
            let path = bench.folder.join(name);
            fs::write(&path, text).map(|()| path.clone()).map_err(|error| format!("{}: {error}", path.display()))
        };
        if bench.options.files < 2 {
            return Ok(Self { files: vec![put(&format!("{name}.c"), text)?], header: None });
        }
        let parts = split(text, bench.options.files);
        let header = put(&format!("{name}.h"), &parts.header)?;
        let mut files = Vec::new();
        for (number, text) in parts.files.iter().enumerate() {
            files.push(put(&format!("{name}-{number}.c"), &format!("#include \"{name}.h\"\n{text}"))?);
        }
        Ok(Self { files, header: Some(header) })
    }

    /// Copies the files to where they are kept; how they are named there.
    pub fn keep(&self, bench: &Bench<'_>) -> String {
        // Files name their header, so that its name stays.
        if let Some(header) = &self.header {
            let _ = fs::copy(header, bench.options.random.keep.join(header.file_name().unwrap_or_default()));
        }
        let kept: Vec<String> = self.files.iter().map(|file| bench.keep(file).display().to_string()).collect();
        kept.join(" ")
    }

    /// Where something that is made of the program may lie.
    pub fn beside(&self, extension: &str) -> PathBuf {
        self.files.first().map_or_else(PathBuf::new, |file| file.with_extension(extension))
    }

    /// Removes the files.
    pub fn remove(&self) {
        self.files.iter().chain(&self.header).for_each(|file: &PathBuf| drop(fs::remove_file(Path::new(file))));
    }
}

/// What the files of a program say.
struct Parts {
    header: String,
    files: Vec<String>,
}

/// Splits a program; the first file has `main`.
fn split(text: &str, count: usize) -> Parts {
    let mut parts = Parts { header: String::new(), files: vec![String::new(); count] };
    let (mut definitions, mut lines) = (0, text.lines());
    while let Some(line) = lines.next() {
        if let Some((declaration, definition)) = variable(line) {
            parts.header += &declaration;
            parts.files[definitions % count] += &definition;
            definitions += 1;
        } else if let Some(head) = function(line) {
            if head.ends_with(';') {
                parts.header += &format!("{head}\n");
                continue;
            }
            let is_main = head.starts_with("int main ");
            let file = if is_main { 0 } else { definitions % count };
            definitions += 1;
            let body = &mut parts.files[file];
            *body += &format!("{head}\n");
            for line in lines.by_ref() {
                *body += &format!("{line}\n");
                if line == "}" {
                    break;
                }
            }
        } else {
            parts.header += &format!("{line}\n");
        }
    }
    parts
}

/// The declaration and the definition of the variable that a line defines.
fn variable(line: &str) -> Option<(String, String)> {
    let rest = line.strip_prefix("static ")?;
    let (declared, _) = rest.split_once(" = ")?;
    let name = declared.rsplit([' ', '*']).next()?;
    name.starts_with("g_").then(|| (format!("extern {declared};\n"), format!("{rest}\n")))
}

/// The head of the function that a line declares or begins to define, with external linkage.
fn function(line: &str) -> Option<&str> {
    if line.starts_with("int main ") {
        return Some(line);
    }
    let rest = line.strip_prefix("inline ").unwrap_or(line).strip_prefix("static ")?;
    let is_whole = rest.ends_with(')') || rest.ends_with(");");
    let (before, _) = rest.split_once('(')?;
    (is_whole && before.rsplit([' ', '*']).next()?.starts_with("func_")).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_go_to_files_in_turns() {
        let text = "#include \"csmith.h\"\nstatic long __undefined;\nunion U0 {\n   int f0;\n};\nstatic int32_t g_2[2] = {1L,2L};\n\
                    static int32_t * const  volatile g_3 = &g_2[1];\nstatic union U0  func_1(void);\ninline static int *  func_2(int  p_3);\n\
                    static union U0  func_1(void)\n{ \n    func_2(1);\nlbl_3:\n    return u;\n}\n\
                    inline static int *  func_2(int  p_3)\n{ \n    return g_3;\n}\nint main (int argc, char* argv[])\n{\n    func_1();\n}\n";
        let parts = split(text, 2);
        assert_eq!(
            parts.header,
            "#include \"csmith.h\"\nstatic long __undefined;\nunion U0 {\n   int f0;\n};\nextern int32_t g_2[2];\n\
             extern int32_t * const  volatile g_3;\nunion U0  func_1(void);\nint *  func_2(int  p_3);\n"
        );
        assert_eq!(
            parts.files[0],
            "int32_t g_2[2] = {1L,2L};\nunion U0  func_1(void)\n{ \n    func_2(1);\nlbl_3:\n    return u;\n}\n\
             int main (int argc, char* argv[])\n{\n    func_1();\n}\n"
        );
        assert_eq!(
            parts.files[1],
            "int32_t * const  volatile g_3 = &g_2[1];\nint *  func_2(int  p_3)\n{ \n    return g_3;\n}\n"
        );
    }

    #[test]
    fn definitions_of_the_test_stay_in_the_header() {
        for line in
            ["static int count_, input_;", "static int safe_clz(unsigned x) { return x ? 1 : 32; }", "};", "    x = 1;"]
        {
            assert_eq!((variable(line), function(line)), (None, None), "{line}");
        }
        assert_eq!(variable("static const uint64_t expected_[3][2] = {{1ull},"), None);
    }
}
