import { readFileSync } from 'node:fs'
import { fromHex } from '../../protocol/ids/text.ts'
import { RetryableError } from '../kernel/errors.ts'
import { whyUnreadable } from '../kernel/unreadable.ts'

/** The genesis bytes in a file, raw or in hex. Throws a RetryableError if the file can't be read. */
export function readGenesisFile(path: string): Uint8Array {
  try {
    const bytes = readFileSync(path)
    const text = bytes.subarray(0, 2).toString() === '0x' ? bytes.toString('utf8').trim() : undefined
    return text === undefined ? bytes : fromHex(text)
  } catch (error) {
    throw new RetryableError('refused', `the genesis file ${path} cannot be read: ${whyUnreadable(error)}`)
  }
}
