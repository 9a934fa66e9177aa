import { useCurrentChain, useCurrentNetwork } from '../../api/current.ts'
import { Address } from '../../components/address.tsx'
import { useStore } from '../../components/hooks.ts'
import { NodeId } from '../../components/node-id.tsx'
import { EmptyState } from '../../components/states.tsx'
import { WalletAddress } from '../../components/wallet-address.tsx'
import { labels } from '../../lib/storage/labels.ts'

/** A labelled id, shown by its kind: a node, a wallet of the network, or an address of the chain. */
function Named({ id }: { id: string }) {
  const network = useCurrentNetwork()
  const { chainId } = useCurrentChain()
  if (id.startsWith('NodeID-')) return <NodeId nodeId={id} network={network} />
  if (!id.startsWith('0x')) return <WalletAddress address={id} network={network} />
  return chainId === undefined ? null : <Address address={id} chainId={chainId} />
}

/** All labels of this browser. */
export function Labelled() {
  const named = Object.keys(useStore(labels))
  if (named.length === 0)
    return (
      <EmptyState title="No labels yet">
        Open any address or validator and give it a name; it is then shown everywhere. Labels are kept in this
        browser and never sent.
      </EmptyState>
    )
  return (
    <ul className="max-w-[80ch] border-t border-line" aria-label="Your labels">
      {named.map((id) => (
        <li key={id} className="flex h-9 items-center border-b border-line">
          <Named id={id} />
        </li>
      ))}
    </ul>
  )
}
