import { listDeployers, listDeployments } from '../../../contract/evm/contracts.ts'
import { implement, JsonText, type Implementation } from '../../http/bind.ts'
import { readCreations, readDeployers, readTokenKinds } from '../../store/evm/read-contract.ts'
import { createContractBook, readNames } from './address-names.ts'
import { deployersOf, ercTypeOf, positionOf, startOf } from './contract-metadata.ts'
import { filtersOf, type RouteContext } from '../../http/route-context.ts'

const secondsOfDay = 86_400

/**
 * Ridgeline's own: the newest contracts of a chain, and who created most of them in the last days of the
 * chain's own time. As in the metrics, a deployer is who creates: an account, or a contract.
 */
export function deploymentRoutes(context: RouteContext): Implementation[] {
  const { chains, store, hotPages } = context
  const book = createContractBook(context.config)
  return [
    implement(listDeployments, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const scope = { operation: listDeployments.id, filters: filtersOf({ chainId: chain.id }, query) }
      const page = async (): Promise<string> => {
        const { database, tokens } = store.get()
        const past = startOf(query.pageToken && tokens.openData(scope, query.pageToken))
        const rows = await readCreations(database, chain.key, undefined, past, query.pageSize + 1)
        const shown = rows.slice(0, query.pageSize)
        const addresses = [...new Set(shown.map(({ address }) => address))]
        const [names, kinds] = await Promise.all([
          readNames(database, chain, book, addresses),
          readTokenKinds(database, chain.key, addresses),
        ])
        return JSON.stringify({
          ...(rows.length > shown.length && {
            nextPageToken: tokens.sealData(scope, positionOf(shown.at(-1))),
          }),
          contracts: shown.map((creation) => {
            const { name, symbol } = names.facts(creation.address)
            const kind = kinds.get(creation.address)
            return {
              address: creation.address,
              blockNumber: creation.number.toString(),
              blockTimestamp: creation.ts,
              txHash: creation.txHash,
              ...deployersOf(creation),
              ...(kind !== undefined && { ercType: ercTypeOf(kind) }),
              ...(name !== undefined && { name }),
              ...(symbol !== undefined && { symbol }),
            }
          }),
        })
      }
      if (query.pageToken !== undefined) return page().then((text) => new JsonText(text))
      return hotPages.get(JSON.stringify([scope, query.pageSize]), [chain.id], page)
    }),

    implement(listDeployers, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const page = async (): Promise<string> => {
        const rows = await readDeployers(store.get().database, chain.key, query.days * secondsOfDay)
        return JSON.stringify({
          deployers: rows.map(({ address, count, last_block, last_ts }) => ({
            address,
            contractCount: count,
            lastBlock: last_block,
            lastTimestamp: last_ts,
          })),
        })
      }
      return hotPages.get(JSON.stringify([listDeployers.id, chain.id, query.days]), [chain.id], page)
    }),
  ]
}
