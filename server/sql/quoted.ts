/** Text as a literal of the engine's SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
