import type { Database } from '../store/database.ts'
import { sumColumns, type SumColumn } from '../store/metrics/sums.ts'
import { compareCallData, type StoredCallData } from './calls.ts'
import { compareFailures, failuresOf, type StoredFailure } from './failures.ts'
import type { Findings } from './findings.ts'
import { messageOf } from './messages.ts'
import { envelopeText, type NodeBlock } from './node.ts'
import type { Recount } from './recount.ts'

type BlockRow = {
  number: bigint
  hash: string
  parent_hash: string
  ts: bigint
  tx_count: number
  gas_used: bigint
  settled_height: bigint | null
  previous_ts: bigint | null
  second_txs: bigint
  second_gas: string
} & Sums
type Sums = Record<SumColumn, bigint | string>
type TransactionRow = { number: bigint; line: string }
type LogRow = { number: bigint; line: string }

/** The stored rows of some blocks, to compare with the node's. */
export type StoredBlocks = {
  readonly blocks: Map<number, BlockRow>
  readonly transactions: Map<number, string[]>
  readonly logs: Map<number, string[]>
  readonly withdrawals: Map<number, string[]>
  readonly creations: Map<number, string[]>
  readonly messages: Map<number, string[]>
  readonly authorizations: Map<number, string[]>
  readonly envelopes: Map<number, { txIndex: number; fields: string | null }[]>
  /** The failed transactions of each block. */
  readonly failures: Map<number, StoredFailure[]>
  readonly callData: Map<number, StoredCallData[]>
}

/** Reads the rows of the blocks `from` to `to`. */
export async function readStored(
  database: Database,
  chain: bigint,
  from: number,
  to: number,
): Promise<StoredBlocks> {
  const blocks = await database<BlockRow[]>`
    select number, '0x' || encode(hash, 'hex') as hash, '0x' || encode(parent_hash, 'hex') as parent_hash, ts, tx_count,
      gas_used, settled_height, previous_ts, second_txs, second_gas, ${database(sumColumns)}
    from blocks where chain = ${chain} and number between ${from} and ${to}`
  const transactions = await database<TransactionRow[]>`
    select number, concat_ws(' ', '0x' || encode(hash, 'hex'), '0x' || encode(sender, 'hex'),
      coalesce('0x' || encode(recipient, 'hex'), '-'), value, gas_used, gas_price,
      coalesce(blob_gas_used * blob_gas_price, 0), status, '0x' || encode(input, 'hex')) as line
    from transactions where chain = ${chain} and number between ${from} and ${to} order by number, index`
  const logs = await database<LogRow[]>`
    select number, concat_ws(' ', tx_index, '0x' || encode(address, 'hex'), '0x' || encode(topic0, 'hex'),
      '0x' || encode(topic1, 'hex'), '0x' || encode(topic2, 'hex'), '0x' || encode(topic3, 'hex'), '0x' || encode(data, 'hex')) as line
    from logs where chain = ${chain} and number between ${from} and ${to} order by number, index`
  const withdrawals = await database<LogRow[]>`
    select number, concat_ws(' ', index, validator, '0x' || encode(address, 'hex'), amount) as line
    from withdrawals where chain = ${chain} and number between ${from} and ${to} order by number, index`
  const creations = await database<LogRow[]>`
    select number, concat_ws(' ', tx_index, '0x' || encode(origin, 'hex'), '0x' || encode(deployer, 'hex'),
      '0x' || encode(address, 'hex')) as line
    from contracts where chain = ${chain} and number between ${from} and ${to} order by number, tx_index, ordinal`
  const messages = await database<LogRow[]>`
    select number, concat_ws(' ', index, ts, direction, '0x' || encode(peer, 'hex')) as line
    from cross_chain_messages where chain = ${chain} and number between ${from} and ${to} order by number, index`
  const authorizations = await database<LogRow[]>`
    select number, concat_ws(' ', tx_index, index, '0x' || encode(authority, 'hex'), '0x' || encode(address, 'hex'),
      nonce) as line
    from authorizations where chain = ${chain} and number between ${from} and ${to} order by number, tx_index, index`
  const envelopes = await database<{ number: bigint; tx_index: number; fields: string | null }[]>`
    select number, tx_index, fields from envelopes
    where chain = ${chain} and number between ${from} and ${to} order by number, tx_index`
  const failures = await database<StoredFailure[]>`
    select number, index, error, failing_call as call
    from transactions where chain = ${chain} and number between ${from} and ${to} and status = 0
    order by number, index`
  const callData = await database<StoredCallData[]>`
    select number, index, -1 as ordinal, null as input, '0x' || encode(output, 'hex') as output
    from transactions where chain = ${chain} and number between ${from} and ${to}
    union all
    select number, tx_index, ordinal, '0x' || encode(input, 'hex'), '0x' || encode(output, 'hex')
    from calls where chain = ${chain} and number between ${from} and ${to}`
  return {
    blocks: new Map(blocks.map((row) => [Number(row.number), row])),
    transactions: group(transactions),
    logs: group(logs),
    withdrawals: group(withdrawals),
    creations: group(creations),
    messages: group(messages),
    authorizations: group(authorizations),
    envelopes: group(
      envelopes.map(({ number, tx_index: txIndex, fields }) => ({ number, line: { txIndex, fields } })),
    ),
    failures: group(failures.map((row) => ({ number: row.number, line: row }))),
    callData: group(callData.map((row) => ({ number: row.number, line: row }))),
  }
}

