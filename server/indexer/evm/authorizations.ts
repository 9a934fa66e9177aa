import { authorityOf, type Authorization } from '../../kernel/authorizations.ts'
import { hex, list, object, quantity } from '../../kernel/json.ts'
import { copyBytes } from '../../store/copy-text.ts'

/** The type of transactions that carry authorizations (EIP-7702). */
export const delegatingType = 4

/** Reads an entry of `authorizationList`. Throws a refusal. */
export function readAuthorization(value: unknown): Authorization {
  const entry = object(value, 'an authorization')
  return {
    chainId: quantity(entry['chainId'], 'the chain of an authorization'),
    address: hex(entry['address'], 'the address of an authorization', 20),
    nonce: quantity(entry['nonce'], 'the nonce of an authorization'),
    yParity: quantity(entry['yParity'] ?? entry['v'], 'the signature of an authorization'),
    r: quantity(entry['r'], 'the signature of an authorization'),
    s: quantity(entry['s'], 'the signature of an authorization'),
  }
}

/** An authorization with a valid signature for the chain, or for any: whether it was applied is up to its nonce. */
type SignedAuthorization = {
  /** Its place in the list of the transaction. */
  readonly index: number
  readonly authority: string
  readonly address: string
  readonly nonce: bigint
}

/** The signed authorizations in an `authorizationList` that are meant for a chain. Throws a refusal. */
export function signedAuthorizations(chain: number, given: unknown): SignedAuthorization[] {
  return list(given ?? [], 'the authorizations').flatMap((value, index) => {
    const entry = readAuthorization(value)
    if (entry.chainId !== 0n && entry.chainId !== BigInt(chain)) return []
    const authority = authorityOf(entry)
    return authority === undefined ? [] : [{ index, authority, address: entry.address, nonce: entry.nonce }]
  })
}

/** Rows of `authorizations` in COPY's text format. The first parameter is chain, block and transaction. */
export const authorizationLines = (
  place: readonly [number, number, number],
  authorizations: readonly SignedAuthorization[],
): string =>
  authorizations
    .map(
      ({ index, authority, address, nonce }) =>
        `${place.join('\t')}\t${index}\t${copyBytes(authority)}\t${copyBytes(address)}\t${nonce}\n`,
    )
    .join('')
