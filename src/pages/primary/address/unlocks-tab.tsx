import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useHref } from 'react-router'
import * as z from 'zod/mini'
import { unlocksChart } from '../../../../contract/pictures/charts.ts'
import type { NetworkName } from '../../../api/current.ts'
import { type Unlock, unlocksQuery } from '../../../api/primary/address.ts'
import { AssetAmount, assetText, Avax } from '../../../components/asset-amount.tsx'
import { Button } from '../../../components/controls.tsx'
import { useNow } from '../../../components/hooks.ts'
import { DownloadIcon } from '../../../components/icons.ts'
import { NodeId } from '../../../components/node-id.tsx'
import { PrimaryTxLink } from '../../../components/primary-link.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { countColumn, dash } from '../../../components/table/column-kinds.tsx'
import { assetColumn } from '../../../components/table/primary-kinds.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { DataTable, noMore } from '../../../components/table/data-table.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { download } from '../../../lib/download.ts'
import { calendar } from '../../../lib/ics.ts'
import { pagedRows } from '../../../lib/paging.ts'
import { chainAlias, chainLabel } from '../../../lib/primary-chains.ts'
import { plural } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { Failed } from '../../shared/failed.tsx'
import { useAvaxId } from './balances/avax.ts'
import type { Wallet } from './owners.ts'
import { UnlockChart } from './unlock-chart.tsx'
import { unlockPlan } from '../../../../charts/spread/unlocks.ts'
import { waitLabel, unlockEvents } from './unlocks.ts'
import { Until, untilText } from '../../shared/until.tsx'

const schema = z.object({ table: z.catch(z.enum(['', 'unlocks']), '') })

const columnsOf = (network: NetworkName): readonly Column<Unlock>[] => [
  {
    id: 'when',
    header: 'Free',
    always: true,
    width: '206px',
    narrow: 'title',
    cell: ({ timestamp }) => <Until at={timestamp} both />,
    text: ({ timestamp }) => untilText(timestamp),
  },
  {
    id: 'left',
    header: 'Time left',
    width: '92px',
    cell: ({ timestamp }) => <Until at={timestamp} />,
  },
  assetColumn('amount', 'Amount', ({ asset }) => asset, { narrow: 'belowSide' }),
  {
    id: 'kind',
    header: 'Why',
    width: '216px',
    narrow: 'below',
    cell: waitLabel,
    text: ({ kind }) => kind,
  },
  {
    id: 'chain',
    header: 'Chain',
    width: '90px',
    narrow: 'side',
    cell: ({ chainName }) => chainLabel(chainName) ?? chainName,
    text: ({ chainName }) => chainName,
  },
  {
    id: 'node',
    header: 'Staked at',
    width: '168px',
    cell: ({ nodeId }) => (nodeId === undefined ? dash : <NodeId nodeId={nodeId} network={network} />),
    text: ({ nodeId }) => nodeId ?? '',
  },
  {
    id: 'reward',
    header: 'Estimated reward',
    align: 'right',
    width: '160px',
    cell: ({ estimatedReward }) => (estimatedReward ? <AssetAmount asset={estimatedReward} /> : dash),
    text: ({ estimatedReward }) => (estimatedReward ? assetText(estimatedReward) : ''),
  },
  countColumn('utxos', 'UTXOs', ({ utxoCount }) => utxoCount, { hidden: true, width: '80px' }),
  {
    id: 'transaction',
    header: 'Transaction',
    hidden: true,
    width: '170px',
    cell: ({ txHash, chainName }) => (
      <PrimaryTxLink chain={chainAlias(chainName) ?? 'p-chain'} txHash={txHash} network={network} />
    ),
    text: ({ txHash }) => txHash,
  },
]

const rowKey = ({ timestamp, kind, txHash, asset, chainName }: Unlock): string =>
  `${chainName}/${timestamp}/${kind}/${asset.assetId}/${txHash}`

/** The times at which locked and staked amounts unlock: as a chart, a list, and a calendar file. */
export function UnlocksTab({ network, owners }: Wallet) {
  const query = useQuery(unlocksQuery(network, owners))
  const { id: avaxId, failed: unnamed } = useAvaxId(network)
  const now = useNow(3600)
  const [{ table }, setSearch] = useSearchState(schema)
  const link = useHref(paths.wallet(network, owners.join(','), { tab: 'unlocks' }))
  const columns = useMemo(() => columnsOf(network), [network])
  const unlocks = query.data
  const rows = useMemo(() => pagedRows([unlocks ?? []]), [unlocks])
  const plan = useMemo(
    () => (unlocks && avaxId !== undefined ? unlockPlan(unlocks, avaxId, now) : undefined),
    [unlocks, avaxId, now],
  )
  const failed = query.error && !unlocks ? { error: query.error, refetch: query.refetch } : unnamed
  if (failed) return <Failed title="The unlock calendar could not be loaded." query={failed} />
  if (!unlocks || !plan) return <SkeletonRows count={14} />
  if (unlocks.length === 0)
    return (
      <EmptyState title="No locked or staked balances">
        Nothing in this wallet is locked until a time, or staked.
      </EmptyState>
    )
  const events = unlockEvents(unlocks)
  const without = unlocks.length - events.length
  const save = (): void => {
    const file = calendar(`Unlocks of ${owners.join(', ')}`, events, Math.floor(Date.now() / 1000))
    download(`unlocks-${owners[0] ?? ''}.ics`, 'text/calendar;charset=utf-8', [file])
  }
  return (
    <div className="flex flex-col gap-4">
      {plan.bins.length > 0 && (
        <UnlockChart
          plan={plan}
          path={`${paths.wallet(network, owners.join(','))}/unlocks`}
          link={`${link}${table === '' ? '' : `&table=${table}`}`}
          table={table !== ''}
          onTable={(open) => setSearch({ table: open ? 'unlocks' : '' })}
        />
      )}
      {plan.later > 0n && (
        <p className="text-muted">
          Another <Avax value={plan.later} /> becomes free more than twenty years ahead, or never.
        </p>
      )}
      <DataTable
        id="wallet-unlocks"
        label={`${unlocksChart.title}, soonest first`}
        noun="unlock"
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        more={noMore}
        tools={
          <>
            {events.length > 0 && (
              <Button small onClick={save}>
                <DownloadIcon size={14} />
                Calendar file (.ics)
              </Button>
            )}
            {without > 0 && (
              <span className="text-xs text-muted">
                {formatInteger(without)} {plural(without, 'unlock')} past the year 9999 left out
              </span>
            )}
          </>
        }
        source={{
          name: `unlocks-${owners[0] ?? ''}`,
          pages: unlocksQuery(network, owners).all,
        }}
      />
    </div>
  )
}
