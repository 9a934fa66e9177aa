import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useState } from 'react'
import type { ResponseOf } from '../../../../contract/base/operation.ts'
import type { getStopSafety } from '../../../../contract/network/staking.ts'
import type { NetworkName } from '../../../api/current.ts'
import { stopSafetyQuery } from '../../../api/network/validators.ts'
import { Term } from '../../../components/glossary/term.tsx'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Figures } from '../../../components/figures.tsx'
import { useLatest, useDebounced } from '../../../components/hooks.ts'
import { NodeId } from '../../../components/node-id.tsx'
import { Pill } from '../../../components/pill.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { countColumn, percentColumn } from '../../../components/table/column-kinds.tsx'
import { nodeColumn } from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { DataTable, noMore } from '../../../components/table/data-table.tsx'
import { formatInteger, formatNumber, formatShare } from '../../../lib/amounts.ts'
import { onePage, pagedRows } from '../../../lib/paging.ts'
import { plural } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { Failed } from '../../shared/failed.tsx'
import { Input } from '../../../components/controls.tsx'

/** The most nodes that are named above the table, which marks all of them. */
const maxNamed = 48

type Safety = ResponseOf<typeof getStopSafety>
type Member = Safety['validators'][number]

const columnsOf = (
  network: NetworkName,
  { safeTogether, knowsConnections }: Safety,
): readonly Column<Member>[] => {
  const together = new Set(safeTogether)
  return [
    nodeColumn('node', 'Node', ({ nodeId }) => nodeId, network, { always: true, narrow: 'title' }),
    {
      id: 'stop',
      header: 'May stop',
      width: '220px',
      narrow: 'below',
      cell: (row) =>
        !row.isRunning ? (
          <span className="text-muted">not running</span>
        ) : row.mayStopAlone ? (
          <Pill
            state="ok"
            title={
              together.has(row.nodeId)
                ? 'The others reach the quorum, even if all of those that may stop together do'
                : 'The others reach the quorum if only this one stops'
            }
          >
            {together.has(row.nodeId) ? 'yes, together too' : 'yes, alone'}
          </Pill>
        ) : (
          <Pill state="failed" title="Without it, the others fall short of the quorum">
            no
          </Pill>
        ),
      text: ({ mayStopAlone, nodeId }) =>
        mayStopAlone ? (together.has(nodeId) ? 'together' : 'alone') : 'no',
    },
    countColumn('weight', 'Weight', ({ weight }) => weight, { width: '190px' }),
    percentColumn('share', 'Of the weight', ({ weightPercentage }) => weightPercentage, 2, {
      width: '140px',
      narrow: 'side',
    }),
    {
      id: 'running',
      header: knowsConnections ? 'Connection' : 'Running',
      width: '150px',
      narrow: 'belowSide',
      cell: ({ isRunning, isActive }) =>
        !isActive ? (
          <Pill state="stale" title="Without a balance it has no weight in a quorum">
            inactive
          </Pill>
        ) : knowsConnections ? (
          <Pill state={isRunning ? 'ok' : 'failed'}>{isRunning ? 'connected' : 'away'}</Pill>
        ) : (
          <span className="text-muted">assumed running</span>
        ),
      text: ({ isRunning }) => String(isRunning),
    },
  ]
}

const rowKey = (row: Member): string => row.validationId ?? row.nodeId

/** The required share of the weight, as a slider and a number field; reported after a pause. */
function QuorumSlider({ value, onValue }: { value: number; onValue: (value: number) => void }) {
  const id = useId()
  const [text, setText] = useState(String(value))
  const [seen, setSeen] = useState(value)
  // Back and Forward change the slider's value.
  if (seen !== value) {
    setSeen(value)
    setText(String(value))
  }
  const rested = useDebounced(text, 200)
  const tell = useLatest(onValue)
  const known = useLatest(value)
  useEffect(() => {
    const next = Number(rested)
    if (rested !== '' && next >= 0 && next <= 100 && next !== known.current) tell.current(next)
  }, [rested, tell, known])
  return (
    <div className="flex flex-wrap items-center gap-3 pb-4">
      <span className="flex items-center">
        <label htmlFor={id}>Quorum, % of the whole weight</label>
        <Term word="quorum" />
      </span>
      <input
        id={id}
        type="range"
        min={0}
        max={100}
        step={1}
        className="w-56 max-w-full accent-(--color-accent)"
        value={text === '' ? 0 : text}
        onChange={(event) => setText(event.target.value)}
      />
      <Input
        type="number"
        min={0}
        max={100}
        step="any"
        aria-label="Quorum in percent"
        className="h-7 w-20"
        value={text}
        onChange={setText}
      />
      <span className="text-xs text-muted">messages between chains need 67 by default</span>
    </div>
  )
}

