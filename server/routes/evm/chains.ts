import { z } from 'zod'
import { getChain, listChains, type EvmChain } from '../../../contract/evm/chains.ts'
import type { Chain, ChainDirectory } from '../../kernel/settings/chains.ts'
import { implement, type Implementation } from '../../http/bind.ts'
import { chainsParameter, forChains, readChains } from '../../store/chain-reads.ts'
import { read } from '../../store/read.ts'
import type { RouteContext } from '../../http/route-context.ts'

const chainRow = z.strictObject({ chain: z.bigint() })
const stoppedStatement = forChains(
  ({ among }) => `select chain from chains where state = 'stopped' and ${among('chain')}`,
)

/** `/v1/chains` and `/v1/chains/{chainId}` (as in the hosted API): each chain's configuration. */
export function chainRoutes({ chains, store }: RouteContext): Implementation[] {
  return [
    implement(listChains, async ({ query }) => {
      const stopped = await stoppedChains()
      return { chains: ofNetwork(chains, query.network).map((chain) => describeChain(chain, stopped)) }
    }),
    implement(getChain, async ({ params }) => {
      const chain = chains.find(params.chainId)
      return describeChain(chain, await stoppedChains())
    }),
  ]

  /** The chains that need an operator or whose database server does not answer. Unknown while the database starts; the list is shown nevertheless. */
  async function stoppedChains(): Promise<ReadonlySet<string>> {
    if (store.closedReason !== undefined) return new Set()
    const { database } = store.get()
    const stopped = new Set<string>()
    const rows = await readChains(
      database,
      chains.all.map(({ key }) => key),
      (scope) => read(database, chainRow, stoppedStatement[scope.form], [chainsParameter(scope)]),
      (chain) => stopped.add(chain.toString()),
    )
    for (const { chain } of rows) stopped.add(chain.toString())
    return stopped
  }
}

/** The chains of a network, in their configured order; of all networks without one. */
export const ofNetwork = ({ all }: ChainDirectory, network: string | undefined): readonly Chain[] =>
  network === undefined ? all : all.filter(({ config }) => config.isTestnet === (network !== 'mainnet'))

function describeChain(chain: Chain, stopped: ReadonlySet<string>): EvmChain {
  const { config } = chain
  return {
    chainId: chain.id,
    status: stopped.has(chain.id) ? 'UNAVAILABLE' : 'OK',
    chainName: config.name,
    description: config.description,
    ...(config.blockchainId !== undefined && { platformChainId: config.blockchainId }),
    ...(config.subnetId !== undefined && { subnetId: config.subnetId }),
    ...(config.vmId !== undefined && { vmId: config.vmId }),
    vmName: 'EVM',
    rpcUrl: publicUrl(config.rpcUrl),
    ...(config.wsUrl !== undefined && { wsUrl: publicUrl(config.wsUrl) }),
    isTestnet: config.isTestnet,
    networkToken: { ...config.token },
  }
}

/**
 * A node's URL without secrets. Providers put keys into user names, queries and path segments, so only the
 * paths that every node has are kept.
 */
function publicUrl(text: string): string {
  const url = new URL(text)
  const path = /^\/ext\/bc\/[0-9A-Za-z]+\/(rpc|ws)$/.test(url.pathname) ? url.pathname : ''
  return `${url.protocol}//${url.host}${path}`
}
