import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { currentValidatorsQuery, nodeL1BalanceQuery } from '../../api/node/node-queries.ts'
import type { NodeValidator } from '../../api/node/node-shapes.ts'
import type { NodeTarget } from '../../api/node/node-targets.ts'
import { Avax } from '../../components/asset-amount.tsx'
import { Button, Form, Input } from '../../components/controls.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { Pill } from '../../components/pill.tsx'
import { Skeleton, SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { dash, countColumn, textColumn, timeColumn } from '../../components/table/column-kinds.tsx'
import type { Column } from '../../components/table/columns.ts'
import { WholeTable } from '../../components/table/whole-table.tsx'
import { formatInteger, formatNumber, formatShare } from '../../lib/amounts.ts'
import { safeText } from '../../lib/text.ts'
import { formatDuration } from '../../lib/time.ts'
import { paths } from '../../lib/paths.ts'
import { ChainField } from './shared/chain-field.tsx'
import { useChainOptions } from './shared/use-targets.ts'
import { nodeColumn } from './shared/node-column.tsx'
import { NodeFailed, reasonOf } from './shared/node-failed.tsx'
import type { TabProps } from './shared/search.ts'
import { Labelled } from './shared/act.tsx'

/** The remaining balance of an L1 validator, requested from the same node's P-Chain when its row is rendered. */
function Balance({ target, row }: { target: NodeTarget; row: NodeValidator }) {
  const query = useQuery({ ...nodeL1BalanceQuery(target, row.validationID), enabled: row.isL1Validator })
  if (!row.isL1Validator) return dash
  if (query.data) return <Avax value={BigInt(query.data.balance)} bare />
  if (query.isPending) return <Skeleton width={72} />
  return (
    <span
      className="text-muted"
      title={query.error ? reasonOf(query.error) : 'The P-Chain knows no such L1 validator'}
    >
      –
    </span>
  )
}

type ColumnOptions = { target: NodeTarget; network: string | undefined; total: bigint }

function validatorColumns({ target, network, total }: ColumnOptions): Column<NodeValidator>[] {
  return [
    nodeColumn(network),
    {
      id: 'validation',
      header: 'Validation',
      cell: ({ validationID, isL1Validator }) => (
        <Hash
          value={validationID}
          name="validation ID"
          to={
            network === undefined
              ? undefined
              : isL1Validator
                ? paths.l1Validator(network, validationID)
                : paths.primaryTransaction(network, 'p-chain', validationID)
          }
        />
      ),
      text: ({ validationID }) => validationID,
    },
    countColumn('weight', 'Weight', ({ weight }) => weight, { width: '120px' }),
    {
      id: 'share',
      header: 'Share',
      align: 'right',
      width: '90px',
      narrow: 'side',
      cell: ({ weight }) => `${formatShare(weight, total)} %`,
      text: ({ weight }) => formatShare(weight, total),
    },
    {
      id: 'uptime',
      header: 'Uptime',
      align: 'right',
      width: '100px',
      narrow: 'belowSide',
      cell: ({ uptimePercentage, uptimeSeconds }) => (
        <span title={`${formatDuration(uptimeSeconds)} online`}>{formatNumber(uptimePercentage, 2)} %</span>
      ),
      text: ({ uptimePercentage }) => String(uptimePercentage),
    },
    {
      id: 'connected',
      header: 'Connection',
      width: '125px',
      narrow: 'below',
      cell: ({ isConnected }) => (
        <Pill state={isConnected ? 'ok' : 'failed'}>{isConnected ? 'connected' : 'away'}</Pill>
      ),
      text: ({ isConnected }) => String(isConnected),
    },
    {
      id: 'active',
      header: 'State',
      width: '110px',
      cell: ({ isActive }) => (
        <Pill state={isActive ? 'active' : 'ended'}>{isActive ? 'active' : 'inactive'}</Pill>
      ),
      text: ({ isActive }) => String(isActive),
    },
    textColumn('kind', 'Of', ({ isL1Validator }) => (isL1Validator ? 'L1' : 'subnet'), {
      width: '80px',
      hidden: true,
    }),
    {
      id: 'balance',
      header: 'Balance, AVAX',
      align: 'right',
      width: '130px',
      cell: (row) => <Balance target={target} row={row} />,
    },
    timeColumn('since', 'Since', ({ startTimestamp }) => startTimestamp, { align: 'right', width: '110px' }),
  ]
}

const rowKey = ({ validationID }: NodeValidator): string => validationID

/** Typed node IDs, separated by spaces, commas or lines. */
const nodeIdsOf = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((part) => part !== ''))]

