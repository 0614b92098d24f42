//! Time from files to automata for a program of the size of a project: what its files take to be preprocessed, parsed, typed and linked, and
//! what follows before the analyses begin.
//!
//! `cargo bench -p driver --bench project` generates its program: 100 files of 2,000 lines, which include headers of each other and call each
//! other's functions; `-- FILE.c ...` measures programs of your own.

#![allow(clippy::disallowed_methods)] // Benchmarks write and read files of their own.
#![allow(clippy::print_stdout)] // Its figures are its result.

use driver::prepare::prepare;
use driver::{Job, SourceOptions};
use outcome::{Silent, StatValue, Statistics};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Files of the program, and lines of each.
const FILES: usize = 100;
const LINES: usize = 2_000;
/// How many files that follow a file may call functions of.
const NEAR: usize = 6;

/// What all files include.
const SHARED: &str = "#ifndef SHARED_H
#define SHARED_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CAPACITY 64
enum kind { KIND_NONE, KIND_READ, KIND_WRITE, KIND_SEEK, KIND_CLOSE };
struct node { int key; struct node *next; unsigned flags; char name[16]; };
struct packet { uint8_t header[8]; uint32_t length; enum kind kind; union { int number; double real; struct node *node; } as; };
struct table { struct node *buckets[CAPACITY]; size_t count; };
extern int total;
extern struct table shared_table;
#endif
";

