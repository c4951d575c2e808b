//! 128 bits instead of a text, to tell texts apart.
//!
//! Counting ten million different puzzles by their texts takes 3 GB, by digests of 16 bytes a tenth of that. Two texts of
//! a billion have the same digest with a chance of 1e-21.

use std::sync::Arc;

use polars::prelude::{
    BaseColumnUdf, Column as Series, DataType, Field, Int128Chunked, IntoColumn, NewChunkedArray, PolarsError, Schema,
    UserDefinedFunction,
};
use polars::sql::{FunctionOptions, FunctionRegistry};

use super::sql::DIGEST;

/// The functions that questions may use beside those of polars: [`DIGEST`].
pub(super) struct Digests;

impl Digests {
    /// For a context of questions.
    pub fn registry() -> Arc<dyn FunctionRegistry> {
        Arc::new(Digests)
    }
}

impl FunctionRegistry for Digests {
    fn register(&mut self, name: &str, _: UserDefinedFunction) -> Result<(), PolarsError> {
        Err(PolarsError::InvalidOperation(format!("function {name} cannot be added").into()))
    }

    fn get_udf(&self, name: &str) -> Result<Option<UserDefinedFunction>, PolarsError> {
        let field = |_: &Schema, fields: &[Field]| match fields {
            [field] => Ok(Field::new(field.name().clone(), DataType::Int128)),
            _ => Err(PolarsError::InvalidOperation(format!("{DIGEST} takes one column").into())),
        };
        let mut function = UserDefinedFunction::new(DIGEST.into(), BaseColumnUdf::new(digests, field));
        // Row by row, so that rows need not be gathered first.
        function.options = FunctionOptions::elementwise();
        Ok(self.contains(name).then_some(function))
    }

    fn contains(&self, name: &str) -> bool {
        name == DIGEST
    }
}

/// The digests of a column of texts; none for a text that is missing.
fn digests(columns: &mut [Series]) -> Result<Series, PolarsError> {
    let [column] = columns else {
        return Err(PolarsError::InvalidOperation(format!("{DIGEST} takes one column").into()));
    };
    let digest = |text: &str| {
        let hash = blake3::hash(text.as_bytes());
        let first = hash.as_bytes().iter().take(16);
        first.fold(0i128, |digest, &byte| digest << 8 | i128::from(byte))
    };
    let texts = column.str()?;
    let digests = texts.iter().map(|text| text.map(digest));
    Ok(Int128Chunked::from_iter_options(column.name().clone(), digests).into_column())
}
