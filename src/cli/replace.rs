//! Outputs that exist: replaced only when asked to, and an input never.

use std::path::{Path, PathBuf};

use super::Usage;
use crate::corpus::Output;

/// May a file that exists be replaced?
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub struct Replace {
    /// Replace outputs that exist. An input is never replaced.
    #[arg(long)]
    force: bool,
}

impl Replace {
    /// Files may be replaced.
    pub const ALWAYS: Replace = Replace { force: true };

    /// Refuses to replace a file without `--force`. Pipes, devices and descriptors are no files.
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

/// Refuses an output that is one of the inputs, or lies inside one that is a folder.
///
/// # Errors
/// Which input it would destroy.
pub fn keeps_apart<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a PathBuf>) -> anyhow::Result<()> {
    let Ok(target) = out.canonicalize() else { return Ok(()) };
    for input in inputs {
        let Ok(input_target) = input.canonicalize() else { continue };
        // A file inside the folder of a corpus is an input when it is one of its parts; reports and books beside the
        // parts are not.
        let is_part = input_target.is_dir()
            && target.parent().is_some_and(|parent| parent.starts_with(&input_target))
            && target.file_name().is_some_and(|name| name.to_string_lossy().starts_with("part-"));
        if input_target == target && target.is_file() || is_part {
            return Err(Usage(format!("{} is an input: it would be replaced", out.display())).into());
        }
    }
    Ok(())
}

/// An output as messages name it.
pub fn name(out: &Path) -> String {
    if out == Path::new("-") { "standard output".to_owned() } else { out.display().to_string() }
}
