import { dash } from '../../../components/table/column-kinds.tsx'

/** A part of a whole in percent, in figures and as a bar; the figure alone says it to a screen reader. */
export function ShareBar({ share }: { share: number | undefined }) {
  if (share === undefined) return dash
  const text = share >= 0.01 ? share.toFixed(2) : share > 0 ? '< 0.01' : '0'
  return (
    <span className="inline-flex items-center justify-end gap-2" title={`${share} % of the supply`}>
      <span>{text} %</span>
      <span className="h-1.5 w-10 overflow-hidden rounded-full bg-hover" aria-hidden="true">
        <span
          className="block h-full rounded-full bg-series-1"
          style={{ width: `${Math.min(100, Math.max(share > 0 ? 1.5 : 0, share))}%` }}
        />
      </span>
    </span>
  )
}
