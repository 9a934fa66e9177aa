import { useMemo } from 'react'
import type { SqlFormat } from '../../../contract/sql/sql.ts'
import { statementFile, type SqlResult } from '../../api/sql/sql.ts'
import { DownloadIcon } from '../../components/icons.ts'
import { Boundary } from '../../components/part.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useRequest } from '../../components/use-request.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { download } from '../../lib/download.ts'
import { Button } from '../../components/controls.tsx'
import { ResultTable } from './result-table.tsx'
import { timeChart } from './time-series.ts'
import { ResultChart } from './result-chart.tsx'

type Props = {
  /** The statement of the result. */
  sql: string
  result: SqlResult
  link: string
}

/** The most columns of a table that has room beside its chart. */
const maxBeside = 4

/** The endings of files; `.arrows` is that of Arrow's stream, whose file format is another. */
const endings = { csv: 'csv', json: 'json', arrow: 'arrows', parquet: 'parquet' } as const satisfies Record<
  SqlFormat,
  string
>
const formats = Object.keys(endings) as SqlFormat[]

/** Saves the whole answer, which the service computes again without the page's limit. */
function Downloads({ sql }: { sql: string }) {
  const saving = useRequest(async (format: SqlFormat, signal) => {
    download(`result.${endings[format]}`, '', [await statementFile(sql, format, signal)])
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {formats.map((format) => (
        <Button
          key={format}
          small
          disabled={saving.isPending}
          aria-label={`Download as ${format}`}
          onClick={() => saving.mutate(format)}
        >
          <DownloadIcon size={14} />
          {format}
        </Button>
      ))}
      {saving.isPending && (
        <Button small onClick={saving.cancel}>
          Cancel
        </Button>
      )}
      {saving.error && (
        <span role="alert" className="text-xs text-bad">
          {saving.error.message}
        </span>
      )}
    </div>
  )
}

/** The result of a statement: a table and, where it has times, a chart beside it; else why there is none. */
export function Result({ sql, result, link }: Props) {
  const charted = useMemo(() => timeChart(result), [result])
  const { rowCount, isTruncated, elapsedMilliseconds, failure, notKept } = result
  const summary = `${isTruncated ? 'The first ' : ''}${formatInteger(rowCount)} ${rowCount === 1 ? 'row' : 'rows'} in ${(elapsedMilliseconds / 1_000).toFixed(2)} s`
  const table =
    rowCount === 0 ? (
      <EmptyState title="No rows">The statement ran and found nothing.</EmptyState>
    ) : (
      <ResultTable result={result} more={<Downloads sql={sql} />} />
    )
  return (
    <section aria-label="Result" className="flex min-w-0 flex-col gap-2">
      <output className="text-xs text-muted">
        {summary}
        {isTruncated &&
          failure === undefined &&
          '; a download has all of them, up to the limit of the service'}
      </output>
      {failure !== undefined && (
        <p role="alert" className="text-bad">
          Not all rows are here: {failure}.
        </p>
      )}
      {notKept?.map(({ table, chain, from }) => (
        <p key={`${table} ${chain}`} className="text-warn">
          {table} of chain {chain}: rows before block {formatInteger(from)} are not kept here.
        </p>
      ))}
      {'chart' in charted ? (
        <div
          className={`grid min-w-0 grid-cols-1 gap-6 ${result.columns.length <= maxBeside ? 'xl:grid-cols-2' : ''}`}
        >
          <Boundary title="The chart">
            <ResultChart chart={charted.chart} link={link} />
          </Boundary>
          <div className="min-w-0">{table}</div>
        </div>
      ) : (
        <>
          {rowCount > 0 && <p className="text-xs text-muted">{charted.why}</p>}
          {table}
        </>
      )}
    </section>
  )
}
