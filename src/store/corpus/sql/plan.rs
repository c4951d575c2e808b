//! Reads SQLite's plan of a query: which tables of files are read in each round of a loop.
//!
//! ```text
//!   SELECT .. FROM puzzles p JOIN other o ON o.x = p.x WHERE p.y > (SELECT avg(y) FROM puzzles)
//!
//!     SCAN p VIRTUAL TABLE ..          the outer loop: once
//!     SCALAR SUBQUERY 1                computed once
//!       SCAN puzzles VIRTUAL TABLE ..
//!     SCAN o VIRTUAL TABLE ..          the second loop of a list: once for each row of the first
//! ```

use rusqlite::Connection;

use super::module::table_of_plan;

/// SQLite's plan of a query.
pub(super) struct Plan {
    lines: Vec<PlanLine>,
}

/// A line of a plan. It is a loop over a table, or stands above the loops of a subquery.
struct PlanLine {
    number: i64,
    /// The number of the line above it, or 0.
    parent: i64,
    text: String,
}

impl PlanLine {
    fn is_loop(&self) -> bool {
        self.text.starts_with("SCAN ") || self.text.starts_with("SEARCH ")
    }

    /// True if what stands below it is done for each row of another loop.
    fn repeats(&self) -> bool {
        self.text.starts_with("CORRELATED ") || self.text.starts_with("RECURSIVE STEP")
    }
}

impl Plan {
    pub(super) fn of(base: &Connection, sql: &str) -> rusqlite::Result<Plan> {
        let mut statement = base.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        let lines = statement
            .query_map([], |row| Ok(PlanLine { number: row.get(0)?, parent: row.get(1)?, text: row.get(3)? }))?;
        Ok(Plan { lines: lines.collect::<rusqlite::Result<_>>()? })
    }

    /// The tables of files that are read for each row of another loop, as their places. None stands there twice.
    pub(super) fn tables_in_loops(&self) -> Vec<usize> {
        let mut tables = Vec::new();
        for (number, line) in self.lines.iter().enumerate() {
            let Some(table) = table_of_plan(&line.text) else { continue };
            let before = &self.lines[..number];
            let is_inner = before.iter().any(|outer| outer.parent == line.parent && outer.is_loop());
            if (is_inner || self.is_repeated(line)) && !tables.contains(&table) {
                tables.push(table);
            }
        }
        tables
    }

    /// True if a line stands below one that is done for each row of another loop.
    fn is_repeated(&self, line: &PlanLine) -> bool {
        let above = self.lines.iter().find(|above| above.number == line.parent);
        above.is_some_and(|above| above.repeats() || self.is_repeated(above))
    }

    /// True if a join also keeps the rows of its right table that have no partner. SQLite makes no index of its own for
    /// this table, and would compare every pair of rows.
    pub(super) fn keeps_right_rows(&self) -> bool {
        self.lines.iter().any(|line| line.text.starts_with("RIGHT-JOIN "))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::corpus::sql::module;
    use crate::corpus::sql::tables::{Role, SqlColumn, SqlTable};
    use crate::corpus::values::value::ColumnType;

    fn plan(sql: &str) -> Plan {
        let base = Connection::open_in_memory().unwrap();
        for (place, name) in ["puzzles", "other"].into_iter().enumerate() {
            let column =
                |name: &str| SqlColumn { name: name.to_owned(), kind: Some(ColumnType::Signed), role: Role::File };
            let columns = ["a", "b", "x"].map(column).to_vec();
            let table = SqlTable { name: name.to_owned(), columns, estimate: 1_000, ..SqlTable::default() };
            module::add(&base, place, Arc::new(table), Arc::default()).unwrap();
        }
        Plan::of(&base, sql).unwrap()
    }

    #[test]
    fn tables_are_in_a_loop_if_they_are_read_for_each_row_of_another() {
        for once in [
            "SELECT a, b FROM puzzles WHERE a IN (1, 2) GROUP BY a, b ORDER BY a, b",
            "SELECT a FROM (SELECT a, b FROM puzzles) WHERE a > 1",
            "WITH c(a) AS (SELECT a FROM puzzles) SELECT a FROM c",
            "SELECT a FROM puzzles UNION SELECT a FROM puzzles",
            "SELECT sum(a) OVER (PARTITION BY b, x) FROM puzzles",
            "SELECT a FROM puzzles WHERE a > (SELECT avg(a) FROM puzzles) AND b IN (SELECT b FROM other)",
            "SELECT 1 FROM puzzles WHERE x = ':files_1 '",
        ] {
            assert!(plan(once).tables_in_loops().is_empty(), "{once}");
        }
        for (sql, tables) in [
            ("SELECT 1 FROM puzzles p LEFT JOIN other o ON p.x = o.x", &[1][..]),
            ("SELECT 1 FROM puzzles p, puzzles q WHERE p.a < q.a", &[0]),
            ("SELECT (SELECT count(*) FROM other o WHERE o.x < p.x) FROM puzzles p", &[1]),
            ("SELECT a FROM puzzles p WHERE EXISTS (SELECT 1 FROM other o WHERE o.x = p.x)", &[1]),
            ("SELECT 1 FROM json_each('[1, 2]') j CROSS JOIN other", &[1]),
            (
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT n.i + o.a FROM n CROSS JOIN other o) SELECT i FROM n",
                &[1],
            ),
        ] {
            assert_eq!(plan(sql).tables_in_loops(), tables, "{sql}");
        }
        assert!(plan("SELECT 1 FROM puzzles p FULL JOIN other o ON p.x = o.x").keeps_right_rows());
        assert!(!plan("SELECT 1 FROM puzzles p LEFT JOIN other o ON p.x = o.x").keeps_right_rows());
    }
}
