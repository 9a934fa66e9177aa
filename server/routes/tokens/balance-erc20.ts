import { listErc20Balances } from '../../../contract/tokens/balances.ts'
import type { Chain } from '../../kernel/settings/chains.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { erc20Asset, pricedFields } from '../../tokens/prices/prices.ts'
import type { Database } from '../../store/database.ts'
import {
  readErc20Balances,
  readSomeErc20Balances,
  type BalanceBlock,
  type Erc20Row,
} from '../../store/tokens/read-balance.ts'
import { reputationOf } from '../../tokens/facts/reputation.ts'
import { createContractBook } from '../evm/address-names.ts'
import { blockCursor, resolveBalanceBlock } from './balance-block.ts'
import { balancesByNode, nativeTokenBalanceAt } from './balance-node.ts'
import { openList } from '../../http/keyset-list.ts'
import { bytesOf, type RouteContext } from '../../http/route-context.ts'

/** Number of keys read before a page ends early, because skipped keys also take time. */
const maxLookedAt = 20_000
/** Minimum rows per read, regardless of the page size: a page of spam should not take a read per token. */
const minRead = 64

type Held = { readonly row: Erc20Row; readonly balance: bigint; readonly source: 'logs' | 'node' }

type Page = {
  readonly shown: Held[]
  /** Number of spam tokens between the page's beginning and its end. */
  readonly spam: number
  /** The last token read; undefined at the end of the list. */
  readonly next: string | undefined
}

type Wanted = {
  readonly database: Database
  readonly chain: Chain
  readonly address: string
  readonly block: BalanceBlock
  readonly contractAddresses: readonly string[] | undefined
  readonly filterSpamTokens: boolean
  readonly past: string
  readonly pageSize: number
}

/**
 * `balances:listErc20` (docs/api.md, Operations): by token address, at any indexed block. Balances are the
 * sums of the logs. If `balanceOf` differs, the balance is read from the node, or the sum is shown if the
 * node lacks the state. Zero balances are omitted, and negative sums count as zero.
 */
export function erc20BalanceRoutes(context: RouteContext): Implementation[] {
  const { chains, config, prices, store } = context
  const book = createContractBook(config)

  /** The positive balances of some rows, in order; spam tokens are not read from the node. */
  const balancesOf = async (rows: readonly Erc20Row[], wanted: Wanted): Promise<Held[]> => {
    const { address, block, chain } = wanted
    const doubtful = rows.filter((row) => row.disagrees && !isLeftOut(row, wanted))
    const byNode =
      doubtful.length === 0
        ? new Map<string, bigint>()
        : await balancesByNode(
            context,
            chain,
            address,
            block.number,
            doubtful.map((row) => row.token),
          )
    return rows.flatMap((row) => {
      const told = byNode.get(row.token)
      const balance = told ?? BigInt(row.balance ?? 0)
      return balance > 0n ? [{ row, balance, source: told === undefined ? 'logs' : 'node' }] : []
    })
  }

  const isLeftOut = (row: Erc20Row, { chain, filterSpamTokens }: Wanted): boolean =>
    filterSpamTokens && reputationOf(config, chain.id, row.token, row).tokenReputation === 'Malicious'

  const readPage = async (wanted: Wanted): Promise<Page> => {
    const { chain, contractAddresses, database, pageSize } = wanted
    const address = bytesOf(wanted.address)
    const shown: Held[] = []
    let spam = 0
    let { past } = wanted
    for (let lookedAt = 0; lookedAt < maxLookedAt;) {
      const limit = Math.max(minRead, pageSize + 1 - shown.length)
      const { rows, last, ended, hops } = contractAddresses
        ? await readChosen(wanted, address, contractAddresses, past)
        : await readErc20Balances(database, chain.key, address, wanted.block.number, past, limit)
      for (const held of await balancesOf(rows, wanted)) {
        if (isLeftOut(held.row, wanted)) spam += 1
        else if (shown.length === pageSize) return { shown, spam, next: past }
        else shown.push(held)
        past = held.row.token
      }
      if (ended) return { shown, spam, next: undefined }
      past = last
      lookedAt += hops
    }
    return { shown, spam, next: past }
  }

  const describe = (chain: Chain, { row, balance, source }: Held) => {
    const { token, name, symbol, decimals } = row
    const said = book.of(chain.id, token)
    return {
      address: token,
      name: said?.name ?? name ?? undefined,
      symbol: symbol ?? undefined,
      decimals: decimals ?? undefined,
      logoUri: said?.logoUri,
      ercType: 'ERC-20',
      chainId: chain.id,
      balance: balance.toString(),
      ...reputationOf(config, chain.id, token, row),
      balanceSource: source,
    }
  }

  return [
    implement(listErc20Balances, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const address = params.address.toLowerCase()
      const contractAddresses = query.contractAddresses?.map((each) => each.toLowerCase())
      const filters = { chainId: chain.id, address, contractAddresses }
      const list = openList(context, listErc20Balances, { ...blockCursor, token: 'text' }, filters, query)
      const block = await resolveBalanceBlock(database, chain, query.blockNumber, list.after)
      if (!block) return { erc20TokenBalances: [], ...(query.filterSpamTokens && { spamTokenCount: 0 }) }
      const { currency } = query
      const pricing = prices.on(Number(block.ts), currency)
      const native = nativeTokenBalanceAt(context, chain, address, block.number, pricing, currency)
      let spamTokenCount = 0
      const [{ rows, nextPageToken }, nativeTokenBalance, priceOf] = await Promise.all([
        list.walk({ ...block, token: '0x' }, async (after, pageSize) => {
          const { shown, spam, next } = await readPage({
            database,
            chain,
            address,
            block,
            contractAddresses,
            filterSpamTokens: query.filterSpamTokens,
            past: after.token,
            pageSize,
          })
          spamTokenCount = spam
          return { rows: shown, next: next === undefined ? undefined : { ...block, token: next } }
        }),
        native,
        pricing,
      ])
      return {
        nextPageToken,
        ...(nativeTokenBalance && { nativeTokenBalance }),
        erc20TokenBalances: rows.map((held) => {
          const item = describe(chain, held)
          const price = priceOf(erc20Asset(chain.id, held.row.token))
          return { ...item, ...pricedFields(price, currency, item.balance, held.row.decimals) }
        }),
        ...(query.filterSpamTokens && { spamTokenCount }),
      }
    }),
  ]
}

/** The requested tokens after a position; they are few enough for one read. */
async function readChosen(
  { database, chain, block }: Wanted,
  address: Buffer,
  contracts: readonly string[],
  past: string,
): Promise<{ rows: Erc20Row[]; last: string; ended: boolean; hops: number }> {
  const ahead = contracts.filter((contract) => contract > past)
  const rows =
    ahead.length === 0 ? [] : await readSomeErc20Balances(database, chain.key, address, block.number, ahead)
  return { rows, last: past, ended: true, hops: ahead.length }
}
