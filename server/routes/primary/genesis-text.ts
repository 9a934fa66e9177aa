import { parseLossless } from '../../../contract/base/json.ts'
import { hexText } from '../../../protocol/ids/text.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A chain's genesis data. */
export class Genesis {
  readonly bytes: Uint8Array
  /** The genesis of an EVM chain, or any other object; undefined if the bytes are not a JSON object. */
  readonly object: Readonly<Record<string, unknown>> | undefined

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.object = objectOf(bytes)
  }

  /** The `genesisData` field of an answer: the object, or 0x text; absent if a chain has none. */
  asField(): { genesisData?: Readonly<Record<string, unknown>> | string } {
    if (this.bytes.length === 0) return {}
    return { genesisData: this.object ?? hexText(this.bytes) }
  }
}

export const genesisOf = (bytes: Uint8Array): Genesis => new Genesis(bytes)

function objectOf(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  // A JSON object begins with a brace, which avoids decoding the codec bytes of an X-Chain's genesis.
  if (!/^\s*\{/.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))) return undefined
  try {
    const value = parseLossless(utf8.decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
