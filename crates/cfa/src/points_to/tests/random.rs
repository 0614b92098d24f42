//! Random programs, which are run beside the analysis.

use super::*;
use fastrand::Rng;

/// A random program over a few pointers and objects is run; every access must hit an object of its class.
#[test]
fn random_programs_stay_in_their_classes() {
    let mut rng = Rng::with_seed(7);
    for _ in 0..400 {
        let mut s = Seq::new();
        let vars: Vec<_> = (0..4).map(|i| s.b.mem(None, &format!("v{i}"), 32)).collect();
        let regs: Vec<_> = (0..4).map(|i| s.ptr(&format!("p{i}"))).collect();
        let addrs: Vec<_> = vars.iter().map(|v| s.b.addr(*v)).collect();
        let values: Vec<_> = regs.iter().map(|r| s.b.var(*r)).collect();
        // State of the run: (object, offset) in registers and in memory words.
        let mut held: Vec<Option<(usize, i64)>> = vec![None; 4];
        let mut memory = vec![[None; 4]; 4];
        let mut accesses: Vec<(ExprId, usize, i64)> = Vec::new();
        for _ in 0..25 {
            let (r, q) = (rng.usize(..4), rng.usize(..4));
            match rng.usize(..5) {
                0 => {
                    let v = rng.usize(..4);
                    s.assign(regs[r], addrs[v]);
                    held[r] = Some((v, 0));
                }
                1 => {
                    s.assign(regs[r], values[q]);
                    held[r] = held[q];
                }
                2 => {
                    let by = if rng.usize(..2) == 0 { 8 } else { 16 };
                    let moved = s.b.at(values[q], by);
                    s.assign(regs[r], moved);
                    held[r] = held[q].map(|(v, off)| (v, off + by));
                }
                3 => {
                    let Some((v, off)) = held[r].filter(|(_, off)| *off < 32) else { continue };
                    s.store(values[r], values[q]);
                    accesses.push((values[r], v, off));
                    memory[v][off as usize / 8] = held[q];
                }
                _ => {
                    let Some((v, off)) = held[r].filter(|(_, off)| *off < 32) else { continue };
                    let load = s.b.load(values[r], Scalar::Ptr);
                    s.assign(regs[q], load);
                    accesses.push((values[r], v, off));
                    held[q] = memory[v][off as usize / 8];
                }
            }
        }
        let direct: Vec<_> = accesses.iter().map(|(_, v, off)| s.b.at(addrs[*v], *off)).collect();
        for addr in &direct {
            s.read(*addr, Scalar::Ptr);
        }
        let pt = s.solve();
        for ((addr, v, _), direct) in accesses.iter().zip(&direct) {
            assert_eq!(pt.class_of_address(*addr), pt.class_of_address(*direct));
            assert!(pt.objects(pt.class_of_address(*addr)).contains(&Object::Var(vars[*v])));
        }
    }
}
