//! Which tables a query reads in a loop, by the program that SQLite made for it.
//!
//! ```text
//!   0  Init        jump to the end        12 VFilter  table A    read once
//!   ...                                   20 VFilter  table B    between 12 and the jump back at 31: read for each row of A
//!                                         31 VNext    to 13
//! ```
//!
//! An uncorrelated subquery in a loop is between `Once` and its target, and so it runs once.

/// An instruction. `p1` is a cursor, `p2` the target of a jump.
pub(super) struct Instruction {
    pub opcode: String,
    pub p1: i64,
    pub p2: i64,
    pub p4: Option<String>,
}

/// The addresses of the virtual tables that are read in a loop.
pub(super) fn repeated(steps: &[Instruction]) -> Vec<usize> {
    let end = steps.first().map_or(0, |init| init.p2) as usize;
    let table = |cursor: i64| {
        let opened = |step: &&Instruction| step.opcode == "VOpen" && step.p1 == cursor;
        let text = steps.iter().find(opened)?.p4.as_deref()?;
        usize::from_str_radix(text.strip_prefix("vtab:")?.trim_start_matches("0x"), 16).ok()
    };
    let reads = steps.iter().enumerate().filter(|(_, step)| step.opcode == "VFilter");
    let in_loop = |at: usize| {
        steps.iter().enumerate().take(end).skip(at + 1).any(|(from, step)| {
            let to = step.p2;
            let back = to > 0 && to <= at as i64 && !matches!(step.opcode.as_str(), "Return" | "Integer");
            back && jumps(&step.opcode) && !once_between(steps, to as usize, at, from)
        })
    };
    reads.filter(|(at, _)| in_loop(*at)).filter_map(|(_, step)| table(step.p1)).collect()
}

/// True if an instruction may go to its `p2`.
fn jumps(opcode: &str) -> bool {
    const JUMPS: &str = "Goto Next Prev VNext SorterNext Gosub Jump If IfNot IfPos IfNotZero DecrJumpZero Yield NotNull IsNull Eq Ne \
                         Lt Le Gt Ge Found NotFound RowSetRead";
    JUMPS.split(' ').any(|known| known == opcode)
}

/// True if the instruction `at` in the loop from `start` to `end` runs only in the first round.
fn once_between(steps: &[Instruction], start: usize, at: usize, end: usize) -> bool {
    let around = |(place, step): (usize, &Instruction)| {
        step.opcode == "Once" && place >= start && place < at && (at as i64) < step.p2 && step.p2 <= end as i64 + 1
    };
    steps.iter().enumerate().any(around)
}
