//! Outcomes for the tests of this crate.

use crate::subject::Subject;
use base::{Id, Place};
use cfa::{CTypeId, EdgeId, LocId, Scalar, Value};
use outcome::{
    Arrival, Assumption, AssumptionKind, Beyond, Counterexample, Evidence, Extent, Input, InputSource, Invariant,
    Operand, OperandKind, Outcome, Property, Step, StepKind, Verdict, Visibility,
};
use std::time::Duration;

pub fn subject() -> Subject {
    Subject {
        file: "dir/prog.c".into(),
        files: vec!["dir/prog.c".into()],
        property: "G ! call(reach_error())".into(),
        question: "whether reach_error() can be called".into(),
        data_model: "LP64",
        config: "bmc".into(),
    }
}

fn place(line: u32) -> Option<Place> {
    Some(Place { file: "dir/prog.c".into(), line, column: 5 })
}

pub fn proof() -> Outcome {
    let mut outcome =
        Outcome::new(Verdict::True, Evidence::UnwindingComplete { bound: 10, unwind: 10, beyond: Beyond::Nothing });
    outcome.stats.time("parse.time", Duration::from_micros(1234));
    outcome.stats.count("bmc.queries", 17_u64);
    outcome.stats.bytes("memory.peak", 5 << 20);
    let invariant = |line, text: Option<&str>, extent| Invariant {
        place: place(line).expect("a place"),
        function: "main".into(),
        text: text.map(str::to_owned),
        extent,
    };
    outcome.invariants = vec![
        invariant(12, Some("0 <= i && i <= n"), Extent::Whole),
        invariant(20, Some("p == &x"), Extent::Part),
        invariant(25, None, Extent::Part),
    ];
    outcome.assumptions.push(Assumption {
        kind: AssumptionKind::ExternalFunction,
        text: "printk has no body: it returns any value and changes nothing else".into(),
        places: vec![place(3).expect("a place"), place(9).expect("a place")],
    });
    outcome
}

fn operands(n: u32) -> Vec<Operand> {
    let operand = |text: &str, kind| Operand { text: text.into(), value: n.to_string(), kind };
    vec![operand("i", OperandKind::Variable), operand("a[i]", OperandKind::Computed)]
}

/// A violation whose loop made `n` rounds.
pub fn violation(n: u32) -> Outcome {
    let step = |line, function: &str, depth, kind, text: &str| Step {
        edge: EdgeId::from_index(line as usize),
        place: place(line),
        function: function.into(),
        depth,
        visibility: Visibility::User,
        kind,
        text: text.into(),
        arrivals: Vec::new(),
    };
    let mut steps = vec![step(4, "main", 0, StepKind::Input(0), "int n = __VERIFIER_nondet_int()")];
    let head = |nth: u32| vec![Arrival { head: LocId::from_index(1), nth: u64::from(nth) }];
    for i in 0..n {
        let test = step(
            5,
            "main",
            0,
            StepKind::Branch { condition: "i < n".into(), taken: true, operands: Vec::new() },
            "i < n",
        );
        steps.push(Step { arrivals: head(i + 1), ..test });
        steps.push(step(6, "main", 0, StepKind::Assign { target: "i".into(), value: (i + 1).to_string() }, "i++"));
    }
    let test = step(
        5,
        "main",
        0,
        StepKind::Branch { condition: "i < n".into(), taken: false, operands: operands(n) },
        "i < n",
    );
    steps.push(Step { arrivals: head(n + 1), ..test });
    let arguments = vec!["c = 0".to_owned()];
    steps.push(step(8, "main", 0, StepKind::Call { function: "check".into(), arguments }, "check(i != n)"));
    steps.push(step(2, "check", 1, StepKind::Error { what: "reach_error() is called".into() }, "reach_error()"));
    let input = Input {
        source: InputSource::Call("__VERIFIER_nondet_int".into()),
        arguments: Vec::new(),
        c_type: "int".into(),
        ctype: CTypeId::from_index(0),
        scalar: Scalar::INT,
        value: Value(u128::from(n)),
        text: n.to_string(),
        place: place(4),
    };
    let cex = Counterexample {
        property: "G ! call(reach_error())".into(),
        violated: Property::UnreachCall,
        steps,
        inputs: vec![input],
    };
    Outcome::new(Verdict::False(Property::UnreachCall), Evidence::Counterexample(Box::new(cex)))
}
