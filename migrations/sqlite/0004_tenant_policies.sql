-- Compatible with 0001.

-- Nothing changes: SQLite has no row-level security. Each query has the municipality as a predicate.
