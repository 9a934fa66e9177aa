import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { EmittedMessage } from '../../../contract/signatures/warp.ts'
import { chainsQuery } from '../../api/chains.ts'
import { useOffers, type NetworkName } from '../../api/current.ts'
import { emittedMessagesQuery } from '../../api/signatures/signatures.ts'
import { Hash } from '../../components/hash.tsx'
import { PrimaryTxLink } from '../../components/primary-link.tsx'
import { EmptyState, UnsupportedState } from '../../components/states.tsx'
import { timeColumn } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { chainAlias } from '../../lib/primary-chains.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { PagedTable } from '../shared/paged-table.tsx'
import { Button, Select } from '../../components/controls.tsx'
import { purposeOf } from './decoded.tsx'

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

function columnsOf(network: NetworkName, onUse: (message: EmittedMessage) => void): Column<EmittedMessage>[] {
  return [
    timeColumn('time', 'Time', ({ blockTimestamp }) => blockTimestamp, {
      width: '104px',
      narrow: 'belowSide',
    }),
    {
      id: 'source',
      header: 'Source',
      width: '128px',
      narrow: 'below',
      cell: (row) => (
        <span className="block truncate" title={row.sourceBlockchainId}>
          {sourceOf(row)}
        </span>
      ),
      text: sourceOf,
    },
    {
      id: 'says',
      header: 'Says',
      always: true,
      narrow: 'title',
      cell: (row) => <span className="block truncate">{purposeOf(row)}</span>,
      text: (row) => row.l1Message?.type ?? row.payloadKind,
    },
    {
      id: 'transaction',
      header: 'Transaction',
      width: '180px',
      cell: (row) => <TxLink message={row} network={network} />,
      text: ({ txHash }) => txHash,
    },
    {
      id: 'id',
      header: 'Message id',
      width: '190px',
      cell: ({ messageId }) => <Hash value={messageId} name="message id" copy />,
      text: ({ messageId }) => messageId,
    },
    {
      id: 'use',
      header: 'Sign',
      width: '84px',
      align: 'right',
      narrow: 'side',
      cell: (row) => (
        <Button small aria-label={`Use message ${row.messageId.slice(0, 10)}`} onClick={() => onUse(row)}>
          Use
        </Button>
      ),
    },
  ]
}

type Props = {
  network: NetworkName
  /** The source to filter by; empty for all. */
  source: string
  onSource: (source: string) => void
  onUse: (message: EmittedMessage) => void
}

/** The messages that the indexed chains have emitted, newest first; each can fill in the form. */
export function MessagesTab({ network, source, onSource, onUse }: Props) {
  const offered = useOffers('listWarpMessages')
  const list = { ...emittedMessagesQuery(network, source), enabled: offered }
  const query = useInfiniteQuery(list)
  const chains = useQuery(chainsQuery()).data
  const columns = useMemo(() => columnsOf(network, onUse), [network, onUse])
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
