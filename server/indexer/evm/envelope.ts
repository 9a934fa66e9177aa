import { hex, list, object, quantity, type JsonObject } from '../../kernel/json.ts'
import { delegatingType, readAuthorization } from './authorizations.ts'

/** The type of transactions with blobs (EIP-4844). */
export const blobType = 3

/**
 * Bytes of an envelope that is stored as it is. A transaction may fill its block with storage keys; of a longer one only
 * that it has one is stored, and the node is asked.
 */
const maxLength = 32_768

/**
 * What few transactions carry, with the names of JSON-RPC: the access list, authorizations and blobs; without fields if
 * there is none of them. Quantities are short, bytes in lower case. Throws a refusal.
 */
export function envelopeOf(transaction: JsonObject): Record<string, unknown> {
  const type = Number(transaction['type'] ?? 0)
  const access = listOf(transaction['accessList'])
  return {
    ...(access.length > 0 && { accessList: access.map(accessEntry) }),
    ...(type === delegatingType && {
      authorizationList: listOf(transaction['authorizationList']).map(authorization),
    }),
    ...(type === blobType && {
      blobVersionedHashes: listOf(transaction['blobVersionedHashes']).map((hash) =>
        hex(hash, 'a blob hash', 32),
      ),
      maxFeePerBlobGas: shortQuantity(transaction['maxFeePerBlobGas']),
    }),
  }
}

/** A row of `envelopes` in COPY's text format; none for an envelope without fields. JSON of hex needs no escapes. */
export function envelopeLine(
  place: readonly [chain: number, number: number, index: number],
  envelope: Readonly<Record<string, unknown>>,
): string {
  if (Object.keys(envelope).length === 0) return ''
  const fields = JSON.stringify(envelope)
  return `${place.join('\t')}\t${fields.length > maxLength ? '\\N' : fields}\n`
}

const listOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : list(value, 'a list')

function accessEntry(value: unknown) {
  const entry = object(value, 'an access list entry')
  const keys = listOf(entry['storageKeys']).map((key) => hex(key, 'a storage key', 32))
  return { address: hex(entry['address'], 'an address', 20), storageKeys: keys }
}

function authorization(value: unknown) {
  const { address, ...numbers } = readAuthorization(value)
  return {
    address,
    chainId: shortText(numbers.chainId),
    nonce: shortText(numbers.nonce),
    r: shortText(numbers.r),
    s: shortText(numbers.s),
    yParity: shortText(numbers.yParity),
  }
}

const shortText = (value: bigint): string => `0x${value.toString(16)}`

/** A quantity in JSON-RPC's form, without leading zeros. */
export const shortQuantity = (value: unknown): string => shortText(quantity(value, 'a quantity'))
