import type { L1Message, WarpMessage } from '../../contract/signatures/warp.ts'
import type { L1Owner } from '../../protocol/primary/p-transactions.ts'
import { CodecError } from '../../protocol/codec/reader.ts'
import { hexText } from '../../protocol/ids/text.ts'
import type { Texts } from '../primary/texts.ts'
import { decodeL1Payload, type L1Payload } from '../../protocol/warp/l1-payloads.ts'
import type { Source } from './sources.ts'
import { decodePayload, decodeUnsigned, messageIdOf } from '../../protocol/warp/warp-messages.ts'

/** An unsigned message in the form of answers (contract/signatures/warp.ts). Throws CodecError. */
export function messageFields(
  unsigned: Uint8Array,
  texts: Texts,
  sources: ReadonlyMap<string, Source>,
): WarpMessage {
  const { networkId, sourceChainId, payload } = decodeUnsigned(unsigned)
  const source = sources.get(hexText(sourceChainId))
  return {
    messageId: hexText(messageIdOf(unsigned)),
    message: hexText(unsigned),
    networkId,
    sourceBlockchainId: texts.id(sourceChainId),
    ...(source && { sourceBlockchainName: source.name, signingSubnetId: source.subnetId }),
    ...payloadFields(payload, texts),
  }
}

function payloadFields(bytes: Uint8Array, texts: Texts) {
  const payload = orNothing(() => decodePayload(bytes))
  if (payload === undefined) return { payloadKind: 'Unknown' }
  if (payload.kind === 'Hash') return { payloadKind: payload.kind, blockHash: hexText(payload.hash) }
  const isOfP = payload.source.length === 0
  const l1 = orNothing(() => decodeL1Payload(payload.payload))
  // A contract can send any bytes: only the messages that the P-Chain accepts from managers are decoded.
  const isL1 =
    l1 !== undefined && (isOfP || l1.type === 'RegisterL1Validator' || l1.type === 'L1ValidatorWeight')
  return {
    payloadKind: payload.kind,
    ...(!isOfP && { sourceAddress: hexText(payload.source) }),
    payload: hexText(payload.payload),
    ...(isL1 && { l1Message: l1Fields(l1, texts) }),
  }
}

/** The decoded value, or undefined if the bytes are of another kind. */
function orNothing<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof CodecError) return undefined
    throw error
  }
}

function l1Fields(payload: L1Payload, texts: Texts): L1Message {
  const { type } = payload
  const owner = ({ threshold, addresses }: L1Owner) => ({ threshold, addresses: texts.addresses(addresses) })
  switch (payload.type) {
    case 'SubnetToL1Conversion':
      return { type, conversionId: hexText(payload.conversionId) }
    case 'RegisterL1Validator': {
      const expiry = Number(payload.expiry)
      return {
        type,
        subnetId: texts.id(payload.subnetId),
        nodeId: texts.node(payload.nodeId),
        blsPublicKey: hexText(payload.publicKey),
        // The manager chooses the number; one that cannot be a time is left out.
        ...(Number.isSafeInteger(expiry) && { expiry }),
        remainingBalanceOwner: owner(payload.remainingBalanceOwner),
        disableOwner: owner(payload.disableOwner),
        weight: payload.weight.toString(),
      }
    }
    case 'L1ValidatorRegistration':
      return { type, validationId: texts.id(payload.validationId), registered: payload.registered }
    case 'L1ValidatorWeight':
      return {
        type,
        validationId: texts.id(payload.validationId),
        nonce: payload.nonce.toString(),
        weight: payload.weight.toString(),
      }
  }
}
