import { EmptyState } from '../../components/states.tsx'
import { safeText } from '../../lib/text.ts'

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
export function UnknownPlace({ kind, name }: { kind: keyof typeof kinds; name: string }) {
  const { heading, title, known } = kinds[kind]
  return (
    <>
      <title>Not found · Ridgeline</title>
      <h1 className="text-h1 font-strong">{heading}</h1>
      <EmptyState title={`${title} “${safeText(name, 60)}”`}>{known}</EmptyState>
    </>
  )
}
