import { isDeepStrictEqual } from 'node:util'
import { csvRows, plain } from '../support/figures.ts'
import { expect, test } from '../support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'
import { savedFrom } from '../support/parts.ts'
import { addressAt, fillBlocks, startStore, type OwnStore } from '../support/store.ts'

/*
 * An export contains every row of a long list: 50,000 transfers of an address with amounts of up to 256 bits, and a
 * token symbol that a spreadsheet would execute. The expected rows come from a plain query of the store.
 */
const chain = 31337
const [blocks, inEach] = [500, 100]
const symbol = '=1+"2",3'
const decimals = 6

/** A log as stored; bytes as hex digits. */
type Stored = {
  readonly number: string
  readonly index: number
  readonly ts: string
  readonly block: string
  readonly tx: string
  readonly sender: string
  readonly recipient: string
  readonly value: string
}

test.describe('an export of fifty thousand rows', () => {
  // No node serves this store, so the native balance at the top of the page fails.
  test.use({ expectedErrors: [/502 \(Bad Gateway\)/] })
  const folder = temporaryFolder()
  let store: OwnStore
  let stack: Launched
  let trader: string
  let token: string
  let expected: readonly Stored[]

  test.beforeAll(async () => {
    store = await startStore(folder.path, chain, blocks)
    const { sql } = store
    await fillBlocks(sql, chain, blocks, addressAt(-2))
    const word = (address: string): string => `decode(repeat('00', 12), 'hex') || ${address}`
    // Every second transfer is outgoing; every fiftieth is to oneself.
    await sql.unsafe(`
      insert into logs (chain, number, index, tx_index, address, topic0, topic1, topic2, data)
      select ${chain}, n, i, 0, ${addressAt(-2)},
        decode('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef', 'hex'),
        ${word(`case when i % 2 = 0 then ${addressAt(-1)} else ${addressAt('n + i')} end`)},
        ${word(`case when i % 2 = 1 or i % 50 = 0 then ${addressAt(-1)} else ${addressAt('n + i')} end`)},
        sha256(int8send(n * 1000 + i))
      from generate_series(1::bigint, ${blocks}) n cross join generate_series(0, ${inEach - 1}) i;
      insert into token_facts (chain, token, name, symbol, decimals, asked_block, asked_ts, due_ts)
      values (${chain}, ${addressAt(-2)}, 'Sum of "all", it says', '${symbol}', ${decimals}, 1, 1, 1);
      analyze`)
    const [names] = await sql.unsafe<{ trader: string; token: string }[]>(
      `select '0x' || encode(${addressAt(-1)}, 'hex') as trader, '0x' || encode(${addressAt(-2)}, 'hex') as token`,
    )
    ;({ trader, token } = names ?? { trader: '', token: '' })
    expected = await sql.unsafe<Stored[]>(`
      select l.number::text, l.index, b.ts::text, encode(b.hash, 'hex') as block, encode(t.hash, 'hex') as tx,
        right(encode(l.topic1, 'hex'), 40) as sender, right(encode(l.topic2, 'hex'), 40) as recipient,
        encode(l.data, 'hex') as value
      from logs l join blocks b using (chain, number)
      join transactions t on t.chain = l.chain and t.number = l.number and t.index = l.tx_index
      order by l.number desc, l.index desc`)
    stack = launch({
      home: folder.path,
      args: [
        '--role',
        'api',
        '--config',
        writeConfig(folder.path, {
          chains: [{ evmChainId: chain, name: 'Store', rpcUrl: 'http://127.0.0.1:9' }],
        }),
      ],
      env: { DATABASE_URL: store.url },
    })
    await stack.url
  })

  test.afterAll(async () => {
    await stack.stop()
    await store.stop()
    folder.remove()
  })

  /** Both lists are long; the first row shows which one was exported. */
  function same(rows: readonly unknown[], wanted: readonly unknown[]): void {
    expect(rows.length).toBe(blocks * inEach)
    const differs = rows.findIndex((row, index) => !isDeepStrictEqual(row, wanted[index]))
    expect(rows[differs], `row ${differs}`).toEqual(wanted[differs])
  }

  test('contains each row once and in order, as CSV and as JSON', async ({ page }) => {
    expect(expected).toHaveLength(blocks * inEach)
    await page.goto(`${await stack.url}/chain/${chain}/address/${trader}?tab=transfers`)
    await expect(page.getByRole('table', { name: `Transfers of ${trader}` })).toBeVisible()

    const csv = (await savedFrom(page, 'Export', /^CSV/)).bytes.toString('utf8')
    const heads = csvRows(`\n${csv}`)[0] ?? []
    const named = ['Transaction', 'Log', 'Block', 'Time', 'From', 'To', 'Amount', 'Token', 'Symbol']
    same(
      csvRows(csv).map((row) => named.map((name) => row[heads.indexOf(name)])),
      expected.map((row) => [
        `0x${row.tx}`,
        String(row.index),
        row.number,
        new Date(Number(row.ts) * 1000).toISOString().replace('.000', ''),
        `0x${row.sender}`,
        `0x${row.recipient}`,
        plain(BigInt(`0x${row.value}`), decimals),
        token,
        `'${symbol}`,
      ]),
    )

    const json = await savedFrom(page, 'Export', /^JSON/)
    same(
      JSON.parse(json.bytes.toString('utf8')) as unknown[],
      expected.map((row) => ({
        blockNumber: row.number,
        blockTimestamp: Number(row.ts),
        blockHash: `0x${row.block}`,
        txHash: `0x${row.tx}`,
        logIndex: row.index,
        from: { address: `0x${row.sender}` },
        to: { address: `0x${row.recipient}` },
        value: BigInt(`0x${row.value}`).toString(),
        erc20Token: { address: token, name: 'Sum of "all", it says', symbol, decimals, ercType: 'ERC-20' },
      })),
    )
  })
})
