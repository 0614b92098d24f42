//! When the objects of blocks begin and end, also where jumps enter and leave blocks.
//!
//! An object lives from the beginning of its block to its end, and is declared in between. Nobody can tell whether it begins only at its
//! declaration, unless a jump passes that: then it begins at the jump. And where a jump leads from behind the declaration to before it, within
//! the block, the object that was there stays: it begins at the beginning of the block, and only its content is lost at the declaration.
//!
//! Which of these is the case is known at the end of a function. Until then [`Lowerer::anchor`] keeps edges to which operations can be added.
//!
//! In a circle with `context`: what a function knows of its blocks is part of its state.

use crate::context::{Lowerer, Passed};
use base::{Id, Span};
use cfa::{AllocKind, FuncId, HavocSource, Op, Reach, Scalar, Storage, VarId};
use cfront::typed::{self, LabelId};

/// An open block.
pub(crate) struct Block {
    /// How many objects were in scope where it began.
    first: usize,
    number: u32,
    /// Where it is entered from above.
    entry: Option<usize>,
}

/// An object of a block, or the register of an array of variable length.
pub(crate) struct Object {
    pub var: VarId,
    block: u32,
    /// Positions of its declaration and of the end of its block.
    declared: u32,
    end: u32,
    /// The edge on which its declaration begins it.
    begins: Option<usize>,
    /// Where the block is entered from above.
    entry: Option<usize>,
    /// What is called with its address where it goes out of scope.
    cleanup: Option<FuncId>,
}

impl Object {
    /// Whether it is in scope at a position.
    fn is_seen(&self, position: u32) -> bool {
        self.declared < position && position < self.end
    }
}

/// The end of a life at a jump.
pub(crate) struct End {
    edge: usize,
    var: VarId,
    block: u32,
    declared: u32,
    /// The label that decides whether the block is left.
    label: Option<LabelId>,
}

/// A jump, or the way to a case.
pub(crate) struct Jump {
    /// Where control passes.
    edge: Option<usize>,
    position: u32,
    from: Vec<u32>,
    to: Target,
}

/// Where a jump leads.
enum Target {
    Label(LabelId),
    /// To a place in these blocks, past no declaration but those that begin there.
    Blocks(Vec<u32>),
}

/// Where a loop or switch ends: how many objects are in scope there, and how many blocks are open.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    pub objects: usize,
    blocks: usize,
}

/// What a function knows of its blocks.
#[derive(Default)]
pub(crate) struct Scopes {
    /// Objects of open blocks.
    pub objects: Vec<Object>,
    /// Open blocks but the outermost one, which has the number 0.
    blocks: Vec<Block>,
    n_blocks: u32,
    closed: Vec<Object>,
    ends: Vec<End>,
    jumps: Vec<Jump>,
    anchors: Vec<usize>,
    /// Edges where control may come back from wherever it was in the function, and the blocks that are open there.
    returns: Vec<(usize, Vec<u32>)>,
}

impl Scopes {
    /// Numbers of the open blocks.
    pub fn open(&self) -> Vec<u32> {
        std::iter::once(0).chain(self.blocks.iter().map(|block| block.number)).collect()
    }

    /// Where control is.
    pub fn depth(&self) -> Depth {
        Depth { objects: self.objects.len(), blocks: self.blocks.len() }
    }

    /// Whether the outermost block of the function is the innermost open one.
    pub fn is_outermost(&self) -> bool {
        self.blocks.is_empty()
    }
}

impl<'u> Lowerer<'u> {
    /// Begins a scope; give the result to [`Lowerer::close_scope`].
    pub fn open_scope(&mut self) -> usize {
        let entry = self.anchor(Span::NONE);
        let scopes = &mut self.f.scopes;
        scopes.n_blocks += 1;
        scopes.blocks.push(Block { first: scopes.objects.len(), number: scopes.n_blocks, entry });
        scopes.objects.len()
    }

    /// Ends the objects of a scope.
    pub fn close_scope(&mut self, mark: usize, span: Span) {
        self.f.position += 1;
        self.f.scopes.blocks.pop();
        let ends_objects = self.f.scopes.objects.len() > mark;
        while self.f.scopes.objects.len() > mark {
            let Some(object) = self.f.scopes.objects.pop() else { break };
            self.end_at_jump(&object, None, span);
            self.f.scopes.closed.push(Object { end: self.f.position, ..object });
        }
        if ends_objects {
            self.interrupt_point_at_end(span);
        }
    }

    /// The number of the edge that begins what is declared next.
    pub fn beginning(&self) -> Option<usize> {
        self.is_reachable().then(|| self.f.flow.n_edges())
    }

    /// An object that was declared here, on this edge, lives to the end of the block.
    pub fn add_to_scope(&mut self, var: VarId, begins: Option<usize>, cleanup: Option<FuncId>) {
        let declared = self.f.position;
        let scopes = &mut self.f.scopes;
        let (block, entry) = scopes.blocks.last().map_or((0, None), |block| (block.number, block.entry));
        scopes.objects.push(Object { var, block, declared, end: u32::MAX, begins, entry, cleanup });
    }

