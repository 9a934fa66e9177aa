import { decimalsOf } from '../../../../protocol/evm/token-units.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useHref } from 'react-router'
import { Bar, BarChart, LabelList, Rectangle, XAxis, YAxis, type LabelProps } from 'recharts'
import * as z from 'zod/mini'
import { tokenSpreadChart } from '../../../../contract/pictures/charts.ts'
import type { ChainFacts } from '../../../api/current.ts'
import { distributionQuery, kindOf, type TokenDetails } from '../../../api/tokens/tokens.ts'
import { ChartMenu } from '../../../components/charts/chart-menu.tsx'
import { useWidth } from '../../../components/charts/use-width.ts'
import { Figures } from '../../../components/figures.tsx'
import { Section } from '../../../components/section.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { readableName } from '../../../components/tokens/token-name.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { exactAmount, formatAmount, formatInteger, formatNumber, plainAmount } from '../../../lib/amounts.ts'
import { csvCell } from '../../../lib/export.ts'
import { inSentence, plural } from '../../../lib/text.ts'
import { paths } from '../../../lib/paths.ts'
import { useEmbedCopies } from '../../embed/embed-copies.ts'
import { Failed } from '../../shared/failed.tsx'
import { bandsOf, joinEmptyBands, type Band } from '../../../../charts/spread/bands.ts'

const searchSchema = z.object({ table: z.catch(z.string().check(z.maxLength(40)), '') })
const TABLE = 'bands'

const ROW = 58
const BAR = 10
/** Room behind the bars for the longest figure, “100 % · 1,234,567 holders”. */
const FIGURES = 200

/** A part in percent; a small one of something never reads as nothing. */
const share = (percent: number, of: string): string =>
  of !== '0' && percent < 0.01 ? '< 0.01 %' : `${formatNumber(percent)} %`

type DrawingProps = { bands: readonly Band[]; width: number; unit: string; decimals: number }

/** The figure behind a bar, as recharts' LabelList draws it. */
const figure =
  (x: number) =>
  ({ y, height, value }: LabelProps) => (
    <text x={x} y={Number(y) + Number(height) - 1} fontSize={12} fill="var(--color-text)">
      {value}
    </text>
  )

/** The name of a band above its bars, as recharts' axis draws it. */
function BandName({ y, payload }: { y?: number; payload?: { value: string } }) {
  return (
    <text x={0} y={(y ?? 0) - 17} fontSize={12} fill="var(--color-muted)">
      {payload?.value}
    </text>
  )
}

/** Two bars a band on one axis from 0 to 100 %: its part of all holders, and of all that is held. */
function Bars({ bands, width, unit, decimals }: DrawingProps) {
  const room = Math.max(60, width - FIGURES)
  const rows = bands.map((band) => ({
    ...band,
    // Of the longest names, a phone has no room for the unit.
    label: `${band.from} to below ${band.below}${width < 320 ? '' : unit}`,
    holders: `${share(band.holderShare, band.holderCount)} · ${formatInteger(band.holderCount)} ${plural(band.holderCount, 'holder')}`,
    holding: `${share(band.heldShare, band.held)} · ${formatAmount(band.held, decimals, 2)}`,
  }))
  const bar = {
    barSize: BAR,
    // A shape of its own keeps the background and the figure of a part that is 0.
    shape: <Rectangle radius={2} />,
    background: { fill: 'var(--color-hover)', radius: 2 },
    // A small part stays visible.
    minPointSize: (value: unknown) => (Number(value) > 0 ? 2 : 0),
    isAnimationActive: false,
    activeBar: false,
  } as const
  return (
    <BarChart
      layout="vertical"
      width={width}
      height={rows.length * ROW}
      margin={{ top: 0, right: width - room, bottom: 0, left: 0 }}
      barGap={4}
      data={rows}
      accessibilityLayer={false}
    >
      <XAxis type="number" domain={[0, 100]} hide />
      <YAxis
        type="category"
        dataKey="label"
        width={1}
        interval={0}
        axisLine={false}
        tickLine={false}
        tick={<BandName />}
      />
      <Bar {...bar} dataKey="holderShare" fill="var(--color-series-1)">
        <LabelList dataKey="holders" content={figure(room + 8)} />
      </Bar>
      <Bar {...bar} dataKey="heldShare" fill="var(--color-series-2)">
        <LabelList dataKey="holding" content={figure(room + 8)} />
      </Bar>
    </BarChart>
  )
}

