//! A compact rendering of the tree, for tests.

use crate::ast::*;

/// The whole unit, one external item a line.
pub(super) fn unit(tu: &TranslationUnit) -> String {
    let dump = Dump(&tu.names);
    let is_told = |item: &&ExternalItem| !matches!(item, ExternalItem::File(_));
    tu.items.iter().filter(is_told).map(|i| dump.item(i)).collect::<Vec<_>>().join("\n")
}

struct Dump<'a>(&'a Interner);

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

impl Dump<'_> {
    fn item(&self, item: &ExternalItem) -> String {
        match item {
            ExternalItem::File(_) => String::new(),
            ExternalItem::Function(f) => {
                let kr: String = f.kr_declarations.iter().map(|d| format!(" {}", self.declaration(d))).collect();
                format!("{}{kr} {}", self.declared(&f.specs, &f.declarator), self.block(&f.body))
            }
            ExternalItem::Declaration(d) => self.declaration(d),
            ExternalItem::Asm(asm) => self.asm(asm),
            ExternalItem::Pragma(pragma) => format!("#pragma {}", pragma.text),
            ExternalItem::StaticAssert(s) => format!("assert({})", self.expr(&s.condition)),
        }
    }

    fn declaration(&self, d: &Declaration) -> String {
        let declarators = list(&d.declarators, |i| {
            let init = i.init.as_ref().map(|i| format!(" = {}", self.init(i))).unwrap_or_default();
            format!("{}{init}", self.declarator(&i.declarator))
        });
        format!("{} {declarators};", self.specs(&d.specs))
    }

    fn declared(&self, specs: &DeclSpecs, declarator: &Declarator) -> String {
        format!("{} {}", self.specs(specs), self.declarator(declarator))
    }

    fn attrs(&self, attrs: &[Attribute]) -> String {
        let show = |a: &Attribute| {
            let args = list(&a.args, |a| match a {
                AttrArg::Expr(e) => self.expr(e),
                AttrArg::Type(t) => self.ty(t),
            });
            format!(" @{}({args})", &self.0[a.name])
        };
        attrs.iter().map(show).collect()
    }

    fn specs(&self, s: &DeclSpecs) -> String {
        let mut out = String::new();
        if let Some(storage) = s.storage {
            out += &format!("{storage:?} ");
        }
        for (on, word) in [(s.thread_local, "thread "), (s.inline, "inline "), (s.noreturn, "noreturn ")] {
            out += if on { word } else { "" };
        }
        if !s.quals.is_empty() {
            out += &format!("{:?} ", s.quals).replace('"', "");
        }
        out += &match &s.ty {
            TypeSpec::Implicit => "implicit".to_owned(),
            TypeSpec::Builtin(b) => format!("{b:?}"),
            TypeSpec::Complex(b) => format!("Complex{b:?}"),
            TypeSpec::Typedef(i) => self.0[i.name].to_owned(),
            TypeSpec::Record(r) => self.record(r),
            TypeSpec::Enum(e) => {
                let tag = e.tag.map_or("", |t| &self.0[t.name]);
                let members = e.enumerators.as_ref().map(|l| {
                    list(l, |e| {
                        let value = e.value.as_ref().map(|v| format!("={}", self.expr(v))).unwrap_or_default();
                        format!("{}{value}", &self.0[e.ident.name])
                    })
                });
                format!("enum {tag}{}{}", members.map(|m| format!("{{{m}}}")).unwrap_or_default(), self.attrs(&e.attrs))
            }
            TypeSpec::TypeofExpr(e) => format!("typeof({})", self.expr(e)),
            TypeSpec::TypeofType(t) => format!("typeof({})", self.ty(t)),
            TypeSpec::Atomic(t) => format!("atomic({})", self.ty(t)),
            TypeSpec::VaList => "va_list".to_owned(),
            TypeSpec::AutoType => "auto".to_owned(),
        };
        out + &self.attrs(&s.attrs)
    }

    fn record(&self, r: &RecordSpec) -> String {
        let tag = r.tag.map_or("", |t| &self.0[t.name]);
        let members = r.members.as_ref().map(|members| {
            let show = |m: &Member| match m {
                Member::Fields(f) => {
                    let fields = list(&f.fields, |f| {
                        let width = f.width.as_ref().map(|w| format!(":{}", self.expr(w))).unwrap_or_default();
                        self.declarator(&f.declarator) + &width
                    });
                    format!("{} {fields};", self.specs(&f.specs))
                }
                Member::StaticAssert(s) => format!("assert({});", self.expr(&s.condition)),
            };
            format!("{{{}}}", members.iter().map(show).collect::<Vec<_>>().join(" "))
        });
        let pack = r.pack.map(|n| format!(" pack{n}")).unwrap_or_default();
        format!("{:?} {tag}{}{}{pack}", r.kind, members.unwrap_or_default(), self.attrs(&r.attrs))
    }

    /// `name: derived parts`
    fn declarator(&self, d: &Declarator) -> String {
        let name = d.name.map_or("_", |n| &self.0[n.name]);
        let parts: String = d.derived.iter().map(|part| self.derived(part)).collect();
        let label = d.asm_label.as_ref().map(|l| format!(" asm{}", self.string(l))).unwrap_or_default();
        format!("{name}{parts}{label}{}", self.attrs(&d.attrs))
    }

    fn derived(&self, part: &Derived) -> String {
        match part {
            Derived::Pointer(quals, attrs) if quals.is_empty() => format!("*{}", self.attrs(attrs)),
            Derived::Pointer(quals, attrs) => format!("*{quals:?}{}", self.attrs(attrs)).replace('"', ""),
            Derived::Array(a) => {
                let quals = if a.quals.is_empty() { String::new() } else { format!("{:?}", a.quals).replace('"', "") };
                let size = match &a.size {
                    ArraySize::None => String::new(),
                    ArraySize::Star => "*".to_owned(),
                    ArraySize::Expr(e) => self.expr(e),
                };
                format!("[{}{quals}{size}]", if a.at_least { "static " } else { "" })
            }
            Derived::Function(f) => match &f.params {
                Params::Unspecified => "(?)".to_owned(),
                Params::Identifiers(names) => format!("(kr {})", list(names, |n| self.0[n.name].to_owned())),
                Params::Prototype { params, variadic } => {
                    let dots = if *variadic { ", ..." } else { "" };
                    format!("({}{dots})", list(params, |p| self.declared(&p.specs, &p.declarator)))
                }
            },
        }
    }

    fn ty(&self, t: &TypeName) -> String {
        self.declared(&t.specs, &t.declarator)
    }

    fn init(&self, init: &Initializer) -> String {
        match init {
            Initializer::Expr(e) => self.expr(e),
            Initializer::List(l) => self.init_list(l),
        }
    }

    fn init_list(&self, l: &InitList) -> String {
        let show = |i: &InitItem| {
            let path = self.path(&i.designators);
            format!("{path}{}{}", if path.is_empty() { "" } else { "=" }, self.init(&i.value))
        };
        format!("{{{}}}", list(&l.items, show))
    }

    fn path(&self, path: &[Designator]) -> String {
        let show = |d: &Designator| match &d.kind {
            DesignatorKind::Field(f) => format!(".{}", &self.0[*f]),
            DesignatorKind::Index(e) => format!("[{}]", self.expr(e)),
            DesignatorKind::Range(a, b) => format!("[{}...{}]", self.expr(a), self.expr(b)),
        };
        path.iter().map(show).collect()
    }

    fn block(&self, b: &Block) -> String {
        let labels: String = b.local_labels.iter().map(|l| format!(" label {};", &self.0[l.name])).collect();
        let items: String = b
            .items
            .iter()
            .map(|i| match i {
                BlockItem::Stmt(s) => format!(" {}", self.stmt(s)),
                BlockItem::Declaration(d) => format!(" {}", self.declaration(d)),
                BlockItem::StaticAssert(s) => format!(" assert({});", self.expr(&s.condition)),
            })
            .collect();
        format!("{{{labels}{items} }}")
    }

    fn stmt(&self, s: &Stmt) -> String {
        let opt = |e: &Option<Expr>| e.as_ref().map(|e| self.expr(e)).unwrap_or_default();
        match &s.kind {
            StmtKind::Empty => ";".to_owned(),
            StmtKind::Block(b) => self.block(b),
            StmtKind::Expr(e) => format!("{};", self.expr(e)),
            StmtKind::If(i) => {
                let arms: Vec<_> =
                    i.arms.iter().map(|a| format!("if {} {}", self.expr(&a.condition), self.stmt(&a.body))).collect();
                let otherwise = i.otherwise.as_ref().map(|s| format!(" else {}", self.stmt(s))).unwrap_or_default();
                format!("{}{otherwise}", arms.join(" el"))
            }
            StmtKind::While(l) => format!("while {} {}", self.expr(&l.condition), self.stmt(&l.body)),
            StmtKind::DoWhile(l) => format!("do {} while {};", self.stmt(&l.body), self.expr(&l.condition)),
            StmtKind::Switch(l) => format!("switch {} {}", self.expr(&l.condition), self.stmt(&l.body)),
            StmtKind::For(f) => {
                let init = match &f.init {
                    ForInit::None => ";".to_owned(),
                    ForInit::Expr(e) => format!("{};", self.expr(e)),
                    ForInit::Declaration(d) => self.declaration(d),
                };
                format!("for ({init} {}; {}) {}", opt(&f.condition), opt(&f.step), self.stmt(&f.body))
            }
            StmtKind::Labeled(l) => {
                let show = |l: &Label| match &l.kind {
                    LabelKind::Named(n, attrs) => format!("{}{}: ", &self.0[n.name], self.attrs(attrs)),
                    LabelKind::Case(e) => format!("case {}: ", self.expr(e)),
                    LabelKind::Range(a, b) => format!("case {}...{}: ", self.expr(a), self.expr(b)),
                    LabelKind::Default => "default: ".to_owned(),
                };
                l.labels.iter().map(show).collect::<String>() + &self.stmt(&l.body)
            }
            StmtKind::Goto(l) => format!("goto {};", &self.0[l.name]),
            StmtKind::GotoExpr(e) => format!("goto *{};", self.expr(e)),
            StmtKind::Break => "break;".to_owned(),
            StmtKind::Continue => "continue;".to_owned(),
            StmtKind::Return(e) => format!("return {};", opt(e)),
            StmtKind::Asm(a) => self.asm(a),
        }
    }

    fn asm(&self, a: &Asm) -> String {
        let operand = |o: &AsmOperand| {
            let name = o.name.map(|n| format!("[{}]", &self.0[n.name])).unwrap_or_default();
            format!("{name}{}{}", self.string(&o.constraint), self.expr(&o.expr))
        };
        let (outputs, inputs) = (list(&a.outputs, operand), list(&a.inputs, operand));
        let clobbers = list(&a.clobbers, |c| self.string(c));
        let labels = list(&a.labels, |l| self.0[l.name].to_owned());
        let volatile = if a.volatile { " volatile" } else { "" };
        format!("asm{volatile}({} : {outputs} : {inputs} : {clobbers} : {labels});", self.string(&a.template))
    }

    fn string(&self, s: &StrLit) -> String {
        let prefix = match s.kind {
            CharKind::Narrow => "",
            CharKind::Utf8 => "u8",
            CharKind::Wide => "L",
            CharKind::U16 => "u",
            CharKind::U32 => "U",
        };
        match &s.data {
            StrData::Bytes(bytes) => format!("{prefix}\"{}\"", bytes.escape_ascii()),
            StrData::Units(units) => format!("{prefix}{units:x?}"),
        }
    }

    fn expr(&self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Ident(n) => self.0[*n].to_owned(),
            ExprKind::Int(i) => i.value.to_string(),
            ExprKind::Float(f) => f.text.to_string(),
            ExprKind::Char(c) => format!("'{}", c.value),
            ExprKind::Str(s) => self.string(s),
            ExprKind::Unary(op, a) => format!("({op:?} {})", self.expr(a)),
            ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", self.expr(a), self.expr(b)),
            ExprKind::Assign(a, b) => format!("(= {} {})", self.expr(a), self.expr(b)),
            ExprKind::AssignOp(op, a, b) => format!("({op:?}= {} {})", self.expr(a), self.expr(b)),
            ExprKind::Conditional(c) => {
                let then = c.then.as_ref().map(|t| self.expr(t)).unwrap_or_default();
                format!("({} ?{then}: {})", self.expr(&c.condition), self.expr(&c.otherwise))
            }
            ExprKind::Comma(es) => format!("(, {})", list(es, |e| self.expr(e))),
            ExprKind::Cast(t, a) => format!("<{}>{}", self.ty(t), self.expr(a)),
            ExprKind::CompoundLiteral(t, l) => format!("<{}>{}", self.ty(t), self.init_list(l)),
            ExprKind::SizeofExpr(a) => format!("sizeof {}", self.expr(a)),
            ExprKind::SizeofType(t) => format!("sizeof<{}>", self.ty(t)),
            ExprKind::AlignofExpr(a) => format!("alignof {}", self.expr(a)),
            ExprKind::AlignofType(t) => format!("alignof<{}>", self.ty(t)),
            ExprKind::Call(c) => format!("{}({})", self.expr(&c.callee), list(&c.args, |e| self.expr(e))),
            ExprKind::Index(a, b) => format!("{}[{}]", self.expr(a), self.expr(b)),
            ExprKind::Member(a, f) => format!("{}.{}", self.expr(a), &self.0[f.name]),
            ExprKind::Arrow(a, f) => format!("{}->{}", self.expr(a), &self.0[f.name]),
            ExprKind::Statement(b) => format!("({})", self.block(b)),
            ExprKind::LabelAddress(l) => format!("&&{}", &self.0[l.name]),
            ExprKind::Generic(g) => {
                let show = |(t, e): &(Option<TypeName>, Expr)| {
                    let ty = t.as_ref().map_or("default".to_owned(), |t| self.ty(t));
                    format!("{ty}: {}", self.expr(e))
                };
                format!("generic({}; {})", self.expr(&g.control), list(&g.associations, show))
            }
            ExprKind::VaArg(a, t) => format!("va_arg({}, {})", self.expr(a), self.ty(t)),
            ExprKind::Offsetof(o) => format!("offsetof({}, {})", self.ty(&o.ty), self.path(&o.path)),
            ExprKind::TypesCompatible(a, b) => format!("compatible({}, {})", self.ty(a), self.ty(b)),
            ExprKind::Exact(e) => format!("exact({})", self.expr(e)),
            ExprKind::Quantified(q) => {
                format!("{:?}({} {})", q.quantifier, self.declaration(&q.variable), self.expr(&q.body))
            }
            ExprKind::Choose(c) => {
                format!("choose({}, {}, {})", self.expr(&c.condition), self.expr(&c.then), self.expr(&c.otherwise))
            }
        }
    }
}
