import { Outlet, replace, useParams, type LoaderFunctionArgs, type Params } from 'react-router'
import { networkOf, useCurrentNetwork, useProfile, type NetworkName } from '../../api/current.ts'
import { Boundary } from '../../components/part.tsx'
import { chainAlias } from '../../lib/primary-chains.ts'
import type { PrimaryChainAlias } from '../../../contract/primary/chains.ts'
import { EmptyState } from '../../components/states.tsx'
import { safeText } from '../../lib/text.ts'

const unknown = (kind: 'network' | 'chain' | 'absent', name: string) => (
  <Boundary title="This page">
    <UnknownPlace kind={kind} name={name} />
  </Boundary>
)

/**
 * Sends a page below the test network's alias to the same page below the name that profiles, stores and links of the
 * dashboard have it by: what a deployment offers is looked up by that name.
 */
export function networkLoader({ request, params }: LoaderFunctionArgs): Response | null {
  if (params['network'] !== 'testnet') return null
  const url = new URL(request.url)
  url.pathname = url.pathname.replace('/networks/testnet', '/networks/fuji')
  return replace(url.href)
}

/** Stops pages of networks that the operations do not support, or the deployment does not have. */
export function NetworkGate() {
  const { network = '' } = useParams()
  const served = useProfile()?.networks
  if (!networkOf(network)) return unknown('network', network)
  return served?.includes(network) === false ? unknown('absent', network) : <Outlet />
}

/** Stops pages of chains that are not of the primary network. */
export function PrimaryChainGate() {
  const { chain = '' } = useParams()
  if (chainAlias(chain) !== undefined) return <Outlet />
  return unknown('chain', chain)
}

/** The network and chain of a loader's route parameters; undefined where a gate stops the page. */
export function primaryPlaceOf(
  params: Params,
): { network: NetworkName; chain: PrimaryChainAlias } | undefined {
  const network = networkOf(params['network'])
  const chain = chainAlias(params['chain'] ?? '')
  return network && chain && { network, chain }
}

/** The network and the chain of a page behind both gates. */
export function usePrimaryPlace(): { network: NetworkName; chain: PrimaryChainAlias } {
  const { chain = '' } = useParams()
  return { network: useCurrentNetwork(), chain: chainAlias(chain) ?? 'p-chain' }
}

const kinds = {
  network: {
    heading: 'Page not found',
    title: 'Unknown network',
    known: 'Known networks: mainnet, fuji and testnet.',
  },
  chain: {
    heading: 'Page not found',
    title: 'Unknown chain of the primary network',
    known: 'Known chains: p-chain, x-chain and c-chain. Other blockchains are listed under Blockchains.',
  },
  absent: {
    heading: 'Network not served here',
    title: 'This service does not follow the network',
    known:
      'Its EVM chains are on their own pages. A network with its P-, X- and C-Chain is added under “networks” in the configuration of the service.',
  },
} as const

/** The page of a network or chain that is unknown, or of a network that the deployment does not have. */
function UnknownPlace({ kind, name }: { kind: keyof typeof kinds; name: string }) {
  const { heading, title, known } = kinds[kind]
  return (
    <>
      <title>Not found · Ridgeline</title>
      <h1 className="text-h1 font-strong">{heading}</h1>
      <EmptyState title={`${title} “${safeText(name, 60)}”`}>{known}</EmptyState>
    </>
  )
}
