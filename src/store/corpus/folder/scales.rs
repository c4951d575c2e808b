//! Finds out which scale of levels the rows of a source have.

use std::path::{Path, PathBuf};

use super::sources::files_of;
use crate::corpus::files::metadata::Metadata;
use crate::corpus::values::error::Result;
use crate::corpus::values::levels::Levels;

/// The scales of levels that sources of rows say they have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceScales {
    /// Each source with its scale, if it says which one it has. A folder says it in its first part.
    scales: Vec<(PathBuf, Option<Levels>)>,
}

impl SourceScales {
    /// Reads the metadata of folders of corpora and of files. A source that is missing or damaged says nothing; whoever
    /// reads its rows reports the problem.
    ///
    /// # Errors
    /// The system cannot read a source: in a moment, it may say something else.
    pub fn of(sources: &[PathBuf]) -> Result<SourceScales> {
        let scales = sources.iter().map(|source| Ok((source.clone(), scale_of(source)?)));
        Ok(SourceScales { scales: scales.collect::<Result<_>>()? })
    }

    /// The scale of all sources that say which one they have; the newspaper's if none does.
    ///
    /// # Errors
    /// Two sources have different scales. The message names both.
    pub fn common(&self) -> Result<Levels, String> {
        let mut scales = self.scales.iter().filter_map(|(source, scale)| Some((source, scale.as_ref()?)));
        let Some((first, levels)) = scales.next() else { return Ok(Levels::default()) };
        match scales.find(|(_, other)| *other != levels) {
            Some((second, other)) => Err(format!(
                "{} and {} have levels on different scales: {} and {}",
                first.display(),
                second.display(),
                levels.scale(),
                other.scale()
            )),
            None => Ok(levels.clone()),
        }
    }

    /// True if every source says that its column `level` has this scale.
    pub fn are_all(&self, levels: &Levels) -> bool {
        self.scales.iter().all(|(_, scale)| scale.as_ref() == Some(levels))
    }
}

/// The scale of a file, or of the first file of a folder.
fn scale_of(source: &Path) -> Result<Option<Levels>> {
    match metadata_of(source) {
        Err(error) if error.is_of_system() && source.exists() => Err(error),
        metadata => Ok(metadata.ok().flatten().and_then(|metadata| metadata.scale())),
    }
}

/// The metadata of a file, or of the first file of a folder.
pub(crate) fn metadata_of(source: &Path) -> Result<Option<Metadata>> {
    files_of(source)?.first().map_or(Ok(None), |file| Metadata::of_file(file))
}
