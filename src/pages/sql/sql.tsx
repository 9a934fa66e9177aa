import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import * as z from 'zod/mini'
import { titleOf } from '../../../contract/pages.ts'
import { exampleChain, sqlExamples } from '../../../contract/sql/examples.ts'
import { useCurrentChain } from '../../api/current.ts'
import { queryClient } from '../../api/query-client.ts'
import { runStatement, sqlTablesQuery, type SqlTables } from '../../api/sql/sql.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Disclosure } from '../../components/disclosure.tsx'
import { lazy } from '../../components/lazy.ts'
import { Link } from '../../components/link.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { useLatest } from '../../components/hooks.ts'
import { LazyPart } from '../../components/part.tsx'
import { Skeleton, SkeletonRows } from '../../components/skeleton.tsx'
import { useRequest } from '../../components/use-request.ts'
import { useSearchState } from '../../components/use-search-state.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { pageOrigin } from '../../lib/place.ts'
import { rememberSql } from '../../lib/storage/sql-history.ts'
import { Choice } from '../shared/choice.tsx'
import { Failed } from '../shared/failed.tsx'
import { Button } from '../../components/controls.tsx'
import { explainError } from './explain-error.ts'
import { Examples, Mine, SaveForm, type Question } from './questions.tsx'
import { Result } from './result.tsx'
import { SchemaList } from './schema-list.tsx'

const Editor = lazy(() => import('./editor.tsx'), 'Editor')
const noTables: SqlTables['tables'] = []
const hint = 'One SELECT in DuckDB’s SQL.'

/** The tables, for the browser and the completions. */
export function loader(): null {
  void queryClient.prefetchQuery(sqlTablesQuery)
  return null
}

const schema = z.object({
  /** The statement, so that a link carries it. */
  q: z.catch(z.string().check(z.maxLength(20_000)), ''),
})

const asides = [
  { id: 'examples', label: 'Examples' },
  { id: 'mine', label: 'Saved' },
  { id: 'tables', label: 'Tables' },
] as const
type AsideId = (typeof asides)[number]['id']

/** The examples, about the first chain of the service; undefined until it is known. */
function useExamples(): readonly Question[] | undefined {
  const { chains } = useCurrentChain()
  const chain = chains?.[0]?.chainId
  return useMemo(
    () =>
      chains &&
      sqlExamples.map(({ question, sql }) => ({
        key: question,
        text: question,
        sql: chain === undefined ? sql : sql.replaceAll(exampleChain, chain),
      })),
    [chains, chain],
  )
}

