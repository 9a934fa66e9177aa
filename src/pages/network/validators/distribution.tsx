import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { validatorSpreadCharts } from '../../../../contract/pictures/charts.ts'
import { useOffers, useProfile, type NetworkName } from '../../../api/current.ts'
import { validatorDistributionQuery } from '../../../api/network/validators.ts'
import { Skeleton } from '../../../components/skeleton.tsx'
import { formatInteger } from '../../../lib/amounts.ts'
import { moveFocus } from '../../../lib/arrow-keys.ts'
import { plural } from '../../../lib/text.ts'
import { Failed } from '../../shared/failed.tsx'
import { DistributionMenu, DistributionTable, type DistributionName } from './distribution-menu.tsx'
import { stakeBins, uptimeBins, type Bin, type UptimeFilter } from './bins.ts'
import type { ValidatorsSearch } from './filters.ts'

/** The height of the bars, in pixels. */
const PLOT = 104

const colours = ['var(--color-series-1)', 'var(--color-series-2)'] as const

/** The column of a bin: its count, its bars, and its lower bound on the axis unless it has no room. */
function BinColumn({ bin, labelled }: { bin: Bin; labelled: boolean }) {
  return (
    <>
      <span
        className="flex items-end justify-center gap-px border-b border-line-strong"
        style={{ height: PLOT + 18 }}
      >
        {bin.bars.map((share, index) => (
          <span
            key={index}
            className="relative flex min-w-0 max-w-8 flex-1 flex-col items-center justify-end"
          >
            {index === 0 && bin.count > 0 && (
              <span className="text-xs whitespace-nowrap text-muted">{formatInteger(bin.count)}</span>
            )}
            <span
              className="w-full rounded-t-sm"
              style={{
                // A small share of something stays visible.
                height: share === 0 ? 0 : Math.max(2, Math.round(share * PLOT)),
                background: colours[index],
              }}
            />
          </span>
        ))}
      </span>
      <span className="h-4 text-left text-xs whitespace-nowrap text-muted">{labelled ? bin.label : ''}</span>
    </>
  )
}

type PictureProps = { title: string; note: ReactNode; menu: ReactNode; children: ReactNode }

function Picture({ title, note, menu, children }: PictureProps) {
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="flex min-h-6 items-start gap-x-3">
        <span className="font-strong whitespace-nowrap">{title}</span>
        <span className="flex min-w-0 flex-1 flex-wrap gap-x-3 pt-0.5 text-xs text-muted">{note}</span>
        {menu ?? (
          // The place of the menu, whose note is empty.
          <>
            <span />
            <span className="size-6 shrink-0" />
          </>
        )}
      </figcaption>
      {children}
    </figure>
  )
}

const Swatch = ({ index, children }: { index: 0 | 1; children: ReactNode }) => (
  <span className="inline-flex items-center gap-1">
    <span aria-hidden="true" className="size-2 rounded-sm" style={{ background: colours[index] }} />
    {children}
  </span>
)

type Props = {
  network: NetworkName
  search: ValidatorsSearch
  onFilter: (filter: UptimeFilter) => void
  onTable: (shown: Pick<ValidatorsSearch, 'table'>) => void
}

const column = 'flex min-w-0 flex-1 flex-col gap-1'

type UptimeProps = Pick<Props, 'search' | 'onFilter'> & { bins: ReturnType<typeof uptimeBins> }

/** The bins by uptime, each a button that filters the list. Together they are one tab stop; arrow keys move between them. */
function UptimeBins({ bins, search, onFilter }: UptimeProps) {
  const [stop, setStop] = useState(0)
  return (
    <div
      role="toolbar"
      aria-label={validatorSpreadCharts.uptime.title}
      tabIndex={-1}
      className="flex gap-1"
      onKeyDown={(event) => moveFocus(event, 'button', 'across')}
    >
      {bins.map((bin, index) => {
        const { minUptime, maxUptime } = bin.filter
        const pressed = search.minUptime === minUptime && search.maxUptime === maxUptime
        return (
          <button
            key={bin.key}
            type="button"
            aria-pressed={pressed}
            tabIndex={index === stop ? 0 : -1}
            title={`${bin.words}. ${pressed ? 'Show all' : 'Show only these'}`}
            className={`${column} cursor-pointer rounded-base hover:bg-hover aria-pressed:bg-accent-soft`}
            onFocus={() => setStop(index)}
            onClick={() => onFilter(pressed ? { minUptime: undefined, maxUptime: undefined } : bin.filter)}
          >
            <BinColumn bin={bin} labelled />
            <span className="sr-only">{bin.words}</span>
          </button>
        )
      })}
    </div>
  )
}

/**
 * The active validators of the primary network by stake and by uptime, above their list. A bin by uptime filters the
 * list; the list has no filter by stake.
 */
export function Distribution({ network, search, onFilter, onTable }: Props) {
  const profile = useProfile()
  const offered = useOffers('getValidatorDistribution')
  const query = useQuery({ ...validatorDistributionQuery(network), enabled: offered })
  if (!offered)
    return (
      <p className="pb-3 text-xs text-muted">
        {profile?.name} does not offer the distribution of stake and uptime.
      </p>
    )
  const { data } = query
  // The list below says so.
  if (data?.validatorCount === 0) return null
  const stake = data && stakeBins(data)
  const uptime = data && uptimeBins(data)
  const every = stake && stake.length > 12 ? 3 : 1
  const menuOf = (name: DistributionName): ReactNode =>
    data && (
      <DistributionMenu
        name={name}
        title={validatorSpreadCharts[name].title}
        network={network}
        data={data}
        table={search.table === name}
        onTable={(open) => onTable({ table: open ? name : '' })}
      />
    )
  return (
    <div className="mb-4 grid min-h-40 gap-x-10 gap-y-4 max-md:min-h-90 md:grid-cols-2">
      {query.error && !data ? (
        <div className="md:col-span-2">
          <Failed title="The distribution of stake and uptime could not be loaded." query={query} />
        </div>
      ) : (
        <>
          <Picture
            title="Stake, AVAX"
            menu={menuOf('stake')}
            note={
              <>
                <Swatch index={0}>validators</Swatch>
                <Swatch index={1}>share of stake</Swatch>
              </>
            }
          >
            {stake === undefined ? (
              <Skeleton height={PLOT + 38} />
            ) : data && search.table === 'stake' ? (
              <DistributionTable name="stake" title={validatorSpreadCharts.stake.title} data={data} />
            ) : (
              <ul aria-label={validatorSpreadCharts.stake.title} className="flex gap-1">
                {stake.map((bin, index) => (
                  <li key={bin.key} className={column} title={bin.words}>
                    <span className="sr-only">{bin.words}</span>
                    <span aria-hidden="true" className={column}>
                      <BinColumn bin={bin} labelled={index % every === 0} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Picture>
          <Picture
            title="Uptime, %"
            menu={menuOf('uptime')}
            note={
              // In its place before the figures are, or it would push them down on a phone.
              <span className={data ? '' : 'invisible'}>
                as measured by this node
                {data !== undefined &&
                  data.unsampledCount > 0 &&
                  `; ${formatInteger(data.unsampledCount)} ${plural(data.unsampledCount, 'validator')} not sampled`}
              </span>
            }
          >
            {uptime === undefined ? (
              <Skeleton height={PLOT + 38} />
            ) : data && search.table === 'uptime' ? (
              <DistributionTable name="uptime" title={validatorSpreadCharts.uptime.title} data={data} />
            ) : (
              <UptimeBins bins={uptime} search={search} onFilter={onFilter} />
            )}
          </Picture>
        </>
      )}
    </div>
  )
}
