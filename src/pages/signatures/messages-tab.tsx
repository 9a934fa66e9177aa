import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EvmChain } from '../../../contract/evm/chains.ts'
import type { EmittedMessage } from '../../../contract/signatures/warp.ts'
import { chainsQuery } from '../../api/chains.ts'
import { useOffers, type NetworkName } from '../../api/current.ts'
import { emittedMessagesQuery } from '../../api/signatures/signatures.ts'
import { Hash } from '../../components/hash.tsx'
import { useStore } from '../../components/hooks.ts'
import { PrimaryTxLink } from '../../components/primary-link.tsx'
import { EmptyState, UnsupportedState } from '../../components/states.tsx'
import { dash, timeColumn } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { chainAlias } from '../../lib/primary-chains.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { PagedTable } from '../shared/paged-table.tsx'
import { Button, Select } from '../../components/controls.tsx'
import { contentOf, destinationOf, destinationText, kindOf } from './about.ts'
import { rounds, type Entry } from './history.ts'
import { shareText } from './weight-text.ts'

const rowKey = ({ txHash, logIndex, messageId }: EmittedMessage): string =>
  `${txHash}/${logIndex ?? ''}/${messageId}`

const isOfPChain = ({ sourceBlockchainId }: EmittedMessage): boolean =>
  chainAlias(sourceBlockchainId) === 'p-chain'

function TxLink({ message, network }: { message: EmittedMessage; network: NetworkName }) {
  const chains = useQuery(chainsQuery()).data
  const { txHash, sourceBlockchainId } = message
  if (isOfPChain(message)) return <PrimaryTxLink chain="p-chain" txHash={txHash} network={network} />
  const chain = chains?.find(({ platformChainId }) => platformChainId === sourceBlockchainId)
  return chain ? (
    <Hash
      value={txHash}
      name="transaction hash"
      to={paths.transaction(chain.chainId, txHash, { tab: 'logs' })}
    />
  ) : (
    <Hash value={txHash} name="transaction hash" />
  )
}

const sourceOf = ({ sourceBlockchainName, chainName, sourceBlockchainId }: EmittedMessage): string =>
  safeText(sourceBlockchainName ?? chainName, 40) || sourceBlockchainId

/** How much of the weight signed in the last round in this browser, in words. */
function signedText(entry: Entry | undefined): string {
  if (!entry) return ''
  const { signedWeight = '0', totalWeight, outcome } = entry
  if (totalWeight === undefined) return outcome === 'signed' ? 'signed' : ''
  return shareText(signedWeight, totalWeight)
}

type ColumnOptions = {
  network: NetworkName
  chains: readonly EvmChain[]
  /** The last round of each message in this browser. */
  signed: ReadonlyMap<string, Entry>
  onSign: (message: EmittedMessage) => void
}

function columnsOf({ network, chains, signed, onSign }: ColumnOptions): Column<EmittedMessage>[] {
  const toOf = (row: EmittedMessage): string => destinationText(destinationOf(row), chains)
  return [
    timeColumn('time', 'Time', ({ blockTimestamp }) => blockTimestamp, {
      width: '96px',
      narrow: 'belowSide',
    }),
    {
      id: 'source',
      header: 'From',
      width: '100px',
      narrow: 'below',
      cell: (row) => (
        <span className="block truncate" title={row.sourceBlockchainId}>
          {sourceOf(row)}
          <span className="text-muted md:hidden">
            {' '}
            → {toOf(row)}, {kindOf(row).toLowerCase()}
          </span>
        </span>
      ),
      text: sourceOf,
    },
    {
      id: 'destination',
      header: 'To',
      width: '132px',
      cell: (row) => <span className="block truncate">{toOf(row)}</span>,
      text: toOf,
    },
    {
      id: 'kind',
      header: 'Kind',
      width: '184px',
      cell: (row) => <span className="block truncate">{kindOf(row)}</span>,
      text: (row) => row.l1Message?.type ?? row.payloadKind,
    },
    {
      id: 'content',
      header: 'Content',
      always: true,
      narrow: 'title',
      cell: (row) => (
        <span className="block truncate" title={contentOf(row)}>
          {contentOf(row)}
        </span>
      ),
      text: contentOf,
    },
    {
      id: 'transaction',
      header: 'Transaction',
      width: '160px',
      cell: (row) => <TxLink message={row} network={network} />,
      text: ({ txHash }) => txHash,
    },
    {
      id: 'id',
      header: 'Message ID',
      width: '190px',
      hidden: true,
      cell: ({ messageId }) => <Hash value={messageId} name="message ID" copy />,
      text: ({ messageId }) => messageId,
    },
    {
      id: 'signed',
      header: 'Signed',
      width: '76px',
      align: 'right',
      cell: ({ messageId }) => signedText(signed.get(messageId)) || dash,
      text: ({ messageId }) => signedText(signed.get(messageId)),
    },
    {
      id: 'sign',
      header: 'Action',
      width: '142px',
      align: 'right',
      narrow: 'side',
      cell: (row) =>
        row.refusal === undefined ? (
          <Button
            small
            aria-label={`Collect signatures of ${row.messageId.slice(0, 10)}`}
            onClick={() => onSign(row)}
          >
            Collect signatures
          </Button>
        ) : (
          <span className="text-xs text-muted" title={safeText(row.refusal, 300)}>
            no longer signed
          </span>
        ),
    },
  ]
}

type Props = {
  network: NetworkName
  /** The source to filter by; empty for all. */
  source: string
  onSource: (source: string) => void
  onSign: (message: EmittedMessage) => void
}

/** The messages that the indexed chains have emitted, newest first, each with a button that has it signed. */
export function MessagesTab({ network, source, onSource, onSign }: Props) {
  const offered = useOffers('listWarpMessages')
  const list = { ...emittedMessagesQuery(network, source), enabled: offered }
  const query = useInfiniteQuery(list)
  const chains = useQuery(chainsQuery()).data
  const entries = useStore(rounds)
  const columns = useMemo(() => {
    // The newest round of a message is the first of the list.
    const signed = new Map(
      entries
        .toReversed()
        .flatMap((entry) => (entry.messageId === undefined ? [] : [[entry.messageId, entry] as const])),
    )
    return columnsOf({ network, chains: chains ?? [], signed, onSign })
  }, [network, chains, entries, onSign])
  if (!offered)
    return (
      <UnsupportedState title="Not offered here">
        <p>This deployment lists no messages. A Ridgeline service of your own does.</p>
      </UnsupportedState>
    )
  return (
    <>
      {query.data?.pages[0]?.notKept?.map(({ chainName, logsFrom }) => (
        <p key={chainName} className="pb-3 text-warn">
          {safeText(chainName, 40)}: messages before block {formatInteger(logsFrom)} are not kept here
          (keepLogs).
        </p>
      ))}
      <PagedTable
        id="warp-messages"
        label="Messages"
        noun="message"
        list={list}
        columns={columns}
        rowKey={rowKey}
        tools={
          <Select
            aria-label="Only messages of this source"
            value={source}
            className="h-7"
            options={[
              { id: '', label: 'Every source' },
              { id: 'p-chain', label: 'P-Chain' },
              ...(chains ?? []).map(({ chainId, chainName }) => ({
                id: chainId,
                label: safeText(chainName, 40),
              })),
            ]}
            onChange={onSource}
          />
        }
        empty={
          <EmptyState
            title={
              source === '' ? 'No chain has emitted a message yet' : 'This source has emitted no message'
            }
          >
            Messages of contracts and the L1 transactions of the P-Chain appear here as blocks are read.
          </EmptyState>
        }
      />
    </>
  )
}
