/** Values in the text format of PostgreSQL's COPY: columns end with a tab, rows with a newline. */

export const copyNull = '\\N'

/** A bytea column from 0x text. */
export function copyBytes(hex: string): string {
  return `\\\\x${hex.slice(2)}`
}

/** A bytea column that may be null. */
export function copyOptionalBytes(hex: string | undefined): string {
  return hex === undefined ? copyNull : copyBytes(hex)
}

/** A number column that may be null. */
export function copyOptional(value: bigint | number | undefined): string {
  return value === undefined ? copyNull : value.toString()
}

/**
 * A text column: COPY's special characters are escaped, and NUL is replaced because PostgreSQL cannot store
 * it.
 */
export function copyText(value: string | undefined): string {
  if (value === undefined) return copyNull
  return value
    .replaceAll('\0', '\uFFFD')
    .replaceAll('\\', '\\\\')
    .replaceAll('\t', '\\t')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
}
