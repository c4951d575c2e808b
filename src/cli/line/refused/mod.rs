//! What is refused of a command line, and in which words.
//!
//! | file | about |
//! |---|---|
//! | `gone` | commands, options and values of earlier versions, and what is in their place |
//! | `parsed` | mistakes that the parser finds |
//! | `mistakes` | these two, arguments in the wrong order, and words in the place of a corpus |
//! | `effects` | options that have no effect with what was asked |
//! | `placeholders` | names with placeholders that nothing fills in |

pub(in crate::cli) mod effects;
pub(in crate::cli) mod gone;
pub(in crate::cli) mod mistakes;
mod parsed;
pub(in crate::cli) mod placeholders;
