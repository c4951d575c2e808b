//! The interface to the other programs: functions that take a board and return an answer.

use std::ffi::{CString, c_char, c_void};

/// One board, row by row, 0 for a blank.
pub type Board = [u8; 81];

/// tdoku, loaded from a shared library that its own build made.
pub struct Tdoku {
    solve: unsafe extern "C" fn(*const c_char, usize, u32, *mut c_char, *mut usize) -> usize,
    minimize: unsafe extern "C" fn(bool, bool, *mut c_char) -> bool,
    constrain: unsafe extern "C" fn(bool, *mut c_char) -> bool,
}

impl Tdoku {
    /// Loads the library. None if it or one of its functions is missing.
    pub fn load(path: &str) -> Option<Tdoku> {
        let path = CString::new(path).ok()?;
        // SAFETY: a C string. Whoever names the library trusts its initialisers.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        if library.is_null() {
            return None;
        }
        let symbol = |name: &str| {
            let name = CString::new(name).ok()?;
            // SAFETY: an open library and a C string.
            let found = unsafe { libc::dlsym(library, name.as_ptr()) };
            (!found.is_null()).then_some(found)
        };
        // SAFETY: the signatures are those of the library's public header, tdoku.h.
        unsafe {
            Some(Tdoku {
                solve: std::mem::transmute::<*mut c_void, _>(symbol("TdokuSolverDpllTriadSimd")?),
                minimize: std::mem::transmute::<*mut c_void, _>(symbol("TdokuMinimize")?),
                constrain: std::mem::transmute::<*mut c_void, _>(symbol("TdokuConstrain")?),
            })
        }
    }

    /// Solutions of a line of 81 characters, up to two.
    pub fn count(&self, line: &[u8; 82]) -> u8 {
        let mut solution = [0u8; 82];
        let mut guesses = 0;
        // SAFETY: the line is 81 characters and an end; the solution has room for 81.
        unsafe { (self.solve)(line.as_ptr().cast(), 2, 0, solution.as_mut_ptr().cast(), &mut guesses) as u8 }
    }

    /// A random full grid, made with the functions of the library: random clues until the board is unique, then solved.
    pub fn full_grid(&self) -> [u8; 82] {
        let mut line = [b'.'; 82];
        line[81] = 0;
        let mut solution = [0u8; 82];
        let mut guesses = 0;
        // SAFETY: both buffers hold 81 characters and an end.
        unsafe {
            while !(self.constrain)(false, line.as_mut_ptr().cast()) {}
            (self.solve)(line.as_ptr().cast(), 1, 0, solution.as_mut_ptr().cast(), &mut guesses);
        }
        solution
    }

    /// Makes a puzzle minimal in place.
    pub fn minimize(&self, line: &mut [u8; 82]) {
        // SAFETY: the buffer holds 81 characters and an end.
        unsafe { (self.minimize)(false, false, line.as_mut_ptr().cast()) };
    }
}

/// A board as text, with an end for C.
pub fn line(board: &Board) -> [u8; 82] {
    std::array::from_fn(|i| match board.get(i) {
        None => 0,
        Some(0) => b'.',
        Some(value) => b'0' + value,
    })
}
