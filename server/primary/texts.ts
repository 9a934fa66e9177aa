import type { PrimaryChainAlias } from '../../contract/primary/chains.ts'
import { addressText, cb58, hexText, nodeIdText } from '../../protocol/ids/text.ts'

/** Formats bytes as the texts of one network; caches repeated ids. */
export class Texts {
  readonly #prefix: string
  readonly #ids = new Map<string, string>()
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** 32 bytes in CB58. */
  id(bytes: Uint8Array): string {
    const key = Buffer.from(bytes).toString('latin1')
    let text = this.#ids.get(key)
    if (text === undefined) {
      text = cb58(bytes)
      this.#ids.set(key, text)
    }
    return text
  }

  /** An optional id as a field of an answer. */
  optional<Name extends string>(name: Name, bytes: Uint8Array | null): { [Key in Name]?: string } {
    return (bytes === null ? {} : { [name]: this.id(bytes) }) as { [Key in Name]?: string }
  }

  node(bytes: Uint8Array): string {
    return nodeIdText(bytes)
  }

  address(bytes: Uint8Array): string {
    return addressText(bytes, this.#prefix)
  }

  addresses(list: readonly Uint8Array[]): string[] {
    return list.map((bytes) => this.address(bytes))
  }

  /** The id of a block; 0x text on the C-Chain. */
  block(alias: PrimaryChainAlias, bytes: Uint8Array): string {
    return alias === 'c-chain' ? hexText(bytes) : this.id(bytes)
  }
}
