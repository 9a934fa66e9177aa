import { useCurrentChain, useCurrentNetwork } from '../../api/current.ts'
import { Address } from '../../components/address.tsx'
import { Button } from '../../components/controls.tsx'
import { useStore } from '../../components/hooks.ts'
import { CloseIcon } from '../../components/icons.ts'
import { NodeId } from '../../components/node-id.tsx'
import { EmptyState } from '../../components/states.tsx'
import { WalletAddress } from '../../components/wallet-address.tsx'
import { importLabels, labels, setLabel } from '../../lib/storage/labels.ts'
import { plural } from '../../lib/text.ts'
import { FileTransfer } from '../shared/file-transfer.tsx'

/** A labelled id, shown by its kind: a node, a wallet of the network, or an address of the chain. */
function Named({ id }: { id: string }) {
  const network = useCurrentNetwork()
  const { chainId } = useCurrentChain()
  if (id.startsWith('NodeID-')) return <NodeId nodeId={id} network={network} />
  if (!id.startsWith('0x')) return <WalletAddress address={id} network={network} />
  return chainId === undefined ? null : <Address address={id} chainId={chainId} />
}

/** All labels of this browser, each with what it names. */
export function Labelled() {
  const named = useStore(labels)
  const ids = Object.keys(named)
  return (
    <div className="flex flex-col items-start gap-4">
      {ids.length === 0 ? (
        <EmptyState title="No labels yet">
          Open any address or validator and give it a name; it is then shown everywhere. Labels are kept in
          this browser and never sent.
        </EmptyState>
      ) : (
        <ul className="w-full max-w-[96ch] border-t border-line" aria-label="Labels">
          {ids.map((id) => (
            <li key={id} className="flex min-h-9 items-center gap-x-4 border-b border-line py-1">
              <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-4">
                <span className="w-60 max-w-full">
                  <Named id={id} />
                </span>
                <span className="min-w-0 font-mono text-mono break-all text-muted">{id}</span>
              </span>
              <Button
                small
                className="border-transparent"
                aria-label={`Remove the label ${named[id] ?? ''}`}
                title="Remove the label"
                onClick={() => setLabel(id, '')}
              >
                <CloseIcon size={12} />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <FileTransfer
        what="labels"
        name="ridgeline-labels.json"
        empty={ids.length === 0}
        save={() => `${JSON.stringify(named, null, 2)}\n`}
        read={(text) => {
          const taken = importLabels(text)
          return `${taken} ${plural(taken, 'label')} imported.`
        }}
      />
    </div>
  )
}
