import { listDeployers, listDeployments } from '../../../../contract/evm/contracts.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { beforeAllCalls, callCursor } from '../../../store/evm/read-address-calls.ts'
import {
  readCreations,
  readDeployers,
  readRecentUse,
  readTokenKinds,
} from '../../../store/evm/read-contract.ts'
import { readVerifiedNames } from '../../../store/evm/verified-contracts.ts'
import { createContractBook, readNames } from '../address-names.ts'
import { deployersOf, ercTypeOf } from './contract-metadata.ts'
import { ifKnown, nativeBalanceAt, soon } from '../../../node/state.ts'
import { openList } from '../../../http/keyset-list.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'

const secondsOfDay = 86_400
/** The days of chain time whose transactions tell how much a contract is used. */
const recentDays = 30

const createdKinds = { 'ERC-20': 20, 'ERC-721': 721, 'ERC-1155': 1155, OTHER: 'other' } as const

/**
 * Only in Ridgeline: the newest contracts of a chain, and the most active deployers of its last days in chain
 * time. As in the metrics, a deployer is the creator: an account or a contract.
 */
export function deploymentRoutes(context: RouteContext): Implementation[] {
  const { chains, store, nodes, headCache } = context
  const book = createContractBook(context.config)
  return [
    implement(listDeployments, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const list = openList(context, listDeployments, callCursor, { chainId: chain.id }, query)
      return list.answer([chain.id], async () => {
        const { database } = store.get()
        const { rows, nextPageToken } = await list.page(beforeAllCalls, (after, limit) =>
          readCreations(
            database,
            chain.key,
            query.creator === undefined ? undefined : bytesOf(query.creator),
            after,
            limit,
            {
              ...(query.kind && { kind: createdKinds[query.kind] }),
              ...(query.isVerified && { isVerified: true }),
            },
          ),
        )
        const addresses = [...new Set(rows.map(({ address }) => address))]
        const [names, sources, kinds, uses, balances] = await Promise.all([
          readNames(database, chain, book, addresses),
          readVerifiedNames(database, chain.key, addresses),
          readTokenKinds(database, chain.key, addresses),
          readRecentUse(database, chain.key, addresses, recentDays * secondsOfDay),
          Promise.all(addresses.map((address) => soon(ifKnown(nativeBalanceAt(nodes, chain, address))))),
        ])
        const balanceOf = new Map(addresses.map((address, place) => [address, balances[place]]))
        return JSON.stringify({
          nextPageToken,
          contracts: rows.map((creation) => {
            const { name, symbol } = names.facts(creation.address)
            const kind = kinds.get(creation.address)
            const balance = balanceOf.get(creation.address)
            return {
              address: creation.address,
              blockNumber: creation.number.toString(),
              blockTimestamp: creation.ts,
              txHash: creation.txHash,
              ...deployersOf(creation),
              ...(kind !== undefined && { ercType: ercTypeOf(kind) }),
              ...(name !== undefined && { name }),
              ...(symbol !== undefined && { symbol }),
              ...names.label(creation.address),
              ...names.sourceName(creation.address),
              isVerified: sources.has(creation.address),
              ...(balance !== undefined && { balance: balance.toString() }),
              recentUse: uses.get(creation.address),
            }
          }),
        })
      })
    }),

    implement(listDeployers, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const page = async (): Promise<string> => {
        const seconds = query.days * secondsOfDay
        return JSON.stringify({
          deployers: await readDeployers(store.get().database, chain.key, seconds),
        })
      }
      return headCache.get(JSON.stringify([listDeployers.id, chain.id, query.days]), [chain.id], page)
    }),
  ]
}
