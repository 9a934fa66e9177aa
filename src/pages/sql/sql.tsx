import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { exampleChain, sqlExamples } from '../../../contract/sql/examples.ts'
import { useCurrentChain } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { runStatement, sqlTablesQuery, type SqlTables } from '../../api/sql/sql.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { useStore } from '../../components/hooks.ts'
import { lazy } from '../../components/lazy.ts'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { LazyPart } from '../../components/part.tsx'
import { Skeleton, SkeletonRows } from '../../components/skeleton.tsx'
import { useRequest } from '../../components/use-request.ts'
import { useSearchState } from '../../components/use-search-state.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { rememberSql, sqlHistory } from '../../lib/storage/sql-history.ts'
import { Failed } from '../shared/failed.tsx'
import { Button } from '../../components/controls.tsx'
import { Result } from './result.tsx'
import { SchemaList } from './schema-list.tsx'

const Editor = lazy(() => import('./editor.tsx'), 'Editor')
const noTables: SqlTables['tables'] = []
const hint = 'One SELECT in DuckDB’s SQL. Ctrl Enter runs it; Tab completes a word.'

/** The tables, for the browser and the completions. */
export function loader(): null {
  void queryClient.prefetchQuery(sqlTablesQuery)
  return null
}

const schema = z.object({
  /** The statement, so that a link carries it. */
  q: z.catch(z.string().check(z.maxLength(20_000)), ''),
  view: z.catch(z.enum(['table', 'chart']), 'table'),
})

/** The examples, about the first chain of the service. */
function useExamples(): readonly Offer[] {
  const { chains } = useCurrentChain()
  const chain = chains?.[0]?.chainId
  return useMemo(
    () =>
      sqlExamples.map(({ question, sql }) => ({
        key: question,
        text: question,
        sql: chain === undefined ? sql : sql.replaceAll(exampleChain, chain),
      })),
    [chain],
  )
}

/** Questions to the chains in SQL: a statement, its result, the tables, examples and what was asked before. */
export function Component() {
  const [{ q, view }, change] = useSearchState(schema)
  const examples = useExamples()
  const [edited, setDraft] = useState(q || undefined)
  const draft = edited ?? examples[0]?.sql ?? ''
  const tables = useQuery(sqlTablesQuery)
  const request = useRequest(async (sql: string, signal) => ({
    sql,
    result: await runStatement(sql, signal),
  }))
  const { mutate } = request
  const run = (sql: string): void => {
    if (sql.trim() === '') return
    setDraft(sql)
    change({ q: sql }, { push: true })
    rememberSql(sql, Math.floor(Date.now() / 1_000))
    mutate(sql)
  }
  // A link that carries a statement shows its result.
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current) return
    opened.current = true
    if (q !== '') mutate(q)
  }, [q, mutate])
  const link = paths.sql({ q: draft, view: view === 'chart' ? view : undefined })
  return (
    <>
      <PageTitle
        document="SQL"
        heading="SQL"
        actions={
          <Link to={paths.api({ op: 'runSql' })} className="control min-w-16">
            API
          </Link>
        }
      />
      <p className="max-w-[80ch] pb-4 text-muted">
        Ask the chains in SQL: blocks, transactions, logs, token transfers, decoded events, stakes and
        metrics, up to the newest block. <Limits limits={tables.data?.limits} />
      </p>
      <div className="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_280px]">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="flex min-w-0 flex-col gap-1">
            <LazyPart title="The editor" fallback={<Skeleton height={224} />}>
              <Editor
                value={draft}
                tables={tables.data?.tables ?? noTables}
                onChange={setDraft}
                onRun={() => run(draft)}
                description={hint}
              />
            </LazyPart>
            <p className="text-xs text-muted">{hint}</p>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <Button disabled={request.isPending} onClick={() => run(draft)}>
              Run
            </Button>
            {request.isPending && <Button onClick={request.cancel}>Cancel</Button>}
            <span className="flex items-center gap-1 text-xs text-muted">
              Link <CopyButton text={`${location.origin}${link}`} name="link with the statement" />
            </span>
            <Offers label="Examples" className="max-w-[min(320px,70vw)]" offers={examples} onPick={run} />
            <History onPick={run} />
          </div>
          {request.isPending ? (
            <SkeletonRows count={8} />
          ) : request.error ? (
            <Failed title="The statement failed." error={request.error} />
          ) : (
            request.data && (
              <Result {...request.data} view={view} onView={(next) => change({ view: next })} link={link} />
            )
          )}
        </div>
        <aside aria-label="Tables" className="min-w-0">
          <h2 className="pb-2 font-strong">Tables</h2>
          {tables.isPending ? (
            <Skeleton height={240} />
          ) : tables.error ? (
            <Failed title="The tables could not be loaded." query={tables} />
          ) : (
            <SchemaList
              tables={tables.data.tables}
              onPick={(name) => setDraft(`${draft.trimEnd()} ${name}`)}
            />
          )}
        </aside>
      </div>
    </>
  )
}

/** The limits of a statement; their place is there before they are known. */
function Limits({ limits }: { limits: SqlTables['limits'] | undefined }) {
  return (
    <span className={limits ? '' : 'invisible'}>
      A statement may run for {limits?.seconds ?? 10} s and use{' '}
      {formatInteger(limits?.memoryMegabytes ?? 256)} MB.
    </span>
  )
}

type Offer = { readonly key: string; readonly text: string; readonly sql: string }

/** Statements to choose from; choosing one runs it. */
function Offers({
  label,
  className,
  offers,
  onPick,
}: {
  label: string
  className: string
  offers: readonly Offer[]
  onPick: (sql: string) => void
}) {
  return (
    <select
      aria-label={label}
      className={`field ${className}`}
      value=""
      onChange={(event) => onPick(offers[Number(event.target.value)]?.sql ?? '')}
    >
      <option value="" disabled>
        {label}
      </option>
      {offers.map(({ key, text }, index) => (
        <option key={key} value={index}>
          {text}
        </option>
      ))}
    </select>
  )
}

/** What was asked in this browser. */
function History({ onPick }: { onPick: (sql: string) => void }) {
  const offers = useStore(sqlHistory).map(({ sql, at }): Offer => ({
    key: `${at} ${sql}`,
    text: sql.replaceAll(/\s+/g, ' ').slice(0, 80),
    sql,
  }))
  if (offers.length === 0) return null
  return <Offers label="History" className="max-w-[200px]" offers={offers} onPick={onPick} />
}
