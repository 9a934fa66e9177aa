import { seriesColour } from '../../../charts/palette.ts'

/** A chain's colour as a dot, the same on every page. */
export function ChainDot({ index }: { index: number }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-2.5 shrink-0 rounded-full"
      style={{ background: seriesColour(index) }}
    />
  )
}
