import type { WarpMessages } from '../evm/warp-messages.ts'
import { cb58 } from '../../protocol/ids/text.ts'
import { type BareHex, hexOf } from '../../protocol/ids/bare-hex.ts'
import { decodeValidatorUptime, type ValidatorUptime } from '../../protocol/warp/validator-uptime.ts'
import { decodePayload, type WarpPayload } from '../../protocol/warp/warp-messages.ts'
import { reasonOf, type Refusal, type Verify } from './sign.ts'

/** The data for an EVM chain's signing rules. */
type EvmFacts = {
  readonly messages: WarpMessages
  /** Uptime of a validation in seconds; absent on the C-Chain, which confirms none. */
  readonly uptimeOf?: (validationId: BareHex) => number | undefined
}

const unparsable = 1
const unverified = 2

type Call = Extract<WarpPayload, { kind: 'AddressedCall' }>

/** A proof of uptime is the only message that an L1's validators confirm although it was not sent. */
function uptimeRefusal(
  { source, payload }: Call,
  uptimeOf: NonNullable<EvmFacts['uptimeOf']>,
): Refusal | undefined {
  let asked: ValidatorUptime
  try {
    asked = decodeValidatorUptime(payload)
  } catch (error) {
    return { code: unparsable, text: `failed to parse addressed call message: ${reasonOf(error)}` }
  }
  if (source.length > 0) {
    return { code: unverified, text: 'source address should be empty for offchain addressed messages' }
  }
  const seconds = uptimeOf(hexOf(asked.validationId))
  if (seconds === undefined) return { code: unverified, text: 'failed to get uptime: not found' }
  if (BigInt(seconds) >= asked.seconds) return undefined
  const id = cb58(asked.validationId)
  const text = `current uptime ${seconds} is less than queried uptime ${asked.seconds} for validationID ${id}`
  return { code: unverified, text }
}

/** An EVM chain's node signs messages that the chain has sent, and hashes of accepted blocks. */
export function evmRules({ messages, uptimeOf }: EvmFacts): Verify {
  return async ({ id, payload }) => {
    if ((await messages.message(id)) !== undefined) return undefined
    let content: WarpPayload
    try {
      content = decodePayload(payload)
    } catch (error) {
      return { code: unparsable, text: `failed to parse payload: ${reasonOf(error)}` }
    }
    if (content.kind === 'AddressedCall') {
      if (uptimeOf !== undefined) return uptimeRefusal(content, uptimeOf)
      return { code: unparsable, text: 'unknown payload type: *payload.AddressedCall' }
    }
    if (await messages.hasBlock(hexOf(content.hash))) return undefined
    return { code: unverified, text: `failed to get block ${cb58(content.hash)}: not found` }
  }
}
