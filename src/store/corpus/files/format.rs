//! Defines the formats of files of records. Parts of a corpus can have two of them.

use sudoku_corpus_core::names;

/// The format of a file of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum FileFormat {
    Parquet,
    CsvZst,
    Csv,
    Text,
}

impl FileFormat {
    /// Every format.
    pub const ALL: [FileFormat; 4] = [FileFormat::Parquet, FileFormat::CsvZst, FileFormat::Csv, FileFormat::Text];

    /// The ending of file names.
    pub const fn suffix(self) -> &'static str {
        match self {
            FileFormat::Parquet => ".parquet",
            FileFormat::CsvZst => ".csv.zst",
            FileFormat::Csv => ".csv",
            FileFormat::Text => ".txt",
        }
    }

    /// The format of a file name, if its ending is known. `.sdm` means plain lines too.
    pub fn of_name(name: &str) -> Option<FileFormat> {
        let name = name.to_ascii_lowercase();
        let lines = name.ends_with(".sdm").then_some(FileFormat::Text);
        FileFormat::ALL.into_iter().find(|format| name.ends_with(format.suffix())).or(lines)
    }
}

names! { "format":
    /// The format of the parts of a corpus.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PartFormat {
        /// Parquet.
        Parquet = "parquet",
        /// CSV in zstd.
        CsvZst = "csv.zst",
    }
}

impl PartFormat {
    /// The format of the files.
    pub const fn file_format(self) -> FileFormat {
        match self {
            PartFormat::Parquet => FileFormat::Parquet,
            PartFormat::CsvZst => FileFormat::CsvZst,
        }
    }
}
