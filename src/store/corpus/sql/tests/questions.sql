-- {t} is a table, {n} a column of numbers, {g} one to group by.
SELECT {g}, count(*) AS n FROM {t} GROUP BY {g} ORDER BY n DESC
SELECT {g}, avg({n}), min({n}), max({n}), sum({n}) FROM {t} GROUP BY {g} HAVING count(*) >= 3
SELECT {g}, round(100.0 * count(*) / sum(count(*)) OVER (), 2) AS percent FROM {t} GROUP BY {g}
SELECT {g}, count(*) FILTER (WHERE {n} > 20), sum({n}) FILTER (WHERE minimal) FROM {t} GROUP BY {g}
SELECT count(DISTINCT class), count(DISTINCT {n}), count({n}), count(*) FROM {t}
SELECT {g}, median({n}), quantile_cont({n}, 0.9), quantile_disc({n}, 0.25) FROM {t} GROUP BY {g}
SELECT {g}, stddev({n}), var_pop({n}), stddev_pop({n}) FROM {t} GROUP BY {g}
SELECT corr({n}, givens), covar_samp({n}, givens), regr_slope({n}, givens), regr_intercept({n}, givens) FROM {t}
SELECT bool_and(minimal), bool_or({n} > 30), mode(level) FROM {t}
SELECT arg_max(class, row), arg_min(class, row) FROM {t}
SELECT * FROM (SELECT level, class, {n}, row_number() OVER (PARTITION BY level ORDER BY {n} DESC, row, delta, class) AS r FROM {t}) WHERE r <= 3
SELECT row, rank() OVER (ORDER BY {n}), dense_rank() OVER (ORDER BY {n}), percent_rank() OVER (ORDER BY {n}) FROM {t}
SELECT row, ntile(4) OVER (ORDER BY row, class, delta), cume_dist() OVER (ORDER BY {n}) FROM {t}
SELECT row, {n} - lag({n}) OVER (ORDER BY row, class, delta) FROM {t}
SELECT row, lead({n}, 2, -1) OVER (PARTITION BY {g} ORDER BY row, class, delta) FROM {t}
SELECT row, first_value({n}) OVER w, last_value({n}) OVER w, nth_value({n}, 2) OVER w FROM {t} WINDOW w AS (PARTITION BY {g} ORDER BY row, class, delta)
SELECT row, avg({n}) OVER (ORDER BY row, class, delta ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING) FROM {t}
SELECT row, sum({n}) OVER (ORDER BY givens RANGE BETWEEN 2 PRECEDING AND CURRENT ROW) FROM {t}
SELECT row, count(*) OVER (PARTITION BY {g} ORDER BY givens GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM {t}
SELECT givens, sum(count(*)) OVER (ORDER BY givens) FROM {t} GROUP BY givens
SELECT a.row, b.row FROM {t} a JOIN {t} b ON a.class = b.class AND a.row < b.row
SELECT a.row, b.row FROM {t} a LEFT JOIN others b ON a.class = b.class WHERE b.row IS NULL
SELECT count(*) FROM {t} a FULL JOIN others b USING (class)
SELECT a.{g}, count(b.row) FROM {t} a LEFT JOIN others b ON b.{n} = a.{n} GROUP BY a.{g}
SELECT count(*) FROM {t} a, others b WHERE a.{n} < b.{n}
SELECT count(*) FROM {t} a NATURAL JOIN others b
SELECT a.level, b.day, count(*) FROM {t} a CROSS JOIN others b GROUP BY 1, 2
WITH m AS (SELECT {g} AS g, avg({n}) AS mean FROM {t} GROUP BY {g}) SELECT p.row, p.{n} - m.mean FROM {t} p JOIN m ON m.g = p.{g}
WITH a AS (SELECT * FROM {t} WHERE minimal), b AS (SELECT * FROM a WHERE {n} > 0) SELECT count(*), (SELECT count(*) FROM a) FROM b
WITH RECURSIVE c(n) AS (SELECT 17 UNION ALL SELECT n + 1 FROM c WHERE n < 40) SELECT n, count(p.row) FROM c LEFT JOIN {t} p ON p.givens = n GROUP BY n
WITH RECURSIVE chain(at, depth) AS (SELECT min(row), 0 FROM {t} UNION SELECT p.row, depth + 1 FROM chain JOIN {t} p ON p.row = at + 7 WHERE depth < 9) SELECT * FROM chain
SELECT row FROM {t} p WHERE {n} >= (SELECT avg({n}) FROM {t} q WHERE q.{g} = p.{g})
SELECT row FROM {t} p WHERE NOT EXISTS (SELECT 1 FROM {t} q WHERE q.givens = p.givens AND q.{n} > p.{n})
SELECT row, (SELECT count(*) FROM {t} q WHERE q.{n} < p.{n}) AS below FROM {t} p
SELECT count(*) FROM {t} WHERE {n} NOT IN (SELECT {n} FROM others WHERE {n} IS NOT NULL)
SELECT count(*) FROM {t} WHERE {n} NOT IN (SELECT {n} FROM others)
SELECT count(*) FROM {t} WHERE (givens, minimal) IN (SELECT givens, minimal FROM others)
SELECT {g} FROM {t} EXCEPT SELECT {g} FROM others UNION SELECT {g} FROM monday WHERE row < 3
SELECT class FROM {t} INTERSECT SELECT class FROM others ORDER BY class LIMIT 5
SELECT {n}, {n} = NULL, {n} IS NULL, {n} <> 20, NOT ({n} > 20), {n} IS NOT DISTINCT FROM 20 FROM {t}
SELECT coalesce({n}, -1), nullif({n}, 20), ifnull({n}, 0), iif({n} > 20, 'a', 'b') FROM {t}
SELECT round({n} / 7.0, 2), round({n} * 0.5), {n} / 4, {n} % 4, CAST({n} / 3.0 AS INTEGER), ceil({n} / 3.0), floor({n} / 3.0) FROM {t}
SELECT sqrt(givens), ln(givens), log10(givens), pow(givens, 2), exp(-givens / 10.0), sign({n}), abs({n}) FROM {t}
SELECT greatest({n}, givens, 25), least({n}, givens, NULL), max({n}, givens) FROM {t}
SELECT upper(level), length(class), substr(class, 2, 2), replace(level, 'e', 'E'), instr(class, '0'), level || '-' || class FROM {t}
SELECT count(*) FROM {t} WHERE level LIKE '%a%' OR class GLOB '0*' OR class REGEXP '^00[0-9a]'
SELECT strftime('%Y-%m', day) AS month, count(*), sum({n}) FROM {t} GROUP BY month ORDER BY month
SELECT julianday(day) - julianday('2026-01-01'), date(day, '+1 month'), strftime('%w', day) FROM {t}
SELECT printf('%05.1f|%s', {n}, level), hex(level), typeof({n}), quote(level) FROM {t}
SELECT CASE WHEN {n} < 10 THEN 'low' WHEN {n} < 50 THEN 'middle' ELSE 'high' END AS band, count(*) FROM {t} GROUP BY band
SELECT json_group_array(row), group_concat(DISTINCT level) FROM (SELECT * FROM {t} ORDER BY row, class, delta)
SELECT min(row), max(row) FROM {t} WHERE {n} BETWEEN 10 AND 60 AND row >= 20 AND givens = 25 AND level IS NOT NULL
