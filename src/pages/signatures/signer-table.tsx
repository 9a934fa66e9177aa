import { useMemo } from 'react'
import type { NetworkName } from '../../api/current.ts'
import { NodeId } from '../../components/node-id.tsx'
import { Pill, type PillState } from '../../components/pill.tsx'
import { textColumn } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { WholeTable } from '../../components/table/whole-table.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'
import { outcomeOf, outcomeWords } from './explain.ts'
import type { Run } from './run.ts'
import { shareText, weightText } from './weight-text.ts'
import { byWeight, type Signer } from './weights.ts'

type Row = Signer & {
  outcome: string
  source: string
  reason: string
  milliseconds: number | undefined
  total: string
  subnetId: string
}

const looks: Readonly<Record<string, PillState>> = {
  signed: 'ok',
  refused: 'failed',
  wrong: 'failed',
  silent: 'stale',
  unreachable: 'stale',
  waiting: 'pending',
  'not asked': 'ended',
}

const sources: Readonly<Record<string, string>> = { peer: 'as a peer', rpc: 'by its RPC' }

function Nodes({ nodeIds, network }: { nodeIds: readonly string[]; network: NetworkName }) {
  const [first, ...others] = nodeIds
  return first === undefined ? (
    '–'
  ) : (
    <span className="inline-flex max-w-full items-center gap-2">
      <NodeId nodeId={first} network={network} />
      {others.length > 0 && (
        <span className="text-xs text-muted" title={others.join(', ')}>
          and {others.length} with the same key
        </span>
      )}
    </span>
  )
}

const columnsOf = (network: NetworkName, hasReasons: boolean): Column<Row>[] => [
  textColumn('index', 'Bit', ({ index }) => index, { width: '56px', align: 'right', hidden: true }),
  {
    id: 'node',
    header: 'Node',
    always: true,
    width: '220px',
    narrow: 'title',
    cell: ({ nodeIds }) => <Nodes nodeIds={nodeIds} network={network} />,
    text: ({ nodeIds }) => nodeIds.join(' '),
  },
  {
    id: 'weight',
    header: 'Weight',
    align: 'right',
    width: '150px',
    narrow: 'belowSide',
    cell: ({ weight, subnetId }) => weightText(weight, subnetId),
    text: ({ weight }) => weight,
  },
  {
    id: 'share',
    header: 'Share',
    align: 'right',
    width: '84px',
    cell: ({ weight, total }) => shareText(weight, total),
    text: ({ weight, total }) => shareText(weight, total).replace(' %', ''),
  },
  {
    id: 'outcome',
    header: 'Outcome',
    width: '140px',
    narrow: 'side',
    cell: ({ outcome }) => (
      <Pill state={looks[outcome] ?? 'neutral'} title={outcomeWords[outcome]?.meaning ?? outcome}>
        {outcomeWords[outcome]?.word ?? safeText(outcome, 24)}
      </Pill>
    ),
    text: ({ outcome }) => outcome,
  },
  {
    id: 'source',
    header: 'Asked',
    hidden: true,
    width: '110px',
    cell: ({ source }) => sources[source] ?? (source === '' ? '–' : safeText(source, 24)),
    text: ({ source }) => source,
  },
  {
    id: 'time',
    header: 'Answered after, ms',
    hidden: true,
    align: 'right',
    width: '140px',
    cell: ({ milliseconds }) => (milliseconds === undefined ? '–' : formatInteger(milliseconds)),
    text: ({ milliseconds }) => (milliseconds === undefined ? '' : String(milliseconds)),
  },
  {
    id: 'reason',
    header: 'Reason',
    hidden: !hasReasons,
    narrow: 'below',
    cell: ({ reason }) => (
      <span className="block truncate" title={reason}>
        {reason === '' ? '–' : reason}
      </span>
    ),
    text: ({ reason }) => reason,
  },
]

const rowKey = ({ index }: Row): string => String(index)

/** All signers of the set with their outcomes, ordered by weight. */
export function SignerTable({ run }: { run: Run }) {
  const { network } = run.asked
  const hasReasons = [...run.results.values()].some(({ reason }) => (reason ?? '') !== '')
  const columns = useMemo(() => columnsOf(network, hasReasons), [network, hasReasons])
  const set = run.begun?.set
  const signers = useMemo(() => byWeight(set?.signers ?? []), [set])
  if (!set) return null
  const rows = signers.map((signer): Row => {
    const result = run.results.get(signer.index)
    return {
      ...signer,
      outcome: outcomeOf(run, signer.index),
      source: result?.source ?? '',
      reason: safeText(result?.reason ?? '', 300),
      milliseconds: result?.milliseconds,
      total: set.totalWeight,
      subnetId: set.subnetId,
    }
  })
  return (
    <WholeTable
      id="signers"
      label="Signers"
      noun="signer"
      columns={columns}
      rows={rows}
      rowKey={rowKey}
      file={`signers-${run.begun?.message.messageId.slice(0, 12) ?? ''}`}
    />
  )
}
