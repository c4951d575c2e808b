//! cov
pub mod natural;
pub mod symmetry;
pub mod bands;
pub mod exact;
pub mod process;
pub mod judge;
pub mod sampled;
pub mod small; pub mod distribution;
pub mod likelihood; pub mod numbers;
