import type { ReactNode } from 'react'

/** A placeholder of the size of the content that is loading. */
export function Skeleton({ width, height = 14 }: { width?: number | string; height?: number | string }) {
  return (
    <span className="skeleton max-w-full" style={{ width: width ?? '100%', height }} aria-hidden="true" />
  )
}

/** Placeholder rows of a list that is loading. */
export function SkeletonRows({ count, height = 36 }: { count: number; height?: number }) {
  return (
    <div aria-busy="true">
      <output className="sr-only">Loading</output>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="flex items-center border-b border-line" style={{ height }}>
          <Skeleton width={`${88 - ((index * 37) % 30)}%`} />
        </div>
      ))}
    </div>
  )
}

/** The place of a large chart with the controls above it, `height` pixels high, while its code and points load. */
export function SkeletonChart({ height }: { height: number }): ReactNode {
  return (
    <div aria-busy="true" className="flex flex-col gap-2" style={{ height }}>
      <output className="sr-only">Loading the chart</output>
      <span className="skeleton h-8 w-72 max-w-full opacity-60" aria-hidden="true" />
      <span className="skeleton flex-1 opacity-60" aria-hidden="true" />
    </div>
  )
}
