import { literal } from '../lake/literal.ts'
import type { Column } from './tables.ts'

/** The rows of a CSV file that the service has written for the engine, in its order. */
export function csvSource(file: string, columns: readonly Column[]): string {
  const types = columns.map(({ name, type }) => `${literal(name)}: ${literal(type)}`).join(', ')
  return `read_csv(${literal(file)}, header = false, auto_detect = false, delim = ',', quote = '"', escape = '"',
    nullstr = '', allow_quoted_nulls = false, columns = {${types}})`
}
