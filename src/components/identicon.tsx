import { useMemo } from 'react'

function hashOf(text: string): number {
  let hash = 2166136261
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 16777619)
  return hash >>> 0
}

/** A small mirrored pattern derived from an address, as a second way to distinguish addresses. */
export function Identicon({ value, size = 14 }: { value: string; size?: number }) {
  const { path, hue } = useMemo(() => {
    const key = value.toLowerCase()
    const cells = hashOf(key)
    let d = ''
    for (let row = 0; row < 5; row += 1)
      for (let column = 0; column < 3; column += 1)
        if ((cells >>> (row * 3 + column)) & 1) {
          d += `M${column} ${row}h1v1h-1z`
          if (column < 2) d += `M${4 - column} ${row}h1v1h-1z`
        }
    return { path: d, hue: hashOf(`${key}/hue`) % 360 }
  }, [value])
  return (
    <svg
      viewBox="0 0 5 5"
      width={size}
      height={size}
      aria-hidden="true"
      shapeRendering="crispEdges"
      className="shrink-0 rounded-[2px] bg-hover"
      fill={`light-dark(oklch(0.55 0.13 ${hue}), oklch(0.75 0.13 ${hue}))`}
    >
      <path d={path} />
    </svg>
  )
}
