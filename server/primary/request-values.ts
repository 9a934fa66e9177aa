import { badRequest } from '../kernel/http-errors.ts'
import type { ServedNetwork } from './served-network.ts'
import { addressOfText, idOfText, nodeIdOfText, TextFormError } from '../../protocol/ids/text.ts'

/** Parses a query or path value; a malformed text is a 400 that names the field. */
function parsed<Value>(field: string, text: string, parse: () => Value): Value {
  try {
    return parse()
  } catch (error) {
    if (error instanceof TextFormError) throw badRequest([`${field}: ${text.slice(0, 64)}: ${error.message}`])
    throw error
  }
}

/** The 32 bytes of an id in a request. Throws a 400. */
export const idOf = (field: string, text: string): Buffer =>
  Buffer.from(parsed(field, text, () => idOfText(text)))

/** The 20 bytes of a node id in a request. Throws a 400. */
export const nodeOf = (field: string, text: string): Buffer =>
  Buffer.from(parsed(field, text, () => nodeIdOfText(text)))

/**
 * The 20 bytes of each address in a request, without duplicates: bech32 with the network's prefix, with or
 * without `P-` or `X-`, and 0x only on the C-Chain (docs/api.md, Primary network). Throws a 400.
 */
export function addressesOf(network: ServedNetwork, texts: readonly string[], takesHex = false): Buffer[] {
  const found = new Map<string, Buffer>()
  for (const text of texts) {
    if (text.startsWith('0x')) {
      if (!takesHex) throw badRequest(['addresses: 0x addresses are supported on the C-Chain only'])
      found.set(text.slice(2).toLowerCase(), Buffer.from(text.slice(2), 'hex'))
      continue
    }
    const bytes = parsed('addresses', text, () => Buffer.from(addressOfText(text, network.config.prefix)))
    found.set(bytes.toString('hex'), bytes)
  }
  return [...found.values()]
}
