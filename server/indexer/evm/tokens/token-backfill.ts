import type { Queryable } from '../../../store/database.ts'
import { transferLogs, wrapLogs } from '../../../store/evm/transfer-logs.ts'
import { lowerQueueMark } from '../../../store/tokens/queue-mark.ts'
import { lockChain } from '../../../store/session.ts'
import type { MovingBlock } from './token-state.ts'
import { TokenTracker } from './token-tracker.ts'
import { readMovements, readWrap, withoutCovered, type PlacedTransfer, type Transfer } from './transfers.ts'
import { toHex } from '../verify/trie.ts'

/** Logs per read. */
const page = 10_000

type LogRow = {
  number: bigint
  index: number
  tx_index: number
  address: Buffer
  topic0: Buffer
  topic1: Buffer | null
  topic2: Buffer | null
  topic3: Buffer | null
  data: Buffer
}

/**
 * Computes the token balances of blocks that were stored before balances were kept, from all logs of transfers and
 * wrappers in order. Runs in the caller's transaction. Returns the number of logs, 0 if nothing was missing.
 */
export async function backfillTokens(sql: Queryable, chain: number): Promise<number> {
  await lockChain(sql, chain)
  const isTransfer = sql.unsafe(transferLogs.any)
  const [missing] = await sql<{ logs: boolean }[]>`
    select exists (select from logs where chain = ${chain} and ${isTransfer})
      and not exists (select from token_blocks where chain = ${chain}) as logs`
  if (missing?.logs !== true) return 0
  const tracker = new TokenTracker(chain)
  let logs = 0
  let past = { number: -1n, index: -1 }
  const isRead = sql.unsafe(`(${transferLogs.any} or ${wrapLogs})`)
  let open: { number: number; placed: PlacedTransfer[] } | undefined
  for (;;) {
    const rows = await sql<LogRow[]>`
      select number, index, tx_index, address, topic0, topic1, topic2, topic3, data from logs
      where chain = ${chain} and (number, index) > (${past.number}, ${past.index}) and ${isRead}
      order by number, index limit ${page}`
    const whole: MovingBlock[] = []
    for (const row of rows) {
      const number = Number(row.number)
      if (open && open.number !== number) {
        whole.push(movingBlock(open))
        open = undefined
      }
      open ??= { number, placed: [] }
      const transfer = transferOf(row)
      if (transfer) open.placed.push({ txIndex: row.tx_index, transfer })
    }
    const last = rows.at(-1)
    if (!last && open) whole.push(movingBlock(open))
    await tracker.load(sql, whole)
    for (const block of whole) tracker.apply(block)
    await tracker.write(sql)
    if (!last) break
    logs += rows.length
    past = last
  }
  await lowerQueueMark(sql, chain, -1)
  return logs
}

const movingBlock = ({
  number,
  placed,
}: {
  number: number
  placed: readonly PlacedTransfer[]
}): MovingBlock => ({
  number,
  transfers: withoutCovered(placed),
})

function transferOf(row: LogRow): Transfer | undefined {
  const topics = [row.topic0, row.topic1, row.topic2, row.topic3].flatMap((topic) =>
    topic ? [toHex(topic)] : [],
  )
  const [address, data] = [toHex(row.address), toHex(row.data)]
  return readWrap(address, topics, data) ?? readMovements(address, topics, data)
}
