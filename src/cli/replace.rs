//! Existing outputs are replaced only with `--force`, and inputs never.

use std::path::{Path, PathBuf};

use super::Usage;
use crate::corpus::Output;

/// Whether an existing file may be replaced.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Replace {
    /// Replace existing outputs. An input is never replaced.
    #[arg(long)]
    force: bool,
}

impl Replace {
    /// Files may be replaced.
    pub const ALWAYS: Replace = Replace { force: true };

    /// Refuses to replace a file without `--force`. Pipes, devices and descriptors may always be written.
    ///
    /// # Errors
    /// The file exists.
    pub fn may_write(self, path: &Path) -> anyhow::Result<()> {
        if Output::replaces(path) && !self.force {
            return Err(Usage(format!("{} exists: --force replaces it", path.display())).into());
        }
        Ok(())
    }
}

/// Refuses an output that is an input, or a part of a corpus that is an input.
///
/// # Errors
/// The output would replace an input.
pub fn keeps_apart<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a PathBuf>) -> anyhow::Result<()> {
    let Ok(target) = out.canonicalize() else { return Ok(()) };
    for input in inputs {
        let Ok(input_target) = input.canonicalize() else { continue };
        // Only the parts in the folder of a corpus are inputs, not the reports and books beside them.
        let is_part = input_target.is_dir()
            && target.parent().is_some_and(|parent| parent.starts_with(&input_target))
            && target.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"));
        if input_target == target && target.is_file() || is_part {
            return Err(Usage(format!("{} is an input: it would be replaced", out.display())).into());
        }
    }
    Ok(())
}

/// The name of an output in messages.
pub fn name(out: &Path) -> String {
    if out == Path::new("-") { "standard output".to_owned() } else { out.display().to_string() }
}
