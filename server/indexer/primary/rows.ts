import { copyNull, copyText } from '../evm/copy-text.ts'

/** A value of a column; a list of bytes is a `bytea[]`. */
export type Cell = string | number | bigint | boolean | null | undefined | Uint8Array | readonly Uint8Array[]

/** The hex digits of bytes: how ids are keys of maps. */
export function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
}

/** The bytes of a key. */
export function bytesOfKey(key: string): Uint8Array {
  return Buffer.from(key, 'hex')
}

/** A row in the text format of COPY. */
export function copyLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join('\t')}\n`
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return copyNull
  switch (typeof cell) {
    case 'string':
      return copyText(cell)
    case 'boolean':
      return cell ? 't' : 'f'
    case 'object':
      // Inside a list the backslash is escaped for the list, and then for COPY.
      if (cell instanceof Uint8Array) return `\\\\x${keyOf(cell)}`
      return `{${cell.map((each) => `"\\\\\\\\x${keyOf(each)}"`).join(',')}}`
    default:
      return cell.toString()
  }
}
