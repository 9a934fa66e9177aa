import type { L1Validator, Subnet } from '../primary/ledger.ts'
import { type BareHex, hexOf } from '../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../protocol/ids/text.ts'
import { sha256Hex } from '../../protocol/native/hashes.ts'
import { validationIdOf } from '../primary/warp.ts'
import { decodeL1Payload, type L1Payload } from '../../protocol/warp/l1-payloads.ts'
import { decodePayload, type WarpPayload } from '../../protocol/warp/warp-messages.ts'
import { decodePreimage } from '../../protocol/warp/justification.ts'
import { reasonOf, type Refusal, type Verify } from './sign.ts'

/** The state that the P-Chain's rules read: the newest accepted one. */
type PFacts = {
  subnet(id: BareHex): Subnet | undefined
  l1Validator(validationId: BareHex): L1Validator | undefined
  /** Whether this validation of the subnet was ever registered. */
  wasL1Validator(subnetId: BareHex, validationId: BareHex): boolean
  /** Unix seconds. */
  chainTime(): number
}

const maxNonce = 2n ** 64n - 1n

/** A message's type as written in a node's error messages. */
const typeName = ({ type }: L1Payload): string => `*message.${type}`

const quoted = (id: BareHex): string => `"${cb58(id)}"`

/** An id of 32 bytes, or the node's error message for other lengths. */
function idOf(bytes: Uint8Array): { readonly id: BareHex } | { readonly words: string } {
  if (bytes.length === 32) return { id: hexOf(bytes) }
  return { words: `invalid hash length: expected 32 bytes but got ${bytes.length}` }
}

function conversionRefusal(facts: PFacts, said: BareHex, justification: Uint8Array): Refusal | undefined {
  const subnet = idOf(justification)
  if ('words' in subnet) return { code: 5, text: `failed to parse justification: ${subnet.words}` }
  const conversion = facts.subnet(subnet.id)?.conversion
  if (conversion === undefined) return { code: 6, text: `subnet ${quoted(subnet.id)} has not been converted` }
  if (conversion.id === said) return undefined
  const text = `provided conversionID ${quoted(said)} != expected conversionID ${quoted(conversion.id)}`
  return { code: 7, text }
}

/** Checks a validator from the conversion, by subnet and index. */
function convertedRefusal(
  facts: PFacts,
  said: BareHex,
  { subnetId, index }: { readonly subnetId: Uint8Array; readonly index: number },
): Refusal | undefined {
  const subnet = idOf(subnetId)
  if ('words' in subnet) return { code: 9, text: `failed to parse subnetID: ${subnet.words}` }
  const expected = validationIdOf(subnet.id, index)
  if (expected !== said) {
    return { code: 10, text: `validationID ${quoted(said)} != justificationID ${quoted(expected)}` }
  }
  if (facts.subnet(subnet.id)?.conversion === undefined) {
    return { code: 6, text: `subnet ${quoted(subnet.id)} has not been converted` }
  }
  return facts.l1Validator(said) && { code: 12, text: `validation ${quoted(said)} exists` }
}

/**
 * Checks a validator that was registered, or could have been until it expired, by the registration message.
 */
function registeredRefusal(facts: PFacts, said: BareHex, registration: Uint8Array): Refusal | undefined {
  let asked: L1Payload
  try {
    asked = decodeL1Payload(registration)
  } catch (error) {
    return { code: 13, text: `failed to parse RegisterL1Validator justification: ${reasonOf(error)}` }
  }
  if (asked.type !== 'RegisterL1Validator') {
    const words = `wrong payload type: ${typeName(asked)}`
    return { code: 13, text: `failed to parse RegisterL1Validator justification: ${words}` }
  }
  const expected = sha256Hex(registration)
  if (expected !== said) {
    return { code: 10, text: `validationID ${quoted(said)} != justificationID ${quoted(expected)}` }
  }
  if (facts.l1Validator(said) !== undefined) return { code: 12, text: `validation ${quoted(said)} exists` }
  if (asked.expiry <= BigInt(facts.chainTime()) || facts.wasL1Validator(hexOf(asked.subnetId), said))
    return undefined
  return { code: 14, text: `validation ${quoted(said)} can be registered until ${asked.expiry}` }
}

function registrationRefusal(
  facts: PFacts,
  { validationId: id, registered }: Extract<L1Payload, { type: 'L1ValidatorRegistration' }>,
  justification: Uint8Array,
): Refusal | undefined {
  const validationId = hexOf(id)
  if (registered) {
    if (facts.l1Validator(validationId) !== undefined) return undefined
    return { code: 11, text: `validation ${quoted(validationId)} does not exist` }
  }
  let why: ReturnType<typeof decodePreimage>
  try {
    why = decodePreimage(justification)
  } catch (error) {
    return { code: 5, text: `failed to parse justification: ${reasonOf(error)}` }
  }
  switch (why.case) {
    case 'registered':
      return registeredRefusal(facts, validationId, why.value)
    case 'converted':
      return convertedRefusal(facts, validationId, why.value)
    default:
      return { code: 8, text: 'invalid justification type: <nil>' }
  }
}

function weightRefusal(
  facts: PFacts,
  { validationId: id, nonce, weight }: Extract<L1Payload, { type: 'L1ValidatorWeight' }>,
): Refusal | undefined {
  const validationId = hexOf(id)
  if (nonce === maxNonce) return { code: 15, text: 'impossible nonce' }
  const validator = facts.l1Validator(validationId)
  if (validator === undefined) {
    return { code: 11, text: `validation ${quoted(validationId)} does not exist` }
  }
  const { minNonce } = validator
  if (nonce + 1n !== minNonce) {
    return { code: 16, text: `provided nonce ${nonce} != expected nonce (${minNonce} - 1)` }
  }
  if (weight === validator.weight) return undefined
  return { code: 17, text: `provided weight ${weight} != expected weight ${validator.weight}` }
}

/** The P-Chain's nodes sign statements about L1s that match their state, as defined in ACP-77. */
export function pRules(facts: PFacts): Verify {
  return ({ payload, justification }) => {
    let content: WarpPayload
    try {
      content = decodePayload(payload)
      if (content.kind !== 'AddressedCall') {
        return { code: 1, text: 'failed to parse warp addressed call: wrong payload type: *payload.Hash' }
      }
    } catch (error) {
      return { code: 1, text: `failed to parse warp addressed call: ${reasonOf(error)}` }
    }
    if (content.source.length > 0) return { code: 2, text: 'source address should be empty' }
    let message: L1Payload
    try {
      message = decodeL1Payload(content.payload)
    } catch (error) {
      return { code: 3, text: `failed to parse warp addressed call payload: ${reasonOf(error)}` }
    }
    switch (message.type) {
      case 'SubnetToL1Conversion':
        return conversionRefusal(facts, hexOf(message.conversionId), justification)
      case 'L1ValidatorRegistration':
        return registrationRefusal(facts, message, justification)
      case 'L1ValidatorWeight':
        return weightRefusal(facts, message)
      default:
        return {
          code: 4,
          text: `unsupported warp addressed call payload type: ${typeName(message)}`,
        }
    }
  }
}