function Verdict({ safety }: { safety: Safety }) {
  const { isSafe, safeTogether, spareWeight, totalWeight, knowsConnections } = safety
  const count = safeTogether.length
  return (
    <div className="flex flex-col gap-2 pb-4">
      <p>
        {isSafe ? (
          <>
            The running nodes have the quorum.{' '}
            {count === 0
              ? 'None of them may stop.'
              : `${formatInteger(count)} ${plural(count, 'node')} may stop at the same time, ${formatShare(spareWeight, totalWeight) || '0'} % of the weight at most.`}
          </>
        ) : (
          <span className="text-bad">
            The running nodes fall short of the quorum: none may stop, and some must come back.
          </span>
        )}
      </p>
      {!knowsConnections && (
        <p className="text-warn">
          The node behind this service does not follow this subnet, so it can’t say who is connected: all are
          assumed to be running.
        </p>
      )}
    </div>
  )
}

type Props = { network: NetworkName; subnetId: string; quorum: number; onQuorum: (quorum: number) => void }

/** The validators of a subnet that may stop while the others keep the quorum. */
export function StopSafety({ network, subnetId, quorum, onQuorum }: Props) {
  const query = useQuery(stopSafetyQuery(network, subnetId, quorum))
  const safety = query.data
  const columns = useMemo(() => (safety ? columnsOf(network, safety) : []), [network, safety])
  const rows = useMemo(() => pagedRows([safety?.validators ?? []]), [safety])
  return (
    <>
      <QuorumSlider value={quorum} onValue={onQuorum} />
      {query.error && !safety ? (
        <Failed title="The weights could not be loaded." query={query} />
      ) : !safety ? (
        <SkeletonRows count={12} />
      ) : safety.validators.length === 0 ? (
        <EmptyState title="No current validators">This subnet has no validators that could stop.</EmptyState>
      ) : (
        <div className={query.isPlaceholderData ? 'opacity-60' : ''} aria-busy={query.isPlaceholderData}>
          <Verdict safety={safety} />
          <Figures
            label="Weights"
            figures={[
              { label: 'Whole weight', value: formatInteger(safety.totalWeight) },
              {
                label: 'Needed',
                value: formatInteger(safety.quorumWeight),
                note: `${formatNumber(quorum, 2)} %`,
              },
              {
                label: 'Running',
                value: formatInteger(safety.runningWeight),
                note: `${formatShare(safety.runningWeight, safety.totalWeight) || '0'} %`,
              },
              {
                label: 'May stop at most',
                value: formatInteger(safety.spareWeight),
                note: `${formatShare(safety.spareWeight, safety.totalWeight) || '0'} %`,
              },
            ]}
          />
          {safety.safeTogether.length > 0 && (
            <div className="pt-6">
              <Section
                title="May stop at the same time"
                note={`${formatInteger(safety.safeTogether.length)} of ${formatInteger(safety.validators.length)}`}
                actions={<CopyButton text={safety.safeTogether.join('\n')} name="node IDs" />}
              >
                <ul
                  className="flex flex-wrap gap-x-4 gap-y-1"
                  aria-label="Nodes that may stop at the same time"
                >
                  {safety.safeTogether.slice(0, maxNamed).map((nodeId) => (
                    <li key={nodeId}>
                      <NodeId nodeId={nodeId} network={network} />
                    </li>
                  ))}
                  {safety.safeTogether.length > maxNamed && (
                    <li className="text-muted">
                      and {formatInteger(safety.safeTogether.length - maxNamed)} more, marked below
                    </li>
                  )}
                </ul>
              </Section>
            </div>
          )}
          <div className="pt-6">
            <DataTable
              id="stop-safety"
              label="Which validators may stop"
              noun="validator"
              columns={columns}
              rows={rows}
              rowKey={rowKey}
              rowHref={(row) =>
                row.validationId === undefined
                  ? paths.validator(network, row.nodeId)
                  : paths.l1Validator(network, row.validationId)
              }
              more={noMore}
              source={{
                name: `stop-safety-${subnetId}-${quorum}`,
                pages: () => onePage(safety.validators),
              }}
            />
          </div>
        </div>
      )}
    </>
  )
}
