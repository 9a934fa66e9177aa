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
