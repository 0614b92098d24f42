//! Waiting for a thread.

use super::Rewriter;
use cfa::threads::{SITE, WAITING};
use cfa::{BinOp, EdgeId, ExprId, ExprKind, Op, Scalar, VarId};

impl Rewriter<'_> {
    /// An edge waits for the thread with an identifier, and takes what it returned.
    pub(super) fn join(&mut self, edge: EdgeId, id: ExprId, result: Option<VarId>) {
        let (src, end, span) = {
            let edge = &self.program.edges[edge];
            (edge.src, edge.dst, edge.span)
        };
        let func = self.program.locs[src].func;
        let head = self.program.add_loc(func);
        self.program.edges[edge].op = Op::Skip;
        crate::edges::redirect(self.program, edge, head);

        // A thread that has not run never ends.
        let not_waiting = self.part(id, WAITING, 0);
        let mut at = self.program.add_loc(func);
        let blocked = self.branch(head, not_waiting, at, span);
        self.end(blocked, Op::Halt, span);
        for (number, site) in self.threads.sites.iter().enumerate() {
            let here = self.part(id, SITE, number as u32);
            let found = self.program.add_loc(func);
            let elsewhere = self.branch(at, here, found, span);
            let ty = self.program.vars[site.alive].register();
            let none = self.number(0, ty);
            let none = self.compare(site.alive, none);
            let nobody = self.program.add_loc(func);
            let somebody = self.branch(found, none, nobody, span);
            self.unsupported(nobody, "pthread_join of a thread that has been waited for".to_owned(), span);
            let (alive, one) = (self.var(site.alive), self.number(1, ty));
            let fewer = self.program.exprs.add(ExprKind::Binary(BinOp::Sub, alive, one), ty.unwrap_or(Scalar::INT));
            let ended = self.program.add_loc(func);
            self.program.add_edge(somebody, ended, Op::Assign { dst: site.alive, src: fewer }, span);
            match result {
                None => {
                    self.program.add_edge(ended, end, Op::Skip, span);
                }
                Some(dst) => {
                    let is_last = self.compare(site.last, id);
                    let known = self.program.add_loc(func);
                    let older = self.branch(ended, is_last, known, span);
                    self.unsupported(older, "result of a thread that is not the last one created".to_owned(), span);
                    let src = self.var(site.result);
                    self.program.add_edge(known, end, Op::Assign { dst, src }, span);
                }
            }
            at = elsewhere;
        }
        self.unsupported(at, "pthread_join of a thread that is not known".to_owned(), span);
    }

    /// Whether a part of an identifier has a value.
    fn part(&mut self, id: ExprId, mask: u32, value: u32) -> ExprId {
        let ty = self.program.exprs.ty(id);
        let (mask, value) = (self.number(mask, Some(ty)), self.number(value, Some(ty)));
        let masked = self.program.exprs.add(ExprKind::Binary(BinOp::BitAnd, id, mask), ty);
        self.program.exprs.add(ExprKind::Binary(BinOp::Eq, masked, value), Scalar::Bool)
    }
}