/** Questions to the chains in SQL: a statement and its result; examples, saved statements and the tables beside them. */
export function Component() {
  const [{ q }, change] = useSearchState(schema)
  const examples = useExamples()
  const [edited, setDraft] = useState(q || undefined)
  const draft = edited ?? examples?.[0]?.sql ?? ''
  const [aside, setAside] = useState<AsideId>('examples')
  const [isSaving, setSaving] = useState(false)
  const tables = useQuery(sqlTablesQuery)
  const request = useRequest(async (sql: string, signal) => ({
    sql,
    result: await runStatement(sql, signal),
  }))
  const { mutate, variables, error } = request
  const explained = useMemo(
    () =>
      error && variables !== undefined
        ? explainError(error.message, variables, tables.data?.tables ?? [])
        : undefined,
    [error, variables, tables.data],
  )
  const ask = useLatest((sql: string): void =>
    mutate(sql, {
      onError: (failed) => {
        const { tables: about } = explainError(failed.message, sql, tables.data?.tables ?? [])
        if (about.length > 0) setAside('tables')
      },
    }),
  )
  const run = (sql: string): void => {
    if (sql.trim() === '') return
    setDraft(sql)
    change({ q: sql }, { push: true })
    rememberSql(sql, Math.floor(Date.now() / 1_000))
    ask.current(sql)
  }
  // A link that carries a statement shows its result; without one, the first example is answered already. The tables
  // are known by then, so that a mistake can be explained.
  const [isOpened, setOpened] = useState(false)
  const first = q === '' ? examples?.[0]?.sql : q
  const knowsTables = !tables.isPending
  useEffect(() => {
    if (isOpened || first === undefined || !knowsTables) return
    // oxlint-disable-next-line react/set-state-in-effect -- a request starts with it
    setOpened(true)
    ask.current(first)
  }, [isOpened, first, knowsTables, ask])
  const link = paths.sql({ q: draft })
  return (
    <>
      <PageTitle
        document={titleOf('sql')}
        heading="SQL"
        actions={
          <Link to={`${paths.docs()}#/SQL/runSql`} className="control min-w-16">
            API
          </Link>
        }
      />
      <div className="grid min-w-0 gap-6 lg:grid-cols-[minmax(0,1fr)_280px]">
        <div className="flex min-w-0 flex-col gap-4">
          <div className="flex min-w-0 flex-col gap-1">
            <LazyPart title="The editor" fallback={<Skeleton height={176} />}>
              <Editor
                value={draft}
                tables={tables.data?.tables ?? noTables}
                onChange={setDraft}
                onRun={() => run(draft)}
                description={`${hint} Ctrl Enter runs it; Tab completes a word.`}
                mark={explained && variables === draft ? explained.mark : undefined}
              />
            </LazyPart>
            <p className="text-xs text-muted pointer-coarse:hidden">
              {hint} <Limits limits={tables.data?.limits} />
            </p>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            <Button
              className={`px-5 ${request.isPending ? '' : 'border-accent bg-accent text-on-accent'}`}
              disabled={request.isPending}
              onClick={() => run(draft)}
            >
              Run
            </Button>
            {request.isPending && <Button onClick={request.cancel}>Cancel</Button>}
            {isSaving ? (
              <SaveForm
                sql={draft}
                onDone={() => {
                  setSaving(false)
                  setAside('mine')
                }}
              />
            ) : (
              <Button onClick={() => setSaving(true)}>Save</Button>
            )}
            <span className="flex items-center gap-1 text-xs text-muted">
              Link <CopyButton text={`${pageOrigin()}${link}`} name="link with the statement" />
            </span>
          </div>
        </div>
        <aside
          aria-label="Questions and tables"
          className="flex min-w-0 flex-col gap-3 overflow-y-auto max-lg:max-h-72 lg:h-72"
        >
          <Choice label="What to show" options={asides} current={aside} onChange={setAside} />
          {aside === 'examples' ? (
            <Examples examples={examples ?? []} current={draft} onPick={run} />
          ) : aside === 'mine' ? (
            <Mine current={draft} onPick={run} />
          ) : tables.isPending ? (
            <Skeleton height={240} />
          ) : tables.error ? (
            <Failed title="The tables could not be loaded." query={tables} />
          ) : (
            <SchemaList
              tables={tables.data.tables}
              opened={explained ? explained.tables : noNames}
              onPick={(name) => setDraft(`${draft.trimEnd()} ${name}`)}
            />
          )}
        </aside>
      </div>
      <div className="min-w-0 pt-4">
        {request.isPending || (first !== undefined && !isOpened && request.isIdle) ? (
          <SkeletonRows count={8} />
        ) : error && explained?.text !== undefined ? (
          <Mistake text={explained.text} message={error.message} />
        ) : error ? (
          <Failed title="The statement failed." error={error} />
        ) : (
          request.data && <Result {...request.data} link={link} />
        )}
      </div>
    </>
  )
}

const noNames: readonly string[] = []

/** A mistake in the statement: what was meant, and the engine's own words folded below it. */
function Mistake({ text, message }: { text: string; message: string }) {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-base bg-bad-soft px-3 py-2">
      <p className="text-bad">{text}</p>
      <Disclosure look="note" summary="Message of the engine">
        <pre className="overflow-x-auto pt-1 text-mono text-muted">{message}</pre>
      </Disclosure>
    </div>
  )
}

/** The limits of a statement; their place is there before they are known. */
function Limits({ limits }: { limits: SqlTables['limits'] | undefined }) {
  return (
    <span className={limits ? '' : 'invisible'}>
      At most {limits?.seconds ?? 10} s and {formatInteger(limits?.memoryMegabytes ?? 256)} MB.
    </span>
  )
}
