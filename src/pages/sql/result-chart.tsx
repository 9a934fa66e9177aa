import { useState } from 'react'
import { Chart } from '../../components/charts/chart.tsx'
import { useNow } from '../../components/hooks.ts'
import { LargeMarks } from '../../components/charts/large-marks.tsx'
import type { TimeChart } from './time-series.ts'

/** A result over time. */
export function ResultChart({ chart, link }: { chart: TimeChart; link: string }) {
  const [table, setTable] = useState(false)
  const now = useNow(60)
  return (
    <Chart
      id="sql"
      name="Result"
      heading={<h2 className="sr-only">Chart</h2>}
      {...chart}
      now={now}
      sum={false}
      zero
      height={320}
      marks={LargeMarks}
      endLabels
      link={link}
      table={table}
      onTable={setTable}
    />
  )
}
