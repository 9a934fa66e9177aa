import type { Database } from '../store/database.ts'
import { TokenRecount } from '../verify/token-recount.ts'
import { readLogs } from '../verify/tokens.ts'

const tables = ['balances', 'holders', 'tokens', 'token_blocks', 'nfts', 'nft_ranges'] as const
const bytes = (text: string): Buffer => Buffer.from(text.slice(2), 'hex')

/** Computes a chain's balances, holders, tokens, totals and NFTs again by plain addition over its stored logs. */
export async function rewriteTokenRows(database: Database, chain: number): Promise<void> {
  const logs = await readLogs(database, BigInt(chain), 0, Number.MAX_SAFE_INTEGER)
  const rows: Record<(typeof tables)[number], object[]> = {
    balances: [],
    holders: [],
    tokens: [],
    token_blocks: [],
    nfts: [],
    nft_ranges: [],
  }
  const recount = new TokenRecount()
  for (const [number, ofBlock] of logs) {
    const { balances, totals } = recount.add(number, ofBlock)
    for (const { kind, token, address, id, balance } of balances) {
      rows.balances.push({
        chain,
        address: bytes(address),
        kind,
        token: bytes(token),
        token_id: `${id}`,
        number,
        balance: `${balance}`,
      })
    }
    for (const { kind, token, supply, holders, transfers } of totals) {
      rows.token_blocks.push({
        chain,
        token: bytes(token),
        kind,
        number,
        supply: `${supply}`,
        holders,
        cum_transfers: `${transfers}`,
      })
    }
  }
  for (const { kind, token, address, id, balance, peak } of recount.entries.values()) {
    if (id !== -1n || peak === undefined) continue
    rows.holders.push({
      chain,
      token: bytes(token),
      kind,
      address: bytes(address),
      balance: `${balance}`,
      peak: `${peak}`,
    })
  }
  for (const { kind, token, firstBlock, lastBlock, holding, ids } of recount.tokens.values()) {
    rows.tokens.push({
      chain,
      token: bytes(token),
      kind,
      first_block: firstBlock,
      holders: holding.size,
      last_block: lastBlock,
    })
    for (const [id, block] of ids) {
      rows.nfts.push({ chain, token: bytes(token), kind, token_id: `${id}`, first_block: block })
    }
  }
  for (const [token, ranges] of recount.ranges) {
    for (const [place, { first, last, from, to, block }] of ranges.entries()) {
      rows.nft_ranges.push({
        chain,
        token: bytes(token),
        place,
        from_id: `${first}`,
        to_id: `${last}`,
        sender: bytes(from),
        recipient: bytes(to),
        number: block,
      })
    }
  }
  await database.begin(async (sql) => {
    for (const table of tables) {
      await sql`delete from ${sql(table)} where chain = ${chain}`
      for (let from = 0; from < rows[table].length; from += 5_000) {
        await sql`insert into ${sql(table)} ${sql(rows[table].slice(from, from + 5_000))}`
      }
    }
  })
}