/// Functions of a file and their data, with `@F` and `@G` for the numbers of file and group, `@A` to `@C` for other numbers, and `@CALLS`.
const GROUP: &str = "
static int table_@G[CAPACITY] = { @A, @B, @C, @A, @B, @C, @A, @B, @C };
static struct node pool_@G[8] = { { @A, NULL, @B, \"n@G\" }, [3] = { .key = @C, .flags = 1u << 3 } };

static unsigned mix_@G(unsigned x, int rounds)
{
    unsigned h = x ^ 0x9e37u;
    for (int i = 0; i < rounds; i++) {
        h ^= h << 5;
        h += (unsigned) table_@G[(h >> 5) % CAPACITY];
        h ^= h >> 11;
    }
    return h;
}

static int classify_@G(const struct packet *p)
{
    int result = 0;
    switch (p->kind) {
    case KIND_NONE:
        result = -1;
        break;
    case KIND_READ:
        result = (int) p->length & 0xff;
        break;
    case KIND_WRITE:
        for (size_t i = 0; i < sizeof p->header; i++)
            result += p->header[i];
        break;
    case KIND_SEEK:
    case KIND_CLOSE:
        result = p->as.number > @A ? @B : p->as.number;
        break;
    default:
        return @C;
    }
    if (result > CAPACITY && (p->length != 0 || total < @A))
        result %= CAPACITY;
    return result;
}

struct node *find_@F_@G(struct table *t, int key)
{
    struct node *n = t->buckets[(unsigned) key % CAPACITY];
    while (n != NULL && n->key != key) {
        if (n->flags & @Bu)
            counter_@F++;
        n = n->next;
    }
    if (n == NULL && t->count < CAPACITY) {
        n = &pool_@G[t->count % 8];
        n->key = key;
        n->next = t->buckets[(unsigned) key % CAPACITY];
        strncpy(n->name, names_@F[key & 3], sizeof n->name - 1);
        t->buckets[(unsigned) key % CAPACITY] = n;
        t->count++;
    }
    return n;
}

int work_@F_@G(struct packet *p, int n)
{
    int sum = classify_@G(p), i = 0;
    struct node *found = find_@F_@G(&shared_table, sum + n);
    while (i < n && i < @A) {
        sum += table_@G[i % CAPACITY] * (i + 1) - (int) (mix_@G((unsigned) i, 3) & 7u);
        i++;
    }
    if (found && found->name[0] == 'n')
        sum++;
@CALLS    total += sum;
    return sum;
}
";

/// How many groups fill a file.
fn groups() -> usize {
    LINES / (GROUP.lines().count() + 4)
}

/// Calls lead to later groups or later files, so that there is no recursion.
fn group(file: usize, group: usize) -> String {
    let mut calls = String::new();
    for (i, far) in [file * 7 + group, file + group * 5].into_iter().enumerate() {
        let (to, number) = match far % 3 {
            0 if group + 1 < groups() => (file, group + 1 + far % (groups() - group - 1)),
            _ => (file + 1 + far % (NEAR - 1), far % groups()),
        };
        if to < FILES {
            let _ =
                writeln!(calls, "    if (n > {})\n        sum += work_{to}_{number}(p, n / 2);", 3 + 5 * i + far % 9);
        }
    }
    let number = |by: usize| ((file * by + group * 17) % 97 + 1).to_string();
    let marks = [("@CALLS", calls), ("@F", file.to_string()), ("@G", group.to_string())];
    let numbers = [("@A", number(31)), ("@B", number(57)), ("@C", number(13))];
    marks.iter().chain(&numbers).fold(GROUP.to_owned(), |text, (mark, value)| text.replace(mark, value))
}

/// What others may use of a file.
fn header(file: usize) -> String {
    let mut text =
        format!("#ifndef FILE{file}_H\n#define FILE{file}_H\n#include \"shared.h\"\nextern int counter_{file};\n");
    let _ = writeln!(text, "extern const char *const names_{file}[4];");
    for group in 0..groups() {
        let _ = writeln!(text, "int work_{file}_{group}(struct packet *p, int n);");
        let _ = writeln!(text, "struct node *find_{file}_{group}(struct table *t, int key);");
    }
    text + "#endif\n"
}

/// Writes the program to a folder.
fn generate(folder: &Path) -> Vec<PathBuf> {
    let write = |name: String, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("the folder is writable");
        path
    };
    write("shared.h".to_owned(), SHARED);
    let mut files = Vec::new();
    for file in 0..FILES {
        write(format!("file{file}.h"), &header(file));
        let mut text = String::new();
        for near in file..FILES.min(file + NEAR) {
            let _ = writeln!(text, "#include \"file{near}.h\"");
        }
        let _ = writeln!(text, "int counter_{file};");
        let _ = writeln!(
            text,
            "const char *const names_{file}[4] = {{ \"alpha{file}\", \"beta\", \"gamma\", \"delta\" }};"
        );
        (0..groups()).for_each(|number| text.push_str(&group(file, number)));
        for more in 0..LINES.saturating_sub(text.lines().count()) {
            let _ = writeln!(text, "int scaled_{file}_{more}(int x) {{ return x % {} + counter_{file}; }}", more + 3);
        }
        files.push(write(format!("file{file}.c"), &text));
    }
    let last = FILES - 1;
    let main = format!(
        "#include \"file{last}.h\"\n#include <assert.h>\nint total;\nstruct table shared_table;\nint main(void)\n{{\n    \
         struct packet p = {{ .length = 4, .kind = KIND_READ }};\n    int sum = work_{last}_0(&p, 3);\n    assert(sum == total);\n}}\n"
    );
    files.push(write("main.c".to_owned(), &main));
    files
}

fn seconds(stats: &Statistics, name: &str) -> f64 {
    match stats.values.iter().find(|(n, _)| *n == name) {
        Some((_, StatValue::Time(time))) => time.as_secs_f64(),
        _ => f64::NAN,
    }
}

fn measure(files: &[PathBuf]) {
    let began = Instant::now();
    let job = match Job::read(files, None, &SourceOptions::default()) {
        Ok(job) => job,
        Err(failure) => panic!("{failure:?}"),
    };
    let loaded = match driver::run::load(&job, &Silent) {
        Ok(loaded) => loaded,
        Err(failure) => panic!("{failure:?}"),
    };
    let mut stats = loaded.stats;
    prepare(loaded.program, &mut stats);
    for name in ["frontend.preprocess", "frontend.parse", "frontend.types", "frontend.lower", "prepare.time"] {
        println!("{name:20} {:>6.2} s", seconds(&stats, name));
    }
    println!("{:20} {:>6.2} s", "all", began.elapsed().as_secs_f64());
}

fn main() {
    let files: Vec<PathBuf> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).map(PathBuf::from).collect();
    if files.is_empty() {
        let folder = tempfile::tempdir().expect("a folder");
        measure(&generate(folder.path()));
    } else {
        measure(&files);
    }
}
