import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import type { NetworkName } from '../../../api/current.ts'
import { isUnknown } from '../../../api/errors.ts'
import { primaryTransactionQuery, type PrimaryTransactionDetails } from '../../../api/primary/transactions.ts'
import { queryClient } from '../../../api/query-client.ts'
import { assetLabel, assetText, type Asset } from '../../../components/asset-amount.tsx'
import { Figures, loadingFigures, type Figure } from '../../../components/figures.tsx'
import { Link } from '../../../components/link.tsx'
import { PageTitle } from '../../../components/page-title.tsx'
import { Boundary } from '../../../components/part.tsx'
import { PrimaryBlockLink } from '../../../components/primary-link.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState, inWords, UnsupportedState } from '../../../components/states.tsx'
import { TimeAgo } from '../../../components/time-ago.tsx'
import { Tabs } from '../../../components/tabs.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatAmount, formatInteger } from '../../../lib/amounts.ts'
import { chainLabel } from '../../../lib/primary-chains.ts'
import type { PrimaryChainAlias } from '../../../../contract/primary/chains.ts'
import { shorten } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { NetworkCrumb } from '../../shared/network-crumb.tsx'
import { NodeNote } from '../../shared/node-note.tsx'
import { primaryPlaceOf, usePrimaryPlace } from '../../shared/network-gates.tsx'
import { OddNote } from '../odd-note.tsx'
import { heightOf, timeOf } from '../transaction-columns.tsx'
import { TxTypePill } from '../tx-type.tsx'
import { Failed } from '../../shared/failed.tsx'
import { useRemember } from '../../shared/use-remember.ts'
import { flowOf } from './flow.ts'
import { FlowPicture } from './flow-picture.tsx'
import { TransactionFacts } from './details.tsx'
import { UtxoTables } from './utxo-tables.tsx'
import { RawBytes } from '../../evm/transaction/decoded.tsx'
import { RawTab } from '../../evm/transaction/raw-tab.tsx'

const searchSchema = z.object({ tab: z.catch(z.enum(['overview', 'utxos', 'raw']), 'overview') })

/** Requests the transaction. */
export function loader({ params }: LoaderFunctionArgs): null {
  const place = primaryPlaceOf(params)
  if (place)
    void queryClient.prefetchQuery(
      primaryTransactionQuery(place.network, place.chain, params['txHash'] ?? ''),
    )
  return null
}

type Props = { tx: PrimaryTransactionDetails; network: NetworkName; chain: PrimaryChainAlias }

function Flow({ tx, network, chain }: Props) {
  const flow = useMemo(() => flowOf(tx, chain), [tx, chain])
  if (flow.inputs.length + flow.outputs.length === 0)
    return (
      <p className="border-y border-line py-3 text-muted">
        This transaction moves no UTXO: it only changes the state of the chain.
      </p>
    )
  return (
    <Section title="Flow">
      <FlowPicture flow={flow} network={network} label={`transaction ${shorten(tx.txHash)}`} />
    </Section>
  )
}

/** The tabs of a transaction; without one, their place while it loads. */
function Parts({ tx, network, chain }: Omit<Props, 'tx'> & { tx: PrimaryTransactionDetails | undefined }) {
  const [{ tab }, setSearch] = useSearchState(searchSchema)
  const inputs = tx?.consumedUtxos ?? []
  const outputs = tx?.emittedUtxos ?? []
  return (
    <Tabs
      label="Parts of the transaction"
      current={tab}
      onChange={(next) => setSearch({ tab: next })}
      tabs={[
        { id: 'overview', label: 'Overview' },
        { id: 'utxos', label: 'UTXOs', count: tx ? formatInteger(inputs.length + outputs.length) : '–' },
        { id: 'raw', label: 'Raw' },
      ]}
    >
      {tx ? (
        <Boundary key={tab} title="This part of the transaction">
          {tab === 'overview' && (
            <div className="flex min-w-0 flex-col gap-6">
              <OddNote of="transaction" history={tx.oddHistory} />
              <Flow tx={tx} network={network} chain={chain} />
              <TransactionFacts tx={tx} network={network} chain={chain} />
            </div>
          )}
          {tab === 'utxos' && (
            <UtxoTables inputs={inputs} outputs={outputs} network={network} name={tx.txHash} />
          )}
          {tab === 'raw' && <RawPart tx={tx} />}
        </Boundary>
      ) : (
        <SkeletonRows count={10} />
      )}
    </Tabs>
  )
}

