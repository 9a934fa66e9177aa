import { type Hex, encodeAbiParameters, parseAbiParameters } from 'viem'
import { encodeL1Payload } from '../../protocol/warp/l1-payloads.ts'
import { encodePayload, encodeUnsigned, messageIdOf } from '../../protocol/warp/warp-messages.ts'
import type { SeedLog } from './chain-rows.ts'

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')
const topicOf = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`

/** Of the ICM contracts, as deployed. */
export const messenger = '0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf'
const precompile = '0x0200000000000000000000000000000000000005'

const teleporterMessage = parseAbiParameters([
  'Message message',
  'struct Receipt { uint256 receivedMessageNonce; address relayerRewardAddress; }',
  'struct Message { uint256 messageNonce; address originSenderAddress; bytes32 destinationBlockchainID; address destinationAddress; uint256 requiredGasLimit; address[] allowedRelayerAddresses; Receipt[] receipts; bytes message; }',
])

/** A TeleporterMessage to a blockchain (32 bytes), with `words` bytes of text. */
export function teleporterPayload(destination: Uint8Array, text: string): Uint8Array {
  const someone = `0x${'5a'.repeat(20)}` as const
  return bytes(
    encodeAbiParameters(teleporterMessage, [
      {
        messageNonce: 7n,
        originSenderAddress: someone,
        destinationBlockchainID: hex(destination),
        destinationAddress: someone,
        requiredGasLimit: 200_000n,
        allowedRelayerAddresses: [someone],
        receipts: [{ receivedMessageNonce: 6n, relayerRewardAddress: someone }],
        message: hex(Buffer.from(text)),
      },
    ]),
  )
}

/** What a validator manager tells the P-Chain. */
export const weightPayload = (nonce: bigint): Uint8Array =>
  encodeL1Payload({
    type: 'L1ValidatorWeight',
    validationId: new Uint8Array(32).fill(9),
    nonce,
    weight: 20n,
  })

/** The log of the warp precompile for a message of a contract. */
export function sentLog(source: Uint8Array, sender: string, payload: Uint8Array): SeedLog {
  const message = encodeUnsigned({
    networkId: 12_345,
    sourceChainId: source,
    payload: encodePayload({ kind: 'AddressedCall', source: bytes(sender), payload }),
  })
  return {
    address: precompile,
    topics: [
      '0x56600c567728a800c0aa927500f831cb451df66a7af570eb4df4dfbf4674887d',
      topicOf(sender),
      hex(messageIdOf(message)),
    ],
    data: encodeAbiParameters([{ type: 'bytes' }], [hex(message)]),
  }
}

/** TeleporterMessenger's log for a message that it accepted. */
export const deliveredLog = (source: Uint8Array): SeedLog => ({
  address: messenger,
  topics: [
    '0x292ee90bbaf70b5d4936025e09d56ba08f3e421156b6a568cf3c2840d9343e34',
    hex(Buffer.alloc(32, 3)),
    hex(source),
    topicOf(`0x${'6b'.repeat(20)}`),
  ],
  data: '0x',
})
