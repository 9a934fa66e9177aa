import { CodecError } from '../../protocol/codec/reader.ts'
import { decodeUnsigned, type UnsignedMessage } from '../../protocol/warp/warp-messages.ts'
import { type BareHex, hexOf } from '../../protocol/ids/bare-hex.ts'
import { sha256Hex } from '../../protocol/native/hashes.ts'
import { PeerMessageError } from '../../protocol/peer/errors.ts'
import { decodeSignatureRequest } from '../../protocol/peer/messages.ts'
import { JustificationError } from '../../protocol/warp/justification.ts'

/** A refusal to sign; code and text are those of a real node. */
export type Refusal = {
  readonly code: number
  readonly text: string
}

/** A message to be signed, as bytes and decoded. */
type Asked = {
  readonly bytes: Uint8Array
  /** Its id: sha256 of the bytes. */
  readonly id: BareHex
  readonly justification: Uint8Array
} & UnsignedMessage

/** A chain's signing rules: the reason to refuse, or undefined. */
export type Verify = (asked: Asked) => Refusal | undefined | Promise<Refusal | undefined>

/** What a node needs to sign for a chain. */
export type Signable = {
  readonly networkId: number
  readonly chainId: BareHex
  readonly verify: Verify
}

/** Errors of every chain's handler, independent of its own rules. */
const unexpected = -1
export const unregistered: Refusal = { code: -2, text: 'unregistered handler' }
export const throttled: Refusal = { code: -4, text: 'throttled' }

export function reasonOf(error: unknown): string {
  if (error instanceof CodecError || error instanceof PeerMessageError || error instanceof JustificationError)
    return error.message
  throw error
}

/** Decides whether a node signs a request. `request` is a SignatureRequest of ACP-118. */
export async function examine(
  { networkId, chainId, verify }: Signable,
  request: Uint8Array,
): Promise<Asked | Refusal> {
  let asked: { readonly message: Uint8Array; readonly justification: Uint8Array }
  try {
    asked = decodeSignatureRequest(request)
  } catch (error) {
    return { code: unexpected, text: `failed to unmarshal request: ${reasonOf(error)}` }
  }
  const { message: bytes, justification } = asked
  let unsigned: UnsignedMessage
  try {
    unsigned = decodeUnsigned(bytes)
  } catch (error) {
    return { code: unexpected, text: `failed to parse warp unsigned message: ${reasonOf(error)}` }
  }
  const found: Asked = { ...unsigned, bytes, justification, id: sha256Hex(bytes) }
  const refusal = await verify(found)
  if (refusal !== undefined) return refusal
  // The signer checks these two after the chain's rules.
  if (hexOf(unsigned.sourceChainId) !== chainId) {
    return { code: unexpected, text: 'failed to sign message: wrong SourceChainID' }
  }
  if (unsigned.networkId !== networkId) {
    return { code: unexpected, text: 'failed to sign message: wrong networkID' }
  }
  return found
}
