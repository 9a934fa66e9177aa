import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCurrentNetwork, useProfile } from '../../api/current.ts'
import {
  atomicStatusOf,
  atomicTxQuery,
  distinctUtxos,
  nodeKey,
  stakingAssetQuery,
  utxosQuery,
  type UtxoSearch,
} from '../../api/node/node-queries.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Avax } from '../../components/asset-amount.tsx'
import { Button, Form, Select, Input } from '../../components/controls.tsx'
import { Hash } from '../../components/hash.tsx'
import { Section } from '../../components/section.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { dash } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { DataTable } from '../../components/table/data-table.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { pagedRows } from '../../lib/paging.ts'
import { safeText } from '../../lib/text.ts'
import { formatTime } from '../../lib/time.ts'
import { paths } from '../../lib/paths.ts'
import { Facts } from '../shared/facts.tsx'
import { RawBytes } from '../evm/transaction/decoded.tsx'
import { AskForm } from './shared/ask-form.tsx'
import { Issue } from './issue-view.tsx'
import { NodeFailed } from './shared/node-failed.tsx'
import type { TabProps } from './shared/search.ts'
import { decodeUtxo, type UtxoFacts } from './utxo.ts'
import { Labelled } from './shared/act.tsx'

type Row = { hex: string; facts: UtxoFacts | undefined }

const rowKey = ({ hex }: Row): string => hex

type ColumnOptions = {
  network: string | undefined
  from: 'p-chain' | 'x-chain'
  /** The id of AVAX; undefined until it is loaded. */
  avax: string | undefined
}

function utxoColumns({ network, from, avax }: ColumnOptions): Column<Row>[] {
  return [
    {
      id: 'tx',
      header: 'Created by',
      always: true,
      width: '190px',
      narrow: 'title',
      cell: ({ hex, facts }) =>
        facts ? (
          <Hash
            value={facts.txId}
            name="transaction ID"
            to={network === undefined ? undefined : paths.primaryTransaction(network, from, facts.txId)}
          />
        ) : (
          <Hash value={hex} name="UTXO" copy />
        ),
      text: ({ facts }) => facts?.txId ?? '',
    },
    {
      id: 'index',
      header: 'Output',
      align: 'right',
      width: '80px',
      cell: ({ facts }) => (facts ? formatInteger(facts.outputIndex) : dash),
      text: ({ facts }) => String(facts?.outputIndex ?? ''),
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      width: '160px',
      narrow: 'side',
      cell: ({ facts }) =>
        !facts ? (
          dash
        ) : facts.assetId === avax ? (
          <Avax value={facts.amount} />
        ) : (
          // The decimals of other assets are unknown here.
          <span title="in the smallest unit of the asset">{formatInteger(facts.amount)} units</span>
        ),
      text: ({ facts }) => String(facts?.amount ?? ''),
    },
    {
      id: 'asset',
      header: 'Asset',
      width: '170px',
      cell: ({ facts }) =>
        !facts ? dash : facts.assetId === avax ? 'AVAX' : <Hash value={facts.assetId} name="asset ID" />,
      text: ({ facts }) => facts?.assetId ?? '',
    },
    {
      id: 'owner',
      header: 'For',
      narrow: 'below',
      cell: ({ facts }) =>
        facts ? (
          <span className="font-mono text-mono" title={facts.addresses.join(', ')}>
            {facts.addresses.length > 1 && `${facts.threshold} of ${facts.addresses.length}: `}
            {facts.addresses[0]}
          </span>
        ) : (
          <span className="text-muted">no output of an amount for keys</span>
        ),
      text: ({ facts }) => facts?.addresses.join(' ') ?? '',
    },
    {
      id: 'lock',
      header: 'Locked until',
      align: 'right',
      width: '200px',
      cell: ({ facts }) => (facts && facts.locktime > 0n ? formatTime(Number(facts.locktime), 'utc') : dash),
      text: ({ facts }) => String(facts?.locktime ?? ''),
    },
    {
      id: 'hex',
      header: 'Bytes',
      hidden: true,
      cell: ({ hex }) => <Hash value={hex} name="UTXO" copy />,
      text: ({ hex }) => hex,
    },
  ]
}