const waitingFigures = loadingFigures('Age', 'Value', 'Fee', 'Block')

/** An amount of the first asset, its symbol below it, and how many other assets there are. */
function assetFigure(label: string, assets: readonly Asset[] | undefined): Figure {
  const [first, ...others] = assets ?? []
  if (!first) return { label, value: null, note: undefined }
  const decimals = first.type === 'nft' ? 0 : first.denomination
  const more = others.length > 0 ? ` and ${formatInteger(others.length)} more` : ''
  return {
    label,
    value: formatAmount(first.amount, decimals),
    title: assetText(first),
    note: `${assetLabel(first)}${more}`,
  }
}

/** When, how much, at what price: what people come to a transaction for. */
function figuresOf({ tx, network, chain }: Props): Figure[] {
  const at = timeOf(tx)
  const height = heightOf(tx)
  const isStake = (tx.amountStaked ?? []).length > 0
  return [
    { label: 'Age', value: at === undefined ? null : <TimeAgo at={at} />, note: undefined },
    assetFigure(isStake ? 'Staked' : 'Value', isStake ? tx.amountStaked : tx.value),
    assetFigure('Fee', tx.amountBurned),
    {
      label: 'Block',
      value:
        height === undefined ? (
          inWords('of a vertex')
        ) : (
          <PrimaryBlockLink network={network} chain={chain} height={height} />
        ),
      note: undefined,
    },
  ]
}

/** The transaction types with a message for an L1 that the P-Chain's validators sign. */
const signable: ReadonlySet<string> = new Set([
  'ConvertSubnetToL1Tx',
  'RegisterL1ValidatorTx',
  'SetL1ValidatorWeightTx',
])

/** One transaction of the P-, X- or C-Chain with its flow, details and bytes; the tab is in the URL. */
export function Component() {
  const { txHash = '' } = useParams()
  const { network, chain } = usePrimaryPlace()
  const query = useQuery(primaryTransactionQuery(network, chain, txHash))
  const tx = query.data
  const label = chainLabel(chain) ?? chain
  const title = titleOf('primaryTransaction', { txHash: shorten(txHash), chain: label })
  const unknown = query.error !== null && !tx && isUnknown(query.error)
  useRemember(paths.primaryTransaction(network, chain, txHash), tx ? title : undefined, 'transaction')

  return (
    <>
      <NetworkCrumb network={network} chain={chain} />
      <PageTitle
        document={unknown ? 'Transaction not found' : title}
        heading={unknown ? 'Transaction not found' : 'Transaction'}
        beside={tx ? <TxTypePill type={tx.txType} /> : null}
        identity={{ value: txHash, name: 'transaction ID' }}
        actions={
          tx && signable.has(tx.txType) ? (
            <Link to={paths.signatures({ network, tx: txHash })} className="control">
              Collect signatures
            </Link>
          ) : undefined
        }
      />
      <NodeNote isIndexed={tx?.isIndexed} />
      {tx || query.isPending ? (
        <div className="flex flex-col gap-4">
          <Figures figures={tx ? figuresOf({ tx, network, chain }) : waitingFigures} />
          <Parts tx={tx} network={network} chain={chain} />
        </div>
      ) : unknown ? (
        <EmptyState title={`No accepted transaction of the ${label} has this ID`}>
          It may belong to another chain, or not be accepted yet. An ID is 33 to 52 letters and digits.
        </EmptyState>
      ) : (
        <Failed title="The transaction could not be loaded." query={query} />
      )}
    </>
  )
}

/** The signed bytes of a transaction, and the service's unchanged answer. */
function RawPart({ tx }: { tx: PrimaryTransactionDetails }) {
  const { txBytes, ...rest } = tx
  return (
    <div className="flex min-w-0 flex-col gap-8">
      <Section title="Bytes">
        {txBytes === undefined ? (
          <UnsupportedState title="Not offered here">
            <p>This deployment does not send the signed bytes. A Ridgeline service of your own does.</p>
          </UnsupportedState>
        ) : (
          <RawBytes value={txBytes} name="bytes" />
        )}
      </Section>
      <Section title="Record">
        <RawTab value={rest} name={tx.txHash} />
      </Section>
    </div>
  )
}
