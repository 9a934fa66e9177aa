import { bech32 } from '@scure/base'
import type { AddressForm } from '../../../protocol/primary/node-json.ts'
import { hexOfCb58 } from '../../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { addressLength } from '../rpc/encodings.ts'
import { explained, ServiceError } from '../rpc/service-errors.ts'

/** Blockchain ids (hex) by every name of a chain, its cb58 id among them. */
export type ChainNames = ReadonlyMap<string, string>

/** The id of the chain with this name or id. Throws `ServiceError` with the node's message. */
export function chainIdOf(names: ChainNames, name: string): string {
  const found = names.get(name)
  if (found !== undefined) return found
  const hex = hexOfCb58(name)
  if (hex?.length === 64) return hex
  throw new ServiceError(`there is no ID with alias: ${name}`)
}

/** The answering chain: its alias, the network's address prefix and the error for an address of another chain. */
export type LocalChain = {
  readonly id: string
  readonly form: AddressForm
  readonly names: ChainNames
}

function parseBech32(text: string): { prefix: string; bytes: Buffer } {
  if (text.length < 8 || text.length > 90) {
    throw new ServiceError(`invalid bech32 string length ${text.length}`)
  }
  const separator = text.lastIndexOf('1')
  if (separator < 1 || separator + 7 > text.length) {
    throw new ServiceError(`invalid separator index ${separator}`)
  }
  const found = bech32.decodeUnsafe(text)
  if (found === undefined) throw new ServiceError('invalid checksum')
  return { prefix: found.prefix, bytes: Buffer.from(bech32.fromWords(found.words)) }
}

function parseLocal(chain: LocalChain, text: string): string {
  const dash = text.indexOf('-')
  if (dash === -1) throw new ServiceError('no separator found in address')
  const { prefix, bytes } = parseBech32(text.slice(dash + 1))
  const id = chainIdOf(chain.names, text.slice(0, dash))
  if (prefix !== chain.form.prefix) {
    throw new ServiceError(`expected hrp ${JSON.stringify(chain.form.prefix)} but got "${prefix}"`)
  }
  if (bytes.length !== addressLength) {
    throw new ServiceError(`expected ${addressLength} bytes but got ${bytes.length}`)
  }
  if (id !== chain.id) {
    const [wanted, given] = [cb58(chain.id), cb58(id)]
    throw new ServiceError(
      chain.form.alias === 'C'
        ? `expected chainID to be "${wanted}" but was "${given}"`
        : `mismatched chainIDs: expected "${wanted}" but got "${given}"`,
    )
  }
  return bytes.toString('hex')
}

/**
 * The 20 bytes (hex) of an address of this chain or of one in cb58. Throws `ServiceError` with the node's message.
 */
export function parseAddress(chain: LocalChain, text: string): string {
  const hex = hexOfCb58(text)
  if (hex?.length === 2 * addressLength) return hex
  return explained(`couldn't parse address ${JSON.stringify(text)}: `, () => parseLocal(chain, text))
}
