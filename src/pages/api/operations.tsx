import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { useProfile } from '../../api/current.ts'
import { ApiError, errorOfAnswer } from '../../api/errors.ts'
import { useMedia } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { Boundary } from '../../components/part.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { plural } from '../../lib/text.ts'
import { paths } from '../../lib/paths.ts'
import { Failed } from '../shared/failed.tsx'
import { KeyForm } from '../shared/key-form.tsx'
import { Input } from '../../components/controls.tsx'
import { grouped, operationsOf, type ApiOperation } from './document.ts'
import { OperationForm } from './operation-form.tsx'

const searchSchema = z.object({
  op: z.catch(z.string().check(z.maxLength(64)), ''),
  find: z.catch(z.string().check(z.maxLength(100)), ''),
})

/** The operations as the service that served this page documents them. */
async function loadOperations(): Promise<ApiOperation[]> {
  let response: Response
  try {
    response = await fetch('/openapi.json', { headers: { accept: 'application/json' } })
  } catch (cause) {
    throw new ApiError('network', 'The service could not be reached.', { name: 'Network', cause })
  }
  if (!response.ok) throw await errorOfAnswer(response, Date.now())
  try {
    return operationsOf(await response.json())
  } catch (cause) {
    throw new ApiError('answer', 'The service sent no readable /openapi.json.', {
      name: 'Unreadable answer',
      cause,
    })
  }
}

export const operationsQuery = queryOptions({
  queryKey: ['openapi'],
  queryFn: loadOperations,
  staleTime: Infinity,
})

type Group = { readonly tag: string; readonly operations: readonly ApiOperation[] }

function OperationList({
  groups,
  count,
  find,
  current,
  missing,
}: {
  groups: readonly Group[]
  /** Of all operations, found or not. */
  count: number
  find: string
  current: string | undefined
  missing: ReadonlySet<string>
}) {
  if (groups.length === 0)
    return <EmptyState title="No matching operations">Search covers names, paths and titles.</EmptyState>
  const found = groups.reduce((sum, { operations: all }) => sum + all.length, 0)
  const list = groups.map(({ tag, operations: all }) => (
    <div key={tag}>
      <h2 className="pt-3 pb-1 text-xs font-normal text-muted">{tag}</h2>
      <ul>
        {all.map(({ id, method, path, summary }) => (
          <li key={id}>
            <Link
              to={paths.api({ op: id, find })}
              aria-current={id === current ? 'true' : undefined}
              title={`${method} ${path}`}
              className={`block rounded-small px-2 py-1 ${id === current ? 'bg-accent-soft text-accent' : 'hover:bg-hover'}`}
            >
              {summary}
              <span className={`block font-mono text-xs break-all ${id === current ? '' : 'text-muted'}`}>
                {method === 'POST' && 'POST '}
                {id}
                {missing.has(id) && ', not offered'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  ))
  return (
    <>
      <output className="block pt-2 text-xs text-muted">
        {formatInteger(found)} of {formatInteger(count)} {plural(count, 'operation')}
      </output>
      {list}
    </>
  )
}

/**
 * Every operation of the contract by tag, and the form of the one that the URL names; without one, that of the first
 * in the list where there is room for both.
 */
export function Operations() {
  const profile = useProfile()
  const [{ op, find }, setSearch] = useSearchState(searchSchema)
  const query = useQuery(operationsQuery)
  const hasRoom = useMedia('(min-width: 1024px)')
  const operations = query.data
  const groups = useMemo(() => grouped(operations ?? [], find), [operations, find])
  const chosen = operations?.find(({ id }) => id === op)
  const operation = chosen ?? (op === '' && hasRoom ? groups[0]?.operations[0] : undefined)
  const missing = useMemo(() => new Set(profile?.missingOperations), [profile])
  if (query.error) return <Failed title="The operations could not be loaded." query={query} />
  if (!operations || !profile) return <SkeletonRows count={14} />
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <details className="border-y border-line">
        <summary className="py-2">API key</summary>
        <div className="pb-3">
          <KeyForm key={profile.id} profile={profile} />
        </div>
      </details>
      <div className="grid min-w-0 grid-cols-1 items-start gap-8 lg:grid-cols-[260px_minmax(0,1fr)]">
        {/* On a narrow page the list makes room for the form, which leads back to it. */}
        <nav
          aria-label="Operations"
          className={`min-w-0 lg:sticky lg:top-16 lg:max-h-[calc(100vh-80px)] lg:overflow-y-auto lg:p-1 ${chosen ? 'max-lg:hidden' : ''}`}
        >
          <Input
            type="search"
            aria-label="Find an operation"
            placeholder="Find by name, path or words"
            className="w-full"
            value={find}
            onChange={(typed) => setSearch({ find: typed })}
          />
          <OperationList
            groups={groups}
            count={operations.length}
            find={find}
            current={operation?.id}
            missing={missing}
          />
        </nav>
        <div className="min-w-0">
          {operation ? (
            <>
              <Link to={paths.api({ find })} className="link reach mb-3 inline-block lg:hidden">
                All operations
              </Link>
              <Boundary title="The form">
                <OperationForm key={operation.id} operation={operation} profile={profile} />
              </Boundary>
            </>
          ) : (
            op !== '' && (
              <EmptyState title={`Unknown operation “${op}”`}>
                The list has all that this service documents.
              </EmptyState>
            )
          )}
        </div>
      </div>
    </div>
  )
}
