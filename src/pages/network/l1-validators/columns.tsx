import type { L1Validator } from '../../../../contract/network/validators.ts'
import type { NetworkName } from '../../../api/current.ts'
import { RowUnit } from '../../../components/amount.tsx'
import { Avax, avaxDecimals } from '../../../components/asset-amount.tsx'
import { Hash } from '../../../components/hash.tsx'
import { useNow } from '../../../components/hooks.ts'
import { Pill } from '../../../components/pill.tsx'
import { SubnetLink } from '../../../components/primary-link.tsx'
import { dash, countColumn, timeColumn } from '../../../components/table/column-kinds.tsx'
import { nodeColumn, subnetColumn } from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { plainAmount } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { Until, untilText } from '../../shared/until.tsx'
import { l1State } from './l1-state.ts'
import { L1StatePill } from './state.tsx'

const soon = 7 * 86_400

/** When a balance runs out at the current fee; amber if within a week. */
export function RunsOut({ validator }: { validator: L1Validator }) {
  const now = useNow(60)
  const { emptyTimestamp } = validator
  if (l1State(validator) !== 'active' || emptyTimestamp === undefined) return dash
  const near = BigInt(emptyTimestamp) < BigInt(now + soon)
  return (
    <span className={near ? 'text-warn' : ''}>
      <Until at={emptyTimestamp} />
      {near && <span className="sr-only"> (within a week)</span>}
    </span>
  )
}

/** A validator's part in its subnet's quorum: its share of the weight, and whether it is connected. */
export type Standing = { sharePercent: number; isRunning: boolean }

type Options = {
  network: NetworkName
  /** False in a list of one subnet. */
  withSubnet: boolean
  /** False in a list of one node, which shows the validation first. */
  withNode: boolean
  /** By validation ID; undefined if the subnet's quorum is unknown. */
  standings: ReadonlyMap<string, Standing> | undefined
  /** The names of subnets by their ids. */
  subnetNames: ReadonlyMap<string, string>
  /** Whether the node reports its connections. */
  knowsConnections: boolean
}

/** The columns of L1 validators. */
export function l1Columns({
  network,
  withSubnet,
  withNode,
  standings,
  subnetNames,
  knowsConnections,
}: Options): Column<L1Validator>[] {
  const node: Column<L1Validator> = nodeColumn('node', 'Node', ({ nodeId }) => nodeId, network, {
    always: true,
    width: '164px',
    narrow: 'title',
  })
  const standing: Column<L1Validator>[] = standings
    ? [
        {
          id: 'share',
          header: 'Of the weight',
          align: 'right',
          width: '120px',
          cell: ({ validationId }) => {
            const share = standings.get(validationId)?.sharePercent
            return share === undefined ? dash : `${share.toFixed(2)} %`
          },
          text: ({ validationId }) => String(standings.get(validationId)?.sharePercent ?? ''),
        },
        ...(knowsConnections
          ? [
              {
                id: 'connected',
                header: 'Connection',
                width: '130px',
                cell: ({ validationId }: L1Validator) => {
                  const known = standings.get(validationId)
                  if (!known) return dash
                  return (
                    <Pill state={known.isRunning ? 'ok' : 'failed'}>
                      {known.isRunning ? 'connected' : 'away'}
                    </Pill>
                  )
                },
                text: ({ validationId }: L1Validator) => String(standings.get(validationId)?.isRunning ?? ''),
              },
            ]
          : []),
      ]
    : []
  return [
    ...(withNode ? [node] : []),
    {
      id: 'validation',
      header: 'Validation',
      width: '170px',
      ...(!withNode && { always: true, narrow: 'title' as const }),
      cell: ({ validationId }) => (
        <Hash value={validationId} name="validation ID" to={paths.l1Validator(network, validationId)} />
      ),
      text: ({ validationId }) => validationId,
    },
    {
      id: 'state',
      header: 'State',
      width: '110px',
      narrow: 'below',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-1.5">
          <L1StatePill validator={row} />
          {withSubnet && (
            <span className="min-w-0 truncate md:hidden">
              <SubnetLink subnetId={row.subnetId} network={network} name={subnetNames.get(row.subnetId)} />
            </span>
          )}
        </span>
      ),
      text: l1State,
    },
    subnetColumn('subnet', 'L1', ({ subnetId }) => subnetId, network, {
      width: '252px',
      hidden: !withSubnet,
      names: subnetNames,
    }),
    countColumn('weight', 'Weight', ({ weight }) => weight),
    ...standing,
    {
      id: 'balance',
      header: 'Balance, AVAX',
      align: 'right',
      width: '150px',
      narrow: 'side',
      cell: ({ remainingBalance }) => (
        <>
          <Avax value={BigInt(remainingBalance)} bare />
          <RowUnit>AVAX</RowUnit>
        </>
      ),
      text: ({ remainingBalance }) => plainAmount(remainingBalance, avaxDecimals),
    },
    {
      id: 'empty',
      header: 'Runs out',
      align: 'right',
      width: '120px',
      narrow: 'belowSide',
      cell: (row) => <RunsOut validator={row} />,
      text: ({ emptyTimestamp }) => (emptyTimestamp === undefined ? '' : untilText(emptyTimestamp)),
    },
    timeColumn('created', 'Registered', ({ creationTimestamp }) => creationTimestamp, {
      align: 'right',
      width: '120px',
      hidden: true,
    }),
  ]
}
