/** A text literal of DuckDB's SQL. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