function group<Line>(rows: readonly { number: bigint; line: Line }[]): Map<number, Line[]> {
  const groups = new Map<number, Line[]>()
  for (const { number, line } of rows) {
    const lines = groups.get(Number(number))
    if (lines) lines.push(line)
    else groups.set(Number(number), [line])
  }
  return groups
}

/**
 * Compares the rows of one block, and its sums, with the node's block and the recount up to it. `isSummed`:
 * whether its sums of contracts and deployers include everything stored. `hasLogs`, `hasCalls`: whether its logs and
 * inner calls are kept.
 */
export function compareBlock(
  stored: StoredBlocks,
  block: NodeBlock,
  recount: Recount,
  {
    isSummed,
    hasLogs,
    hasCalls,
  }: { readonly isSummed: boolean; readonly hasLogs: boolean; readonly hasCalls: boolean },
  findings: Findings,
): void {
  const name = `block ${block.number}`
  const row = stored.blocks.get(block.number)
  if (!row) return findings.add('I5', `${name} is not stored`)
  const header = [
    row.hash,
    row.parent_hash,
    row.ts,
    row.tx_count,
    row.gas_used,
    row.settled_height ?? 'itself',
  ].join(' ')
  const expected = [
    block.hash,
    block.parentHash,
    block.ts,
    block.transactions.length,
    block.gasUsed,
    block.settledHeight ?? 'itself',
  ].join(' ')
  if (header !== expected) findings.add('I5', `${name}: stored ${header}, the node has ${expected}`)
  const transactions = block.transactions.map((item) =>
    [
      item.hash,
      item.from,
      item.to ?? '-',
      item.value,
      item.gasUsed,
      item.gasPrice,
      item.blobs[0] * item.blobs[1],
      item.succeeded ? 1 : 0,
      item.input,
    ].join(' '),
  )
  compareLines('transaction', name, stored.transactions.get(block.number), transactions, findings)
  const logs = block.transactions.flatMap((item, index) =>
    item.logs.map((log) => [index, log.address, ...log.topics, log.data].join(' ')),
  )
  if (hasLogs) compareLines('log', name, stored.logs.get(block.number), logs, findings)
  const withdrawals = block.withdrawals.map(({ index, validator, address, amount }) =>
    [index, validator, address, amount].join(' '),
  )
  compareLines('withdrawal', name, stored.withdrawals.get(block.number), withdrawals, findings)
  const messages = block.transactions
    .flatMap((item) => item.logs)
    .flatMap((log, index) => {
      const message = messageOf(log)
      if (!message) return []
      const { direction, peer = '' } = message
      return [`${index} ${block.ts} ${direction === 'sent' ? 0 : 1} ${peer}`.trimEnd()]
    })
  compareLines('message', name, stored.messages.get(block.number), messages, findings)
  const authorizations = block.transactions.flatMap((item, txIndex) =>
    item.authorizations.map(({ index, authority, address, nonce }) =>
      [txIndex, index, authority, address, nonce].join(' '),
    ),
  )
  compareLines('authorization', name, stored.authorizations.get(block.number), authorizations, findings)
  const known = stored.envelopes.get(block.number) ?? []
  // Of one that is too long to be stored, the row says only that there is one.
  const tooLong = new Set(known.filter(({ fields }) => fields === null).map(({ txIndex }) => txIndex))
  compareLines(
    'envelope',
    name,
    known.flatMap(({ txIndex, fields }) =>
      fields === null
        ? [`${txIndex} …`]
        : [`${txIndex} ${envelopeText(JSON.parse(fields) as Record<string, unknown>)}`],
    ),
    block.transactions.flatMap(({ envelope }, txIndex) =>
      envelope === undefined ? [] : [`${txIndex} ${tooLong.has(txIndex) ? '…' : envelope}`],
    ),
    findings,
  )
  if (block.creations) {
    const creations = block.creations.map(({ txIndex, deployer, contract }) =>
      [txIndex, block.transactions[txIndex]?.from, deployer, contract].join(' '),
    )
    compareLines('creation', name, stored.creations.get(block.number), creations, findings)
  }
  if (block.calls) {
    compareFailures(name, stored.failures.get(block.number) ?? [], failuresOf(block.calls), findings)
    compareCallData(name, stored.callData.get(block.number) ?? [], block.calls, hasCalls, findings)
  }
  compareSums(row, block, recount, isSummed, findings)
  compareSecond(row, block, recount, findings)
}

