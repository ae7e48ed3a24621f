/** Distinguishes the URL of a PostgreSQL database from the name of an SQLite file. */
export const isPostgresUrl = (database: string): boolean => /^postgres(ql)?:\/\//.test(database);