function Utxos({ target, search }: { target: NodeTarget; search: UtxoSearch }) {
  const network = useCurrentNetwork()
  const prefix = useProfile()?.addressPrefix ?? 'fuji'
  const query = useInfiniteQuery(utxosQuery(target, search))
  const from = search.sourceChain === 'P' ? 'p-chain' : 'x-chain'
  // A bech32 address contains its network; otherwise the profile's network is used.
  const named = search.addresses.map((one) => /^(?:[A-Z]-)?([a-z]+)1/.exec(one)?.[1]).find(Boolean) ?? prefix
  const rows = useMemo(
    () => distinctUtxos(query.data?.pages ?? []).map((hex): Row => ({ hex, facts: decodeUtxo(hex, named) })),
    [query.data, named],
  )
  const avax = useQuery(stakingAssetQuery(target)).data?.assetID
  const columns = useMemo(
    () => utxoColumns({ network: target.isOfProfile ? network : undefined, from, avax }),
    [target.isOfProfile, network, from, avax],
  )
  if (query.error && !query.data)
    return (
      <NodeFailed
        title="The UTXOs could not be read."
        query={query}
        absent="This node has no atomic API for its C-Chain."
      />
    )
  if (!query.data) return <SkeletonRows count={8} />
  return (
    <>
      <DataTable
        id="node-utxos"
        label="UTXOs that wait"
        noun="UTXO"
        columns={columns}
        rows={pagedRows([rows])}
        rowKey={rowKey}
        more={{
          has: query.hasNextPage,
          loading: query.isFetchingNextPage,
          load: () => void query.fetchNextPage(),
          ...(query.isFetchNextPageError && {
            failed: (
              <NodeFailed
                title="The next UTXOs could not be read."
                error={query.error}
                onRetry={query.fetchNextPage}
              />
            ),
          }),
        }}
      />
      {rows.length === 0 && (
        <EmptyState title="No exported UTXOs for these addresses">
          What is exported from the {search.sourceChain}-Chain to the C-Chain waits here until it is imported.
        </EmptyState>
      )}
    </>
  )
}

/** Typed addresses, separated by spaces, commas or lines. */
const addressesOf = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((one) => one !== ''))]

function UtxoForm({ target }: { target: NodeTarget }) {
  const [text, setText] = useState('')
  const [sourceChain, setSource] = useState('P')
  const [search, setSearch] = useState<UtxoSearch>()
  const addresses = addressesOf(text)
  return (
    <div className="flex flex-col gap-3">
      <Form className="flex flex-wrap items-end gap-3" onSubmit={() => setSearch({ addresses, sourceChain })}>
        <Labelled label="Addresses, bech32" grow>
          <Input mono required placeholder="C-fuji1…" value={text} onChange={setText} />
        </Labelled>
        <Labelled label="Exported from">
          <Select
            value={sourceChain}
            options={[
              { id: 'P', label: 'P-Chain' },
              { id: 'X', label: 'X-Chain' },
            ]}
            onChange={setSource}
          />
        </Labelled>
        <Button type="submit">Search</Button>
      </Form>
      {search && (
        <Utxos key={`${search.sourceChain} ${search.addresses.join(' ')}`} target={target} search={search} />
      )}
    </div>
  )
}

function Transaction({ target, txId }: { target: NodeTarget; txId: string }) {
  const tx = useQuery(atomicTxQuery(target, txId))
  const status = useQuery({
    queryKey: [...nodeKey(target), 'getAtomicTxStatus', txId],
    queryFn: ({ signal }) => atomicStatusOf(target, txId, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'Processing' ? 1_000 : false),
  })
  if (status.error && !status.data)
    return (
      <NodeFailed
        title="The transaction could not be looked up."
        query={status}
        absent="This node has no atomic API for its C-Chain."
      />
    )
  if (!status.data || tx.isPending) return <SkeletonRows count={3} />
  return (
    <Facts
      label="Atomic transaction"
      facts={[
        { label: 'Status', value: safeText(status.data.status, 40) },
        status.data.blockHeight !== undefined && {
          label: 'In block',
          value: formatInteger(status.data.blockHeight),
        },
        tx.data && { label: 'Bytes', value: <RawBytes value={tx.data.tx} name="transaction" /> },
        tx.error !== null && {
          label: 'Bytes',
          value: <span className="text-muted">{tx.error.message}</span>,
        },
      ]}
    />
  )
}

function Lookup({ target }: { target: NodeTarget }) {
  const [txId, setTxId] = useState('')
  return (
    <div className="flex flex-col gap-3">
      <AskForm label="Transaction ID" button="Look it up" onAsk={setTxId} />
      {txId !== '' && <Transaction key={txId} target={target} txId={txId} />}
    </div>
  )
}

/** The atomic API of the C-Chain: an address's waiting UTXOs, issuing a signed transaction, and looking one up. */
export function AtomicTab({ target }: TabProps & { target: NodeTarget }) {
  return (
    <div className="flex flex-col gap-8">
      <Section title="UTXOs that wait for the C-Chain">
        <UtxoForm target={target} />
      </Section>
      <Section title="Issue a signed transaction">
        <Issue target={target} />
      </Section>
      <Section title="Look up a transaction">
        <Lookup target={target} />
      </Section>
    </div>
  )
}