    /// Goes by `goto` to a label: leaves the blocks that do not hold it.
    pub fn jump_to_label(&mut self, label: LabelId, span: Span) {
        // The frame ends the objects of the outermost block.
        let kept = self.f.scopes.blocks.first().map_or(usize::MAX, |block| block.first);
        self.leave_scopes(kept, Some(label), span);
        self.add_jump(Target::Label(label), self.f.scopes.open(), span);
    }

    /// Leaves blocks by `break` or `continue`.
    pub fn leave_to(&mut self, depth: Depth, span: Span) {
        self.leave_scopes(depth.objects, None, span);
        let mut kept = self.f.scopes.open();
        kept.truncate(depth.blocks + 1);
        self.add_jump(Target::Blocks(kept), self.f.scopes.open(), span);
    }

    /// A switch gets to a case within its body.
    pub fn enter_case(&mut self, depth: Depth, span: Span) {
        let open = self.f.scopes.open();
        let from = open[..open.len().min(depth.blocks + 1)].to_vec();
        self.add_jump(Target::Blocks(open), from, span);
    }

    fn add_jump(&mut self, to: Target, from: Vec<u32>, span: Span) {
        if let Some(edge) = self.anchor(span) {
            self.f.scopes.jumps.push(Jump { edge: Some(edge), position: self.f.position, from, to });
        }
    }

    /// An edge for what turns out to be carried out here. Functions without labels need none.
    fn anchor(&mut self, span: Span) -> Option<usize> {
        if !self.is_reachable() || self.f.labels.is_none_or(|labels| labels.is_empty()) {
            return None;
        }
        let edge = self.f.flow.n_edges();
        self.emit(Op::Skip, span);
        self.f.scopes.anchors.push(edge);
        Some(edge)
    }

    /// Control may come back here from wherever it was in the function.
    pub fn jumps_return_here(&mut self, span: Span) {
        let edge = self.f.flow.n_edges();
        self.emit(Op::Skip, span);
        let open = self.f.scopes.open();
        self.f.scopes.returns.push((edge, open));
        self.f.scopes.anchors.push(edge);
    }

    /// A jump leaves the scopes of all objects but the first so many, or those that do not hold the label; of the first, a label before their
    /// declarations ends arrays of variable length.
    fn leave_scopes(&mut self, kept: usize, label: Option<LabelId>, span: Span) {
        if !self.is_reachable() {
            return;
        }
        let objects = std::mem::take(&mut self.f.scopes.objects);
        for (i, object) in objects.iter().enumerate().rev() {
            if i >= kept || label.is_some() && self.p.vars[object.var].register().is_some() {
                self.end_at_jump(object, label, span);
            }
        }
        if objects.len() > kept {
            self.interrupt_point_at_end(span);
        }
        self.f.scopes.objects = objects;
    }

    /// An object ends: its own, or the array of variable length that it leads to.
    fn end_at_jump(&mut self, object: &Object, label: Option<LabelId>, span: Span) {
        let Object { var, block, declared, cleanup, .. } = *object;
        self.clean_up(var, cleanup, span);
        if self.is_reachable() {
            self.f.scopes.ends.push(End { edge: self.f.flow.n_edges(), var, block, declared, label });
        }
        let op = match self.p.vars[var].register() {
            Some(_) => Op::Free { ptr: self.var(var), kind: AllocKind::Stack },
            None => Op::EndScope { var },
        };
        self.emit(op, span);
    }

    /// The function that a variable is given to where it goes out of scope. Gotos may or may not lead out of it, which is known too late here.
    pub fn cleanup(&mut self, var: typed::VarId, span: Span) -> Option<FuncId> {
        let function = self.unit.vars[var].cleanup?;
        let function = self.resolve(self.stand_in(self.aliased(function)));
        let signature = self.signature_of(function);
        let is_plain = matches!(signature.params[..], [Passed::Scalar(Scalar::Ptr)])
            && !matches!(signature.ret, Passed::Record { .. })
            && !signature.variadic
            && self.unit.functions[function].body.is_some();
        let has_labels = self.f.labels.is_some_and(|labels| !labels.is_empty());
        if !is_plain || has_labels || self.p.has_contracts {
            self.unsupported("attribute", "cleanup", span);
            return None;
        }
        Some(self.func(function))
    }

    /// Control leaves the function, and so the scopes of all its variables.
    pub fn clean_up_all(&mut self, span: Span) {
        let objects: Vec<_> = self.f.scopes.objects.iter().rev().map(|object| (object.var, object.cleanup)).collect();
        for (var, cleanup) in objects {
            self.clean_up(var, cleanup, span);
        }
    }

