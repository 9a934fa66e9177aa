import {
  useChainFacts,
  useCurrentChain,
  useCurrentNetwork,
  networkOf,
  type NetworkName,
} from '../../../api/current.ts'
import { Address } from '../../../components/address.tsx'
import { useStore } from '../../../components/hooks.ts'
import { Link } from '../../../components/link.tsx'
import { NodeId } from '../../../components/node-id.tsx'
import { Section } from '../../../components/section.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { WalletAddress } from '../../../components/wallet-address.tsx'
import { labels } from '../../../lib/storage/labels.ts'
import { toggleWatched, watched, type Watched } from '../../../lib/storage/watched-addresses.ts'
import { toggleWatchedNode, watchedNodes } from '../../../lib/storage/watched-nodes.ts'
import { paths } from '../../../lib/paths.ts'
import { useNetworkLabel } from '../../shared/network-crumb.tsx'

function ChainName({ chainId }: { chainId: string }) {
  return <span className="text-muted">{useChainFacts(chainId).name}</span>
}

function NetworkLabel({ network }: { network: NetworkName }) {
  return <span className="text-muted">{useNetworkLabel(network)}</span>
}

/** A watched address with its chain or, for a wallet, its network. */
function Place({ chainId, address }: Watched) {
  const network = networkOf(chainId)
  if (network)
    return (
      <>
        <WalletAddress address={address} network={network} />
        <NetworkLabel network={network} />
      </>
    )
  return (
    <>
      <Address address={address} chainId={chainId} />
      <ChainName chainId={chainId} />
    </>
  )
}

const row = 'flex min-h-9 flex-wrap items-center gap-x-4 border-b border-line'

/** The watched validators of this browser, of all networks. */
export function WatchedValidators() {
  const list = useStore(watchedNodes)
  return (
    <Section title="Watched validators" note="Kept in this browser, never sent">
      {list.length === 0 ? (
        <EmptyState title="No watched validators">
          Open any validator and press Watch; its figures are then on the page Validators, under Watched.
        </EmptyState>
      ) : (
        <ul className="border-t border-line" aria-label="Watched validators">
          {list.map(({ network: name, nodeId }) => {
            const network = networkOf(name)
            return (
              <li key={`${name}/${nodeId}`} className={row}>
                {network ? (
                  <>
                    <NodeId nodeId={nodeId} network={network} />
                    <NetworkLabel network={network} />
                    <Link to={paths.validators(network, { list: 'watched' })} className="link">
                      Figures
                    </Link>
                  </>
                ) : (
                  <span className="font-mono text-mono break-all">{nodeId}</span>
                )}
                <button
                  type="button"
                  className="control control-small ml-auto"
                  aria-label={`Unwatch ${nodeId}`}
                  onClick={() => toggleWatchedNode(name, nodeId)}
                >
                  Unwatch
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}

/** The watched addresses of this browser. */
export function WatchList() {
  const list = useStore(watched)
  return (
    <Section title="Watched addresses" note="Kept in this browser, never sent">
      {list.length === 0 ? (
        <EmptyState title="No watched addresses">
          Open any address and press Watch; it is then one step away.
        </EmptyState>
      ) : (
        <ul className="border-t border-line" aria-label="Watched addresses">
          {list.map(({ chainId, address }) => (
            <li key={`${chainId}/${address}`} className={row}>
              <Place chainId={chainId} address={address} />
              <button
                type="button"
                className="control control-small ml-auto"
                onClick={() => toggleWatched(chainId, address)}
              >
                Unwatch
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

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
  return (
    <Section title="Your labels" note="Kept in this browser, never sent">
      {named.length === 0 ? (
        <EmptyState title="No labels yet">
          Open any address or validator and give it a name; it is then shown everywhere.
        </EmptyState>
      ) : (
        <ul className="border-t border-line">
          {named.map((id) => (
            <li key={id} className="flex h-9 items-center border-b border-line">
              <Named id={id} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
