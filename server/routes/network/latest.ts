import { listBlocks } from '../../../contract/evm/blocks.ts'
import { listTransactionMovements } from '../../../contract/evm/transaction-movements.ts'
import { listTransactions } from '../../../contract/evm/transactions.ts'
import { maxSeries } from '../../../contract/metrics/view.ts'
import { listLatest } from '../../../contract/network/latest.ts'
import { listPrimaryBlocks } from '../../../contract/primary/blocks.ts'
import { primaryChainAliases, type PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { listPrimaryTransactions } from '../../../contract/primary/transactions.ts'
import { primaryTopic } from '../../events/hub.ts'
import { Ask } from '../../http/ask.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { toJson } from '../../http/json.ts'
import { NotYetKnown } from '../../http/once-indexed.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { servedNetwork } from '../../primary/served-network.ts'
import { ofNetwork } from '../evm/chains.ts'

/**
 * `/v1/latest`: Ridgeline's own operation for the newest rows of all chains. It asks the operations of each list, which
 * are among `implementations`, so that its items are theirs.
 */
export function latestRoutes(
  { chains, config, headCache }: RouteContext,
  implementations: readonly Implementation[],
): Implementation[] {
  const byId = new Map(implementations.map((one) => [one.operation.id, one]))
  return [
    implement(listLatest, ({ query, request }) => {
      const { network } = query
      const ask = new Ask(byId, request)
      const wanted = (
        query.chainIds?.map((id) => chains.find(id)) ?? ofNetwork(chains, network).slice(0, maxSeries)
      ).map(({ id }) => id)
      const served = servedNetwork(config, network)
      const aliases = served === undefined ? [] : primaryChainAliases

      const ofChain = async (chainId: string) => {
        const params = { chainId }
        const [{ blocks }, { transactions }] = await Promise.all([
          ask.one(listBlocks, { params, query: { pageSize: query.blocks } }),
          ask.one(listTransactions, { params, query: { pageSize: query.transactions } }),
        ])
        const positions = transactions.map(({ blockNumber, blockIndex }) => `${blockNumber}-${blockIndex}`)
        const moved =
          positions.length === 0
            ? { transactions: [] }
            : await ask.one(listTransactionMovements, { params, query: { positions: positions.join(',') } })
        return { chainId, blocks, transactions, movements: moved.transactions }
      }
      const ofPrimary = async (chainName: PrimaryChainAlias) => {
        const params = { network, blockchainId: chainName }
        const [blocks, transactions] = await Promise.all([
          chainName === 'c-chain'
            ? []
            : known(
                ask.one(listPrimaryBlocks, { params, query: { pageSize: query.blocks } }),
                (page) => page.blocks,
              ),
          known(
            ask.one(listPrimaryTransactions, { params, query: { pageSize: query.transactions } }),
            (page) => page.transactions,
          ),
        ])
        return { chainName, blocks, transactions }
      }

      const topics = [
        ...wanted,
        ...(served === undefined ? [] : aliases.map((alias) => primaryTopic(served.id, alias))),
      ]
      return headCache.get(
        JSON.stringify([listLatest.id, network, wanted, query.blocks, query.transactions]),
        topics,
        async () => {
          const [ofChains, primary] = await Promise.all([
            Promise.all(wanted.map(ofChain)),
            Promise.all(aliases.map(ofPrimary)),
          ])
          return toJson({ chains: ofChains, primary })
        },
      )
    }),
  ]
}

/** The rows of a list; none while the index has none: the list has the newest that are indexed. */
async function known<Answer, Row>(asked: Promise<Answer>, rowsOf: (answer: Answer) => Row[]): Promise<Row[]> {
  try {
    return rowsOf(await asked)
  } catch (error) {
    if (error instanceof NotYetKnown) return []
    throw error
  }
}
