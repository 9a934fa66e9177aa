import {
  receiveCrossChainMessage,
  sendWarpMessage,
  teleporterMessenger,
  warpPrecompile,
} from '../../../protocol/warp/icm.ts'
import { copyNull } from '../../store/copy-text.ts'

/** The `direction` column of `cross_chain_messages`. */
const directions = { sent: 0, delivered: 1 } as const

/** A log as decoded JSON, before it is checked. */
type UncheckedLog = { readonly address?: unknown; readonly data?: unknown }

/** A message that a log tells of, and the blockchain at its other end (32 bytes in hex) if that is known. */
type LoggedMessage = { readonly direction: number; readonly peer: string | undefined }

const isHex = (value: unknown, expected: string): boolean =>
  typeof value === 'string' && value.toLowerCase() === expected

/**
 * The cross-chain message of a log: one that the warp precompile emitted, or one that TeleporterMessenger accepted.
 * Called for every log of a chain, so that the first digits of its topic decide in most cases.
 */
export function messageOfLog(log: UncheckedLog, topics: readonly unknown[]): LoggedMessage | undefined {
  const [topic] = topics
  if (typeof topic !== 'string') return undefined
  if (topic.startsWith('0x56600')) {
    if (!isHex(topic, sendWarpMessage) || !isHex(log.address, warpPrecompile)) return undefined
    const message = sentMessage(Buffer.from(String(log.data).slice(2), 'hex'))
    return message && { direction: directions.sent, peer: destinationOf(message)?.toString('hex') }
  }
  if (topic.startsWith('0x292')) {
    const source = topics[2]
    const isDelivery = isHex(topic, receiveCrossChainMessage) && isHex(log.address, teleporterMessenger)
    if (!isDelivery || topics.length !== 4 || typeof source !== 'string') return undefined
    return { direction: directions.delivered, peer: source.slice(2).toLowerCase() }
  }
  return undefined
}

/** The row of a message in COPY's text format, with the columns of `copyColumns`. */
export function messageLine(
  [chain, number, index, ts]: readonly [number, number, number, number],
  { direction, peer }: LoggedMessage,
): string {
  return `${chain}\t${number}\t${index}\t${ts}\t${direction}\t${peer === undefined ? copyNull : `\\\\x${peer}`}\n`
}

/** Bytes of an unsigned message without its payload: codec version, network, source blockchain, payload's length. */
const messageHead = 42
/** Bytes of an addressed call without its payload: codec version, type, sender with its length, payload's length. */
const callHead = 34

/**
 * The unsigned message in the data of the precompile's log: offset, length, bytes. Undefined if it is none: on a chain
 * without the precompile, another contract may be at its address.
 */
function sentMessage(data: Buffer): Buffer | undefined {
  if (data.length < 64 + messageHead) return undefined
  const length = data.readBigUInt64BE(56)
  if (length < messageHead || length > data.length - 64) return undefined
  const message = data.subarray(64, 64 + Number(length))
  const isMessage = message.readUInt16BE(0) === 0 && message.readUInt32BE(38) === message.length - messageHead
  return isMessage ? message : undefined
}

const pChain = Buffer.alloc(32)
const messenger = Buffer.from(teleporterMessenger.slice(2), 'hex')
/** The first word of an encoded TeleporterMessage, which has members of variable length, and the size of its head. */
const teleporterStart = Buffer.from('20'.padStart(64, '0'), 'hex')
const teleporterHead = 288

/**
 * The blockchain that a message is for, where its payload names it: TeleporterMessenger's does, and what only the
 * P-Chain takes (registrations and weights of L1 validators) is for the P-Chain. Everything else is between contracts.
 */
function destinationOf(message: Buffer): Buffer | undefined {
  const call = message.subarray(messageHead)
  if (call.length < callHead || call.readUInt16BE(0) !== 0 || call.readUInt32BE(2) !== 1) return undefined
  if (call.readUInt32BE(6) !== 20 || call.readUInt32BE(30) !== call.length - callHead) return undefined
  const payload = call.subarray(callHead)
  if (call.subarray(10, 30).equals(messenger)) {
    const isMessage = payload.length >= teleporterHead && payload.subarray(0, 32).equals(teleporterStart)
    return isMessage ? payload.subarray(96, 128) : undefined
  }
  if (payload.length < 6 || payload.readUInt16BE(0) !== 0) return undefined
  const type = payload.readUInt32BE(2)
  return type === 1 || (type === 3 && payload.length === 54) ? pChain : undefined
}