function IdsForm({ ids, onIds }: { ids: string; onIds: (ids: string) => void }) {
  const [text, setText] = useState(ids)
  const [seen, setSeen] = useState(ids)
  if (seen !== ids) {
    setSeen(ids)
    setText(ids)
  }
  const wrong = nodeIdsOf(text).find((id) => !/^NodeID-[1-9A-HJ-NP-Za-km-z]{20,60}$/.test(id))
  return (
    <Form className="flex flex-wrap items-end gap-2 pb-4" onSubmit={() => onIds(nodeIdsOf(text).join(','))}>
      <Labelled label="Only these node IDs" grow>
        <Input
          mono
          placeholder="every validator"
          value={text}
          wrong={wrong && `${safeText(wrong, 40)} is not a node ID.`}
          onChange={setText}
        />
      </Labelled>
      <Button type="submit">Apply</Button>
    </Form>
  )
}

type ListProps = { target: NodeTarget; chain: string; ids: string }

function List({ target, chain, ids }: ListProps) {
  const network = useCurrentNetwork()
  const query = useQuery(currentValidatorsQuery(target, chain, nodeIdsOf(ids)))
  const rows = query.data?.validators
  const total = useMemo(() => (rows ?? []).reduce((sum, { weight }) => sum + weight, 0n), [rows])
  const columns = useMemo(
    () => validatorColumns({ target, network: target.isOfProfile ? network : undefined, total }),
    [target, network, total],
  )
  if (query.error && !query.data)
    return (
      <NodeFailed
        title="The validators could not be read."
        query={query}
        absent="A node lists the validators of subnet EVM chains that it follows. The C-Chain’s are those of the primary network, on the page of validators; a chain that failed to start has no list either."
      />
    )
  if (query.isPending) return <SkeletonRows count={10} />
  const all = rows ?? []
  const connected = all.filter((row) => row.isConnected).reduce((sum, { weight }) => sum + weight, 0n)
  return (
    <div className="flex flex-col gap-4" aria-busy={query.isPlaceholderData}>
      <Figures
        figures={[
          { label: 'Validators', value: formatInteger(all.length) },
          { label: 'Weight', value: formatInteger(total), note: ids === '' ? 'of all' : 'of those shown' },
          {
            label: 'Connected',
            value: total === 0n ? null : `${formatShare(connected, total)} %`,
            note: 'of the weight',
          },
          { label: 'Inactive', value: formatInteger(all.filter((row) => !row.isActive).length) },
        ]}
      />
      <WholeTable
        id="node-validators"
        label="Validators of the chain"
        noun="validator"
        columns={columns}
        rows={all}
        rowKey={rowKey}
        file={`validators-of-${chain}`}
      />
      {all.length === 0 && (
        <EmptyState
          title={ids === '' ? 'The node lists no validators' : 'None of these nodes validates the chain'}
        >
          {ids === ''
            ? 'A node that runs without staking keeps no list.'
            : 'IDs that validate nothing here are left out by the node.'}
        </EmptyState>
      )}
    </div>
  )
}

/** The validators of a chain as seen by the node: weight, uptime, connection, and remaining balance. */
export function L1Tab({ target, search, onSearch }: TabProps & { target: NodeTarget }) {
  const { ids } = search
  const options = useChainOptions(target)
  // No node lists validators of the C-Chain, so the first other chain is the default.
  const chain = search.chain === 'C' ? (options.find(({ id }) => id !== 'C')?.id ?? 'C') : search.chain
  return (
    <>
      <ChainField
        target={target}
        chain={chain}
        onChain={(next) => onSearch({ chain: next, ids: '' }, { push: true })}
      />
      <IdsForm ids={ids} onIds={(next) => onSearch({ ids: next }, { push: true })} />
      <List key={chain} target={target} chain={chain} ids={ids} />
    </>
  )
}
