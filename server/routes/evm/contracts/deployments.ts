import { listDeployers, listDeployments, maxUseCounted } from '../../../../contract/evm/contracts.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import type { Database } from '../../../store/database.ts'
import { beforeAllCalls, callCursor } from '../../../store/evm/read-address-calls.ts'
import {
  readCreations,
  readDeployers,
  readRecentUse,
  readTokenKinds,
  readUsedContracts,
  type Creation,
  type UsedContract,
} from '../../../store/evm/contracts/read-contract.ts'
import { readVerifiedNames } from '../../../store/evm/contracts/verified-contracts.ts'
import { createContractBook, ercTypeOf, readNames } from '../address-names.ts'
import { deployersOf } from './contract-metadata.ts'
import { ifKnown, nativeBalanceAt, soon } from '../../../node/state.ts'
import { fillPage, openList } from '../../../http/keyset-list.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'

const secondsOfDay = 86_400
/** The days of chain time whose transactions tell how much a contract is used. */
const recentDays = 30

const createdKinds = { 'ERC-20': 20, 'ERC-721': 721, 'ERC-1155': 1155, OTHER: 'other' } as const

type Use = Pick<UsedContract, 'transactionCount' | 'callerCount' | 'isCapped'>
const useOf = ({ transactionCount, callerCount, isCapped }: Use): Use => ({
  transactionCount,
  callerCount,
  isCapped,
})

type Place = Pick<Creation, 'number' | 'tx' | 'ordinal'>

/** Creations that are read at once where only some of them are wanted. */
const atOnce = 100

/**
 * The next creations with verified sources, of their own or of the same code, at least `limit` if there are as many among
 * the next `lookAt`. What is verified is on one server and what was created may be on others, so that each is read by itself.
 */
async function verifiedOf(
  read: (after: Place, limit: number) => Promise<Creation[]>,
  database: Database,
  chain: Chain,
  after: Place,
  { limit, lookAt }: { readonly limit: number; readonly lookAt: number },
): Promise<{ readonly rows: readonly Creation[]; readonly horizon: Place | undefined }> {
  const rows: Creation[] = []
  let horizon = after
  for (let looked = 0; looked < lookAt && rows.length < limit; looked += atOnce) {
    const found = await read(horizon, atOnce)
    const addresses = [...new Set(found.map(({ address }) => address))]
    const verified = await readVerifiedNames(database, chain.key, addresses)
    rows.push(...found.filter(({ address }) => verified.has(address)))
    const last = found.at(-1)
    if (!last || found.length < atOnce) return { rows, horizon: undefined }
    horizon = last
  }
  return { rows, horizon }
}

/** The first `limit` of the contracts with verified sources. */
async function verifiedAmong(
  database: Database,
  chain: Chain,
  used: readonly UsedContract[],
  limit: number,
): Promise<UsedContract[]> {
  const verified = await readVerifiedNames(
    database,
    chain.key,
    used.map(({ address }) => address),
  )
  return used.filter(({ address }) => verified.has(address)).slice(0, limit)
}

/**
 * Only in Ridgeline: the newest or most used contracts of a chain, and the most active deployers of its last days in chain
 * time. As in the metrics, a deployer is the creator: an account or a contract.
 */
export function deploymentRoutes(context: RouteContext): Implementation[] {
  const { chains, store, nodes, headCache } = context
  const book = createContractBook(context.config)

  /** The answer with these creations, each with its use, and what is known of its address now. */
  const answer = async (
    chain: Chain,
    rows: readonly Creation[],
    uses: ReadonlyMap<string, Use>,
    nextPageToken?: string,
  ): Promise<string> => {
    const { database } = store.get()
    const addresses = [...new Set(rows.map(({ address }) => address))]
    const [names, kinds, balances] = await Promise.all([
      readNames(database, chain, book, addresses),
      readTokenKinds(database, chain.key, addresses),
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
          isVerified: names.isVerified(creation.address),
          ...(balance !== undefined && { balance: balance.toString() }),
          recentUse: uses.get(creation.address),
        }
      }),
    })
  }

  return [
    implement(listDeployments, ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const list = openList(context, listDeployments, callCursor, { chainId: chain.id }, query)
      return list.answer([chain.id], async () => {
        const { database } = store.get()
        const creator = query.creator === undefined ? undefined : bytesOf(query.creator)
        const kind = query.kind && createdKinds[query.kind]
        const seconds = recentDays * secondsOfDay
        const { sortBy, isVerified, pageSize } = query
        if (sortBy !== 'createdAt') {
          const used = await readUsedContracts(database, chain.key, {
            order: sortBy,
            seconds,
            maxCounted: maxUseCounted,
            kind,
            creator,
            ...(!isVerified && { limit: pageSize }),
          })
          const rows = isVerified ? await verifiedAmong(database, chain, used, pageSize) : used
          return answer(chain, rows, new Map(rows.map((row) => [row.address, useOf(row)])))
        }
        const read = (after: Place, limit: number): Promise<Creation[]> =>
          readCreations(database, chain.key, creator, after, limit, kind)
        const { rows, nextPageToken } = isVerified
          ? await list.walk(beforeAllCalls, (after, limitOfPage) =>
              fillPage<Creation, Place>(limitOfPage, after, (past, limit, lookAt) =>
                verifiedOf(read, database, chain, past, { limit, lookAt }),
              ),
            )
          : await list.page(beforeAllCalls, read)
        const addresses = [...new Set(rows.map(({ address }) => address))]
        return answer(
          chain,
          rows,
          await readRecentUse(database, chain.key, addresses, seconds),
          nextPageToken,
        )
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
