import { useMemo, type ReactNode } from 'react'
import { endLabelShapes } from '../../../charts/end-labels.ts'
import type { PlotProps } from '../../../charts/plot.ts'
import { Shapes } from './shapes.tsx'

/** Names at the line ends, moved apart so that they do not overlap; they replace a legend. */
export function EndLabels({ plot }: { plot: PlotProps }): ReactNode {
  const shapes = useMemo(() => endLabelShapes(plot), [plot])
  return <Shapes shapes={shapes} />
}
