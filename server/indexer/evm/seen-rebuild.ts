import type { Queryable } from '../../store/database.ts'
import { transferTopics } from '../../store/evm/transfer-logs.ts'
import { copyRows } from '../../store/copy.ts'
import { hourStart } from './periods.ts'
import { roles, seenColumns } from './seen.ts'
import { toHex } from './verify/trie.ts'
import { readTransfer } from './tokens/transfers.ts'

type Last = Map<string, { hour: number; block: number }>

type LogRow = {
  number: bigint
  ts: bigint
  topic0: Buffer
  topic1: Buffer | null
  topic2: Buffer | null
  topic3: Buffer | null
  data: Buffer
}

const zeroAddress = '0'.repeat(40)
const batch = 5_000

/**
 * Rebuilds `seen` from the chain's rows: for each address and role, the newest hour and the block that opened
 * it. Required when rows below the reorg limit are deleted, because the older hours that they had replaced no
 * longer exist. Uses memory for one entry per address.
 */
export async function rebuildSeen(sql: Queryable, chain: number): Promise<void> {
  const last: Record<keyof typeof roles, Last> = {
    parties: new Map(),
    senders: new Map(),
    deployers: new Map(),
  }
  const note = (role: keyof typeof roles, address: string, ts: number, block: number) => {
    if (address === zeroAddress) return
    const hour = hourStart(ts)
    const known = last[role].get(address)
    if (!known || known.hour < hour || (known.hour === hour && block < known.block)) {
      last[role].set(address, { hour, block })
    }
  }
  const noteParties = (from: string, to: string | undefined, ts: number, block: number) => {
    note('senders', from, ts, block)
    note('parties', from, ts, block)
    if (to !== undefined) note('parties', to, ts, block)
  }
  await sql`
    select t.number, b.ts, encode(sender, 'hex') as sender, encode(recipient, 'hex') as recipient
    from transactions t join blocks b on b.chain = t.chain and b.number = t.number where t.chain = ${chain}`.cursor(
    batch,
    (rows) => {
      for (const row of rows as unknown as {
        number: bigint
        ts: bigint
        sender: string
        recipient: string | null
      }[]) {
        noteParties(row.sender, row.recipient ?? undefined, Number(row.ts), Number(row.number))
      }
    },
  )
  const events = `{${transferTopics.map((topic) => topic.slice(2)).join(',')}}`
  await sql`
    select l.number, b.ts, topic0, topic1, topic2, topic3, data
    from logs l join blocks b on b.chain = l.chain and b.number = l.number
    where l.chain = ${chain} and encode(topic0, 'hex') = any(${events}::text::text[])`.cursor(
    batch,
    (rows) => {
      for (const row of rows as unknown as LogRow[]) {
        const topics = [row.topic0, row.topic1, row.topic2, row.topic3].flatMap((topic) =>
          topic ? [toHex(topic)] : [],
        )
        const transfer = readTransfer(topics, toHex(row.data))
        if (typeof transfer !== 'object') continue
        noteParties(transfer.from.slice(2), transfer.to.slice(2), Number(row.ts), Number(row.number))
      }
    },
  )
  await sql`
    select c.number, b.ts, encode(deployer, 'hex') as deployer
    from contracts c join blocks b on b.chain = c.chain and b.number = c.number where c.chain = ${chain}`.cursor(
    batch,
    (rows) => {
      for (const row of rows as unknown as { number: bigint; ts: bigint; deployer: string }[]) {
        note('deployers', row.deployer, Number(row.ts), Number(row.number))
      }
    },
  )
  await sql`delete from seen where chain = ${chain}`
  for (const role of ['parties', 'senders', 'deployers'] as const) {
    const lines: Buffer[] = []
    for (const [address, { hour, block }] of last[role]) {
      lines.push(Buffer.from(`${chain}\t${roles[role]}\t\\\\x${address}\t${hour}\t${block}\n`))
    }
    await copyRows(sql, 'seen', seenColumns, lines)
  }
}
