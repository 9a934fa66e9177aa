import { depositTopic, withdrawalTopic } from './transfer-logs.ts'

/** A log by its topics and data, as 0x text. */
type LogTexts = { readonly topics: readonly string[]; readonly data: string }

/**
 * What a wrapper of the native token moved without a transfer: one side is the zero address, and `amount` what the account
 * at the other side gained.
 */
type Wrap = {
  readonly from: string
  readonly to: string
  readonly value: bigint
  readonly account: string
  readonly amount: bigint
}

const nobody = `0x${'0'.repeat(40)}`
const beforeAddress = `0x${'0'.repeat(24)}`
/** The length of one word of data as 0x text. */
const wordLength = 2 + 64

/**
 * Reads a log as a deposit into a wrapper of the native token or as a withdrawal, by its shape; undefined for any other
 * log. Whether the contract is a token, and whether a transfer of the same transaction tells of it too, is not known here.
 */
export function readWrap({ topics, data }: LogTexts): Wrap | undefined {
  const [event, topic = ''] = topics
  if (event !== depositTopic && event !== withdrawalTopic) return undefined
  if (topics.length !== 2 || data.length !== wordLength || !topic.startsWith(beforeAddress)) return undefined
  const account = `0x${topic.slice(beforeAddress.length)}`
  if (account === nobody) return undefined
  const value = BigInt(data)
  return event === depositTopic
    ? { from: nobody, to: account, value, account, amount: value }
    : { from: account, to: nobody, value, account, amount: -value }
}

/** A movement of a token: a transfer, or with `isWrap` a deposit or a withdrawal. */
type Moving = {
  readonly token: string
  readonly kind: number
  readonly from: string
  readonly to: string
  readonly isWrap?: boolean
}

/**
 * Movements, with the index of their transaction, without the deposits and withdrawals that a transfer tells of as well:
 * one of the same contract in the same transaction that credits or debits the account at nobody's or the contract's own
 * expense. Tokens that emit both, and vaults whose deposits are of another token, are therefore counted by their transfers
 * alone.
 */
export function withoutCovered<Transfer extends Moving>(
  placed: readonly { readonly txIndex: number; readonly transfer: Transfer }[],
): Transfer[] {
  const told = new Set<string>()
  for (const { txIndex, transfer } of placed) {
    const { token, kind, from, to, isWrap } = transfer
    if (kind !== 20 || isWrap === true) continue
    if (from === nobody || from === token) told.add(`${txIndex} ${token} ${to}`)
    if (to === nobody || to === token) told.add(`${txIndex} ${token} ${from}`)
  }
  return placed.flatMap(({ txIndex, transfer }) => {
    const account = transfer.from === nobody ? transfer.to : transfer.from
    const isCovered = transfer.isWrap === true && told.has(`${txIndex} ${transfer.token} ${account}`)
    return isCovered ? [] : [transfer]
  })
}
