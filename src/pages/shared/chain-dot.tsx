import { seriesColour } from '../../../charts/palette.ts'

/** A chain's colour as a dot, the same on every page. */
export function ChainDot({ index }: { index: number }) {
  // No style attribute: the content security policy allows none in a document.
  return (
    <svg viewBox="0 0 10 10" aria-hidden="true" className="inline-block size-2.5 shrink-0">
      <circle cx={5} cy={5} r={5} fill={seriesColour(index)} />
    </svg>
  )
}