    fn clean_up(&mut self, var: VarId, cleanup: Option<FuncId>, span: Span) {
        if let Some(func) = cleanup.filter(|_| self.is_reachable()) {
            let address = self.addr_of(var);
            self.emit(Op::Call { func, args: [address].into(), dst: None }, span);
        }
    }

    /// Objects begin and end where jumps enter and leave their blocks.
    pub fn settle_scopes(&mut self) {
        let Scopes { objects, mut closed, ends, jumps, anchors, returns, .. } = std::mem::take(&mut self.f.scopes);
        closed.extend(objects);
        self.settle_ends(&ends, &closed, &jumps);
        let mut at_entry = Vec::new();
        for object in &closed {
            self.settle_object(object, &jumps, &mut at_entry);
        }
        if !at_entry.is_empty() {
            self.f.flow.prepend(at_entry);
        }
        for (edge, open) in returns {
            let is_left = |object: &&Object| object.block != 0 && !open.contains(&object.block);
            for var in closed.iter().filter(is_left).map(|object| object.var) {
                if self.p.vars[var].register().is_none() {
                    self.add_after(edge, Op::EndScope { var }, self.p.vars[var].span);
                }
            }
        }
        self.f.flow.join(&anchors);
    }

    /// Takes back ends of lives at jumps that turned out to stay in the block.
    fn settle_ends(&mut self, ends: &[End], objects: &[Object], jumps: &[Jump]) {
        for end in ends {
            let holds = |label: LabelId| self.f.label_blocks[label.index()].contains(&end.block);
            let mut is_taken_back = end.label.is_some_and(holds);
            if self.p.vars[end.var].register().is_some() {
                // An array of variable length begins at its declaration, and ends where that is behind control again.
                let is_behind = |label: LabelId| self.label_position(label) > end.declared;
                is_taken_back &= end.label.is_some_and(is_behind);
                let mut same = objects.iter().filter(|object| object.var == end.var);
                is_taken_back |= same.any(|object| self.is_bypassed(object, jumps));
            }
            if is_taken_back {
                self.f.flow.skip(end.edge);
            }
        }
    }

    fn settle_object(&mut self, object: &Object, jumps: &[Jump], at_entry: &mut Vec<(Op, Span)>) {
        let var = object.var;
        let span = self.p.vars[var].span;
        let stays = jumps.iter().any(|jump| match jump.to {
            Target::Label(label) => {
                let position = self.label_position(label);
                let same_block = self.f.label_blocks[label.index()].contains(&object.block);
                same_block && object.is_seen(jump.position) && !object.is_seen(position)
            }
            Target::Blocks(_) => false,
        });
        if self.p.vars[var].register().is_some() || !stays && !self.is_bypassed(object, jumps) {
            return;
        }
        if object.block == 0 {
            at_entry.push((Op::Declare { var }, span));
        } else if stays && let Some(entry) = object.entry {
            self.add_after(entry, Op::Declare { var }, span);
        }
        if stays && let (Some(edge), Storage::Memory { size, .. }) = (object.begins, self.p.vars[var].storage) {
            let dst = self.addr_of(var);
            let lost = Op::MemHavoc { dst, len: Reach::Bytes(size), source: HavocSource::Uninitialised };
            self.f.flow.replace(edge, if size == 0 { Op::Skip } else { lost });
        }
        for jump in jumps {
            let Some(edge) = jump.edge else { continue };
            let leaves_from = jump.from.contains(&object.block);
            let leads_into = self.blocks_of(&jump.to).contains(&object.block);
            let begins = match jump.to {
                Target::Label(label) if !stays => {
                    object.block != 0 && object.is_seen(self.label_position(label)) && !object.is_seen(jump.position)
                }
                Target::Blocks(_) if !stays => false,
                _ => leads_into && !leaves_from,
            };
            if begins {
                self.add_after(edge, Op::Declare { var }, span);
            } else if stays && leaves_from && !leads_into && !object.is_seen(jump.position) {
                self.add_after(edge, Op::EndScope { var }, span);
            }
        }
    }

    /// Whether a jump passes the declaration.
    fn is_bypassed(&self, object: &Object, jumps: &[Jump]) -> bool {
        jumps.iter().any(|jump| match jump.to {
            Target::Label(label) => object.is_seen(self.label_position(label)) && !object.is_seen(jump.position),
            Target::Blocks(_) => false,
        })
    }

    fn label_position(&self, label: LabelId) -> u32 {
        self.f.label_positions[label.index()]
    }

    fn blocks_of<'a>(&'a self, target: &'a Target) -> &'a [u32] {
        match target {
            Target::Label(label) => &self.f.label_blocks[label.index()],
            Target::Blocks(blocks) => blocks,
        }
    }

    fn add_after(&mut self, edge: usize, op: Op, span: Span) {
        self.f.flow.enter_after(edge);
        self.emit(op, span);
        self.f.flow.resume();
    }
}
