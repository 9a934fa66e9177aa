import type { SubscriptionKind } from '../../../../contract/node/node-methods.ts'

/** A notification that arrived over a socket. */
export type SocketEvent = {
  /** The number of the notification since the log was cleared, from 1. */
  seq: number
  /** Unix milliseconds. */
  at: number
  kind: SubscriptionKind
  value: unknown
  /** Characters of its frame. */
  size: number
}

/** The most notifications that are kept; older ones are dropped. */
export const maxKept = 1_000

/** The kept notifications of a stream, newest first, and the number of all. */
export type SocketLog = { events: readonly SocketEvent[]; total: number }

export const emptyLog: SocketLog = { events: [], total: 0 }

/** The log with new notifications, which are given in order of arrival. */
export function logAfter(
  log: SocketLog,
  fresh: readonly Omit<SocketEvent, 'seq'>[],
  max = maxKept,
): SocketLog {
  const counted = fresh.map((event, index): SocketEvent => ({ ...event, seq: log.total + index + 1 }))
  return {
    events: [...counted.slice(-max).toReversed(), ...log.events].slice(0, max),
    total: log.total + fresh.length,
  }
}

/** The number of seconds that the rate is averaged over. */
export const rateSpan = 10

/** Notifications a second over the last ten; `times` are Unix milliseconds. */
export function rateOf(times: readonly number[], now: number): number {
  return times.filter((at) => at > now - rateSpan * 1_000 && at <= now).length / rateSpan
}

const quantity = (value: unknown): string =>
  typeof value === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(value) ? BigInt(value).toLocaleString('en') : '?'

/** A notification in one line: the block, the log's position, or the transaction. */
export function summaryOf(kind: SubscriptionKind, value: unknown): string {
  if (typeof value === 'string') return value
  const fields: Readonly<Record<string, unknown>> =
    typeof value === 'object' && value !== null ? { ...value } : {}
  const hash = typeof fields['hash'] === 'string' ? fields['hash'] : ''
  if (kind === 'newHeads') return `block ${quantity(fields['number'])} ${hash}`
  if (kind === 'logs') {
    const removed = fields['removed'] === true ? 'taken back: ' : ''
    return `${removed}block ${quantity(fields['blockNumber'])}, log ${quantity(fields['logIndex'])} of ${String(fields['address'] ?? '?')}`
  }
  return hash
}

/** The filters of a subscription. */
export type Wanted = {
  kind: SubscriptionKind
  /** Addresses of logs. */
  address: string
  /** Topics of logs by position: one line each, alternatives separated by commas, an empty line for any. */
  topics: string
  /** Whole transactions instead of their hashes. */
  isWhole: boolean
}

const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text)
const isTopic = (text: string): boolean => /^0x[0-9a-fA-F]{64}$/.test(text)
const listed = (text: string): string[] =>
  text
    .split(/[\s,]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** The parameters of eth_subscribe, or why the input is invalid. */
export function subscribeParams(wanted: Wanted): { params: readonly unknown[] } | { wrong: string } {
  const { kind, isWhole } = wanted
  if (kind === 'newHeads') return { params: [kind] }
  if (kind !== 'logs') return { params: isWhole ? [kind, true] : [kind] }
  const addresses = listed(wanted.address)
  if (!addresses.every(isAddress)) return { wrong: 'An address has 0x and 40 hex digits.' }
  const lines = wanted.topics.trimEnd() === '' ? [] : wanted.topics.trimEnd().split('\n')
  if (lines.length > 4) return { wrong: 'A log has four topics at most.' }
  const topics = lines.map((line) => {
    const all = listed(line)
    return all.length === 0 ? null : all.length === 1 ? all[0] : all
  })
  if (!topics.flat().every((topic) => topic === null || isTopic(String(topic))))
    return { wrong: 'A topic has 0x and 64 hex digits.' }
  return {
    params: [
      kind,
      {
        ...(addresses.length > 0 && { address: addresses.length === 1 ? addresses[0] : addresses }),
        ...(topics.length > 0 && { topics }),
      },
    ],
  }
}
