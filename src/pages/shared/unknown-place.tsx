import { EmptyState } from '../../components/states.tsx'
import { safeText } from '../../lib/text.ts'

const kinds = {
  network: { noun: 'network', known: 'Known networks: mainnet, fuji and testnet.' },
  chain: {
    noun: 'chain of the primary network',
    known: 'Known chains: p-chain, x-chain and c-chain. Other blockchains are listed under Blockchains.',
  },
} as const

/** The page of an unknown network or chain. */
export function UnknownPlace({ kind, name }: { kind: keyof typeof kinds; name: string }) {
  const { noun, known } = kinds[kind]
  return (
    <>
      <title>Not found · Ridgeline</title>
      <h1 className="text-h1 font-strong">Page not found</h1>
      <EmptyState title={`Unknown ${noun} “${safeText(name, 60)}”`}>{known}</EmptyState>
    </>
  )
}