function BandTable({ bands, unit, decimals }: Omit<DrawingProps, 'width'>) {
  // Aligned to the left like the names of the rows below it.
  const head = 'border-b border-line px-3 py-2 text-right text-xs font-strong first:pl-0 first:text-left'
  const cell = 'px-3 py-1.5 text-right whitespace-nowrap'
  return (
    <section
      aria-label="Bands of balances"
      // A part that scrolls must be reachable by keys, or its right columns are not.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="overflow-x-auto"
    >
      <table className="w-full border-collapse">
        <caption className="sr-only">Holders and holdings by the size of a balance</caption>
        <thead>
          <tr>
            {[`Balance${unit}`, 'Holders', 'Of holders', `Held${unit}`, 'Of all held'].map((text) => (
              <th key={text} scope="col" className={head}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bands.map((band) => (
            <tr key={band.digits} className="border-b border-line">
              <th scope="row" className="py-1.5 text-left font-normal">
                {/* The next row has the upper end: on a phone it would take the room of the figures. */}
                <span className="md:hidden">from </span>
                {band.from}
                <span className="max-md:hidden"> to below {band.below}</span>
              </th>
              <td className={cell}>{formatInteger(band.holderCount)}</td>
              <td className={cell}>{share(band.holderShare, band.holderCount)}</td>
              <td className={cell}>{exactAmount(band.held, decimals)}</td>
              <td className={cell}>{share(band.heldShare, band.held)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function csvOf(bands: readonly Band[], decimals: number): string {
  const heading = ['From', 'Below', 'Holders', 'Of holders, %', 'Held', 'Of all held, %']
  const rows = bands.map((band) => [
    plainAmount(10n ** BigInt(band.digits - 1), decimals),
    plainAmount(10n ** BigInt(band.digits), decimals),
    band.holderCount,
    String(band.holderShare),
    plainAmount(band.held, decimals),
    String(band.heldShare),
  ])
  return [heading, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')
}

function Legend() {
  const entries = [
    { colour: 'var(--color-series-1)', text: 'part of all holders' },
    { colour: 'var(--color-series-2)', text: 'part of all that is held' },
  ]
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {entries.map(({ colour, text }) => (
        <li key={text} className="flex items-center gap-1.5">
          <span className="h-[3px] w-3 rounded-[2px]" style={{ background: colour }} />
          {text}
        </li>
      ))}
    </ul>
  )
}

/** How the holdings of a token are spread: the largest holders' shares, and bands by the size of a balance. */
export function SpreadTab({ token, chain }: { token: TokenDetails; chain: ChainFacts }) {
  const query = useQuery(distributionQuery(chain.chainId, kindOf(token)))
  const [{ table }, setSearch] = useSearchState(searchSchema)
  const { ref, width } = useWidth()
  const drawing = useRef<HTMLDivElement>(null)
  const link = useHref(paths.token(chain.chainId, token.address, { tab: 'distribution' }))
  const known = decimalsOf(token)
  const decimals = known ?? 0
  const data = query.data
  const { ercType } = kindOf(token)
  const copies = useEmbedCopies(
    'getTokenDistributionPicture',
    `${paths.token(chain.chainId, token.address)}/distribution`,
    new URLSearchParams(ercType === undefined ? {} : { ercType }),
    `${readableName(token.name, 40) || 'Token'}, ${inSentence(tokenSpreadChart.title)}`,
  )
  const bands = useMemo(() => (data ? bandsOf(data.bands, data, decimals) : []), [data, decimals])

  if (query.error && !data) return <Failed title="The distribution could not be loaded." query={query} />
  if (!data) return <SkeletonRows count={14} />
  if (bands.length === 0)
    return (
      <EmptyState title={tokenSpreadChart.empty}>
        No balance is above zero, so there is no distribution to show.
      </EmptyState>
    )
  const symbol = token.ercType === 'ERC-20' ? readableName(token.symbol, 16) : ''
  const unit = known === undefined ? ' smallest units' : symbol === '' ? '' : ` ${symbol}`
  const name = `${readableName(token.name, 40) || 'Token'}, distribution of balances`
  const shown = table === TABLE
  const drawn = joinEmptyBands(bands)
  return (
    <div className="flex flex-col gap-6">
      <Figures
        label="Shares of the largest holders"
        figures={data.top.map((top) => ({
          label: `Largest ${formatInteger(top.holders)} ${plural(top.holders, 'holder')}`,
          value: `${formatNumber(top.share)} %`,
          note: 'of all that is held',
        }))}
      />
      <Section
        title="By the size of a balance"
        actions={
          <ChartMenu
            name={name}
            file={[name]}
            csv={() => csvOf(bands, decimals)}
            picture={() => {
              const svg = drawing.current?.querySelector('svg')
              return svg == null ? null : { svg, note: 'blue: part of holders · other: part of holdings' }
            }}
            copies={copies}
            link={`${link}${shown ? `&table=${TABLE}` : ''}`}
            table={shown}
            onTable={(open) => setSearch({ table: open ? TABLE : '' })}
          />
        }
      >
        {shown ? (
          <BandTable bands={bands} unit={unit === '' ? '' : `,${unit}`} decimals={decimals} />
        ) : (
          <figure className="m-0 flex flex-col gap-3" aria-label={name}>
            <Legend />
            <div ref={ref} style={{ minHeight: drawn.length * ROW }}>
              <div ref={drawing}>
                {width > 0 && <Bars bands={drawn} width={width} unit={unit} decimals={decimals} />}
              </div>
            </div>
          </figure>
        )}
      </Section>
    </div>
  )
}