const traced = new Set(['cum_contracts', 'cum_deployers', 'cum_day_deployers'])

function compareSums(
  row: BlockRow,
  block: NodeBlock,
  recount: Recount,
  isSummed: boolean,
  findings: Findings,
): void {
  for (const [column, total] of Object.entries(recount.totals) as [keyof Sums, bigint][]) {
    if (!isSummed && traced.has(column)) continue
    if (BigInt(row[column]) !== total) {
      findings.add('I6', `block ${block.number}: ${column} is ${row[column]}, counted ${total}`)
    }
  }
}

/** Compares the data for rates; a block with timestamp 0 has none. */
function compareSecond(row: BlockRow, block: NodeBlock, recount: Recount, findings: Findings): void {
  const second = recount.lastSecond()
  if (block.ts === 0 || !second) return
  const stored = `${row.previous_ts ?? 'none'} ${row.second_txs} ${row.second_gas}`
  const counted = `${second.previous ?? 'none'} ${second.txs} ${second.gas}`
  if (stored !== counted)
    findings.add('I6', `block ${block.number}: its second is ${stored}, counted ${counted}`)
}

function compareLines(
  what: string,
  name: string,
  stored: readonly string[] | undefined,
  expected: readonly string[],
  findings: Findings,
): void {
  const length = Math.max(stored?.length ?? 0, expected.length)
  for (let index = 0; index < length; index += 1) {
    if (stored?.[index] === expected[index]) continue
    findings.add(
      'I5',
      `${name}: ${what} ${index} is ${shorten(stored?.[index])}, the node has ${shorten(expected[index])}`,
    )
  }
}

const shorten = (line: string | undefined): string => (line === undefined ? 'missing' : line.slice(0, 160))

/** Compares the newest hour of every address in every role with `seen`. */
export async function compareSeen(
  database: Database,
  chain: bigint,
  recount: Recount,
  findings: Findings,
): Promise<void> {
  const roles = ['parties', 'senders', 'deployers'] as const
  for (const [role, name] of roles.entries()) {
    const expected = new Map(recount.lastHours[name])
    const rows = await database<{ address: string; hour: bigint }[]>`
      select '0x' || encode(address, 'hex') as address, max(hour_ts) as hour
      from seen where chain = ${chain} and role = ${role} group by address`
    for (const { address, hour } of rows) {
      if (expected.get(address) !== Number(hour)) {
        findings.add(
          'I6',
          `seen: ${name} ${address} was last active at ${hour}, counted ${expected.get(address) ?? 'never'}`,
        )
      }
      expected.delete(address)
    }
    for (const address of expected.keys()) findings.add('I6', `seen: ${name} ${address} is missing`)
  }
}
