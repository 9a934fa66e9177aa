import { queryOptions } from '@tanstack/react-query'
import type { Profile } from '../../../contract/profile.ts'
import { listBlocks, type EvmBlock } from '../../../contract/evm/blocks.ts'
import { listTransactions } from '../../../contract/evm/transactions.ts'
import { listLatest } from '../../../contract/network/latest.ts'
import { listPrimaryBlocks, type PrimaryBlock } from '../../../contract/primary/blocks.ts'
import { listPrimaryTransactions, type PrimaryTransaction } from '../../../contract/primary/transactions.ts'
import { primaryChainAliases, type PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { offers, type NetworkName } from '../current.ts'
import { joinMovements, type MovedTransaction } from '../evm/movements.ts'
import { call, session } from '../session.ts'

/** The newest rows of several chains, latest first. The blocks of the C-Chain are those of its EVM chain. */
export type Latest = {
  readonly chains: readonly {
    readonly chainId: string
    readonly blocks: readonly EvmBlock[]
    readonly transactions: readonly MovedTransaction[]
  }[]
  readonly primary: readonly {
    readonly chainName: PrimaryChainAlias
    readonly blocks: readonly PrimaryBlock[]
    readonly transactions: readonly PrimaryTransaction[]
  }[]
}

type Wanted = {
  readonly network: NetworkName
  readonly chainIds: readonly string[]
  /** Rows of each chain. */
  readonly blocks: number
  readonly transactions: number
}

/** The newest blocks and transactions of some EVM chains, and of the P-, X- and C-Chain of a network. */
export const latestQuery = (wanted: Wanted) =>
  queryOptions({
    queryKey: ['latest', wanted],
    queryFn: async ({ signal }) => {
      const { profile } = await session()
      return offers(profile, 'listLatest') ? askTogether(wanted, signal) : askEach(wanted, profile, signal)
    },
    staleTime: 4_000,
  })

async function askTogether(
  { network, chainIds, blocks, transactions }: Wanted,
  signal: AbortSignal,
): Promise<Latest> {
  const { chains, primary } = await call(listLatest, {
    query: { network, chainIds: chainIds.join(','), blocks, transactions },
    signal,
  })
  return {
    chains: chains.map(({ movements, ...chain }) => ({
      ...chain,
      transactions: joinMovements(chain.transactions, { movements, rest: null }),
    })),
    primary: primary.flatMap(({ chainName, ...rows }) => {
      const alias = primaryChainAliases.find((one) => one === chainName)
      return alias === undefined ? [] : [{ ...rows, chainName: alias }]
    }),
  }
}

/**
 * The same from the list of each chain, for a deployment without an answer for all together. A list that fails has no
 * rows; throws if all of them do.
 */
async function askEach(
  { network, chainIds, ...rows }: Wanted,
  profile: Profile,
  signal: AbortSignal,
): Promise<Latest> {
  const failures: unknown[] = []
  let asked = 0
  const some = async <Row>(list: Promise<readonly Row[]>): Promise<readonly Row[]> => {
    asked += 1
    return list.catch((error: unknown) => {
      failures.push(error)
      return []
    })
  }
  const ofChain = async (chainId: string): Promise<Latest['chains'][number]> => {
    const params = { chainId }
    const [blocks, transactions] = await Promise.all([
      some(
        call(listBlocks, { params, query: { pageSize: rows.blocks }, signal }).then((page) => page.blocks),
      ),
      some(
        call(listTransactions, { params, query: { pageSize: rows.transactions }, signal }).then(
          (page) => page.transactions,
        ),
      ),
    ])
    return {
      chainId,
      blocks,
      transactions: joinMovements(transactions, { movements: undefined, rest: null }),
    }
  }
  const hasBlocks = offers(profile, 'listPrimaryBlocks', network)
  const hasTransactions = offers(profile, 'listPrimaryTransactions', network)
  const ofPrimary = async (chainName: PrimaryChainAlias): Promise<Latest['primary'][number]> => {
    const params = { network, blockchainId: chainName }
    const [blocks, transactions] = await Promise.all([
      hasBlocks && chainName !== 'c-chain'
        ? some(
            call(listPrimaryBlocks, { params, query: { pageSize: rows.blocks }, signal }).then(
              (page) => page.blocks,
            ),
          )
        : [],
      hasTransactions
        ? some(
            call(listPrimaryTransactions, { params, query: { pageSize: rows.transactions }, signal }).then(
              (page) => page.transactions,
            ),
          )
        : [],
    ])
    return { chainName, blocks, transactions }
  }
  const [chains, primary] = await Promise.all([
    Promise.all(chainIds.map(ofChain)),
    Promise.all(primaryChainAliases.map(ofPrimary)),
  ])
  if (asked > 0 && failures.length === asked) throw failures[0]
  return { chains, primary }
}
