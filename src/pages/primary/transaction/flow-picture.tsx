import { useMemo, useState } from 'react'
import type { NetworkName } from '../../../api/current.ts'
import { AssetAmount, assetText, type Asset } from '../../../components/asset-amount.tsx'
import { Button } from '../../../components/controls.tsx'
import { WalletAddress } from '../../../components/wallet-address.tsx'
import { useNarrow } from '../../../components/hooks.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { seriesColour } from '../../../../charts/palette.ts'
import { plural } from '../../../lib/text.ts'
import { foldEnds, ribbonsOf, type Flow, type FlowEnd } from './flow.ts'

/** The height of one end in px; narrow ends have two more lines for text that does not fit. */
const rowHeights = { wide: 52, narrow: 76 } as const
const few = 10
const many = 250

const words = {
  burned: 'Burned as fee',
  l1Balance: 'To L1 validators',
  issued: 'Newly issued',
} as const

function Party({ end, network, narrow }: { end: FlowEnd; network: NetworkName; narrow: boolean }) {
  const { party } = end
  if (party.kind === 'more')
    return (
      <span className="text-muted">
        {formatInteger(party.count)} more {plural(party.count, 'owner')}
      </span>
    )
  if (party.kind !== 'owners') return <span className="truncate">{words[party.kind]}</span>
  const [first, ...others] = party.addresses
  if (first === undefined) return <span className="text-muted">Nobody</span>
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <WalletAddress address={first} network={network} small={narrow} />
      {others.length > 0 && (
        <span className="text-xs text-muted" title={party.addresses.join(', ')}>
          {party.threshold} of {party.addresses.length}
        </span>
      )}
    </span>
  )
}

type SideProps = {
  side: 'left' | 'right'
  ends: readonly FlowEnd[]
  assets: readonly Asset[]
  network: NetworkName
  rowHeight: number
  height: number
  active: string | undefined
  onActive: (key: string | undefined) => void
}

/** The ends of one side. Their links are focusable; hovering an end highlights its ribbon. */
function Side({ side, ends, assets, network, rowHeight, height, active, onActive }: SideProps) {
  const right = side === 'right'
  const narrow = useNarrow()
  return (
    <ul
      aria-label={right ? 'To' : 'From'}
      className="flex min-w-0 flex-col justify-center"
      style={{ minHeight: height }}
    >
      {ends.map((end) => {
        const key = `${side}:${end.key}`
        return (
          // Hovering only highlights the ribbon; the link inside handles keys.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <li
            key={key}
            style={{ height: rowHeight }}
            className={`flex min-w-0 flex-col justify-center gap-0.5 overflow-hidden border-line px-1 md:px-2 ${
              right ? 'border-l-2' : 'items-end border-r-2 text-right'
            } ${active === key ? 'bg-hover' : ''}`}
            onPointerEnter={() => onActive(key)}
            onPointerLeave={() => onActive(undefined)}
            onFocus={() => onActive(key)}
            onBlur={() => onActive(undefined)}
          >
            <span className="flex max-w-full min-w-0 overflow-hidden">
              <Party end={end} network={network} narrow={narrow} />
            </span>
            <span
              className={`flex max-w-full min-w-0 flex-wrap items-center gap-x-1.5 overflow-hidden text-xs ${
                right ? '' : 'justify-end'
              }`}
            >
              {assets.length > 1 && (
                <span
                  aria-hidden="true"
                  className="size-2 shrink-0 rounded-full"
                  style={{
                    background: seriesColour(assets.findIndex((one) => one.assetId === end.asset.assetId)),
                  }}
                />
              )}
              <AssetAmount
                asset={{ ...end.asset, amount: end.amount.toString() }}
                max={narrow ? 3 : 6}
                wraps
              />
              {end.utxoCount > 1 && (
                <span className="whitespace-nowrap text-muted">{formatInteger(end.utxoCount)} UTXOs</span>
              )}
              {end.tags.map((tag) => (
                <span key={tag} className="rounded-small bg-hover px-1 whitespace-nowrap text-muted">
                  {tag}
                </span>
              ))}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function Ribbons({
  side,
  ends,
  assets,
  rowHeight,
  height,
  bar,
  active,
}: Omit<SideProps, 'network' | 'onActive'> & { bar: number }) {
  const ribbons = useMemo(
    () => ribbonsOf(ends, assets, { rowHeight, height, bar, side }),
    [ends, assets, rowHeight, height, bar, side],
  )
  return (
    <svg
      viewBox={`0 0 100 ${height}`}
      preserveAspectRatio="none"
      width="100%"
      height={height}
      aria-hidden="true"
    >
      {ribbons.map(({ key, path, asset }) => (
        <path
          key={key}
          d={path}
          fill={seriesColour(asset)}
          fillOpacity={active === undefined ? 0.42 : active === `${side}:${key}` ? 0.85 : 0.15}
        />
      ))}
    </svg>
  )
}

/**
 * The flow of a transaction as a picture: owners on the left, the transaction as a bar, owners on the right, and
 * ribbons as wide as their share of each asset. Long sides are folded.
 */
export function FlowPicture({ flow, network, label }: { flow: Flow; network: NetworkName; label: string }) {
  const [whole, setWhole] = useState(false)
  const [active, setActive] = useState<string>()
  const narrow = useNarrow()
  const max = whole ? many : few
  const left = useMemo(() => foldEnds(flow.inputs, max), [flow, max])
  const right = useMemo(() => foldEnds(flow.outputs, max), [flow, max])
  const foldable = Math.max(flow.inputs.length, flow.outputs.length) > few
  const rowHeight = narrow ? rowHeights.narrow : rowHeights.wide
  const height = Math.max(1, left.length, right.length) * rowHeight
  const bar = Math.min(height - 8, Math.max(44, Math.min(220, height * 0.7)))
  const shared = { assets: flow.assets, rowHeight, height, active }
  return (
    <figure aria-label={`Flow of ${label}`} className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1 text-muted">
        <span>
          {formatInteger(flow.inputs.length)} {plural(flow.inputs.length, 'source')},{' '}
          {formatInteger(flow.outputs.length)} {plural(flow.outputs.length, 'target')}; the width of a ribbon
          is its share
          {flow.assets.length > 1 && ' of its asset'}
        </span>
        {foldable && (
          <Button small aria-pressed={whole} onClick={() => setWhole((now) => !now)}>
            {whole ? 'Fold' : 'Unfold all'}
          </Button>
        )}
      </figcaption>
      <div
        className={`grid items-stretch ${
          narrow
            ? 'grid-cols-[minmax(0,1fr)_20px_8px_20px_minmax(0,1fr)]'
            : 'grid-cols-[minmax(0,1fr)_14%_12px_14%_minmax(0,1fr)]'
        }`}
      >
        <Side side="left" ends={left} network={network} onActive={setActive} {...shared} />
        <Ribbons side="left" ends={left} bar={bar} {...shared} />
        <span className="flex items-center">
          <span className="block w-full rounded-small bg-line-strong" style={{ height: bar }} />
        </span>
        <Ribbons side="right" ends={right} bar={bar} {...shared} />
        <Side side="right" ends={right} network={network} onActive={setActive} {...shared} />
      </div>
      {flow.assets.length > 1 && (
        <ul aria-label="Assets" className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {flow.assets.map((asset, index) => (
            <li key={asset.assetId} className="flex items-center gap-1.5">
              <span
                aria-hidden="true"
                className="size-2 rounded-full"
                style={{ background: seriesColour(index) }}
              />
              <span title={asset.assetId}>{assetText({ ...asset, amount: '0' }).replace(/^0 /, '')}</span>
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}
