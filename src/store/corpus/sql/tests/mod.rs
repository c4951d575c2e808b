mod against_plain_tables;
mod answers;
mod types;
