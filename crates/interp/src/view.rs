//! What callers can see and set of the state of a run, and how listeners are told.

use crate::code::{Action, EdgeCode, cell};
use crate::machine::Interpreter;
use crate::memory::{Memory, Miss};
use crate::observe::{Effect, Observe, Step};
use crate::run::Env;
use cfa::{EdgeId, FuncId, LocId, Program, Value, VarId};

impl<'p> Interpreter<'p> {
    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Number of frames below the current one.
    pub fn depth(&self) -> usize {
        self.frames.len().saturating_sub(1)
    }

    /// The current function.
    pub fn function(&self) -> Option<FuncId> {
        self.frames.last().map(|f| f.func)
    }

    /// The current location.
    pub fn location(&self) -> LocId {
        self.loc
    }

    /// Number of edges taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// All memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The cell of a variable that is global or belongs to the current function.
    fn var_cell(&self, var: VarId) -> Option<usize> {
        let owner = self.program.vars[var].func;
        (owner.is_none() || owner == self.function()).then(|| cell(self.base, self.code.vars[var]))
    }

    /// Value of a register: a global one, or one of the current function.
    pub fn register(&self, var: VarId) -> Option<Value> {
        self.program.vars[var].register()?;
        self.var_cell(var).map(|i| Value(self.cells[i]))
    }

    /// Sets a register: a global one, or one of the current function; others are left alone.
    pub fn set_register(&mut self, var: VarId, value: Value) {
        if let (Some(ty), Some(i)) = (self.program.vars[var].register(), self.var_cell(var)) {
            self.cells[i] = Value::truncated(value.0, ty.bits(self.program.pointer_bits())).0;
        }
    }

    /// Address of a memory variable: a global one, or the current instance in the current function.
    pub fn address_of(&self, var: VarId) -> Option<u64> {
        if self.program.vars[var].register().is_some() {
            return None;
        }
        self.var_cell(var).map(|i| self.cells[i] as u64).filter(|a| *a != 0)
    }

    /// The bytes at an address, if they are known and inside of one live object (or in external memory).
    pub fn bytes_at(&self, address: u64, len: usize) -> Option<Vec<u8>> {
        self.memory.peek(address, len)
    }

    /// Overwrites memory; `false` when the range is not inside of one live object or external memory.
    pub fn set_bytes(&mut self, address: u64, bytes: &[u8]) -> bool {
        match self.memory.range(address, bytes.len() as u64) {
            Ok(target) => target.copy_from_slice(bytes),
            Err(Miss::External) => self.memory.write_external(address, bytes),
            Err(Miss::Invalid | Miss::Asked) => return false,
        }
        true
    }

    /// Tells the listener what happened.
    pub(crate) fn emit<O: Observe>(&self, edge: EdgeId, effect: Effect<'_>, env: &mut Env<'_, O>) {
        env.observe.step(&Step { edge, depth: self.depth(), effect }, self);
    }

    pub(crate) fn emit_simple<O: Observe>(&self, code: &EdgeCode, env: &mut Env<'_, O>) {
        if let Action::Store { addr, bytes, .. } = code.action {
            self.emit_write(self.cells[cell(self.base, addr)] as u64, u64::from(bytes), code.edge, env);
        } else {
            let effect = match self.program.edges[code.edge].op.assigned() {
                Some(var) => Effect::Assign { var, value: Value(self.cells[cell(self.base, self.code.vars[var])]) },
                None => Effect::None,
            };
            self.emit(code.edge, effect, env);
        }
    }

    pub(crate) fn emit_write<O: Observe>(&self, address: u64, len: u64, edge: EdgeId, env: &mut Env<'_, O>) {
        let object = self.memory.object_at(address).map(|o| (o, address - o.base));
        let data = object.and_then(|(o, offset)| {
            let data = self.memory.data(self.memory.beginning_at(o.base)?);
            data.get(offset as usize..(offset + len) as usize)
        });
        match data {
            Some(bytes) => self.emit(edge, Effect::Write { address, object, bytes }, env),
            None => {
                let bytes = self.memory.peek(address, len as usize).unwrap_or_default();
                self.emit(edge, Effect::Write { address, object, bytes: &bytes }, env);
            }
        }
    }
}
