import { useMutation } from '@tanstack/react-query'
import { useCallback, useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import { useCurrentNetwork } from '../../api/current.ts'
import { activeValidator } from '../../api/network/validators.ts'
import { useStore } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { Section } from '../../components/section.tsx'
import { EmptyState } from '../../components/states.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { TimeAgo } from '../../components/time-ago.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { paths } from '../../lib/paths.ts'
import { plural } from '../../lib/text.ts'
import {
  toggleWatched,
  watchKey,
  watchKinds,
  watchList,
  type Watched,
  type WatchKind,
} from '../../lib/storage/watch-list.ts'
import { hasChanged, markAllSeen, visits } from '../../lib/storage/watch-visits.ts'
import { Button } from '../../components/controls.tsx'
import { Failed } from '../shared/failed.tsx'
import { figureLabels } from './figures-of.ts'
import { RowOfKind } from './row-of-kind.tsx'
import { ReportFailure, rowGrid } from './watched-row.tsx'

/** Rows of a kind that are shown at first, and with each further press. */
const step = 25

const titles: Readonly<Record<WatchKind, string>> = {
  address: 'Addresses',
  wallet: 'P- and X-Chain addresses',
  validator: 'Validators',
  l1Validator: 'L1 validators',
  token: 'Tokens',
}

type SummaryProps = {
  list: readonly Watched[]
  changed: readonly Watched[]
  isNarrowed: boolean
  onNarrow: (isNarrowed: boolean) => void
}

/** How much has changed since the last visit. */
function Summary({ list, changed, isNarrowed, onNarrow }: SummaryProps) {
  const known = useStore(visits)
  const times = list.flatMap((entry) => known[watchKey(entry)]?.before?.at ?? [])
  const count = changed.length
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-2">
      <output>
        {times.length === 0 ? (
          'When you come back, this page shows what has changed.'
        ) : (
          <>
            {count === 0
              ? 'Nothing has'
              : `${formatInteger(count)} of ${formatInteger(list.length)} ${plural(count, 'has', 'have')}`}{' '}
            changed since your last visit, <TimeAgo at={Math.max(...times)} />.
          </>
        )}
      </output>
      {count > 0 && (
        <span className="flex gap-2">
          <Button small aria-pressed={isNarrowed} onClick={() => onNarrow(!isNarrowed)}>
            Only what changed
          </Button>
          <Button small onClick={markAllSeen}>
            Mark all as seen
          </Button>
        </span>
      )}
    </div>
  )
}

function KindSection({ kind, entries }: { kind: WatchKind; entries: readonly Watched[] }) {
  const [shown, setShown] = useState(step)
  const network = useCurrentNetwork()
  const title = titles[kind]
  return (
    <Section
      title={title}
      note={formatInteger(entries.length)}
      actions={
        kind === 'validator' && (
          <Link to={paths.validators(network, { list: 'watched' })} className="link text-xs">
            Feeds and alerting
          </Link>
        )
      }
    >
      <div
        aria-hidden="true"
        className={`${rowGrid} border-b border-line pb-1 text-xs text-muted max-xl:hidden`}
      >
        <span />
        {figureLabels[kind].map((label) => (
          <span key={label} className="text-right">
            {label}
          </span>
        ))}
      </div>
      <ul className="max-xl:border-t max-xl:border-line" aria-label={`Watched ${title}`}>
        {entries.slice(0, shown).map((entry) => (
          <RowOfKind key={watchKey(entry)} {...entry} />
        ))}
      </ul>
      {entries.length > shown && (
        <Button className="mt-2 self-start" onClick={() => setShown((now) => now + step)}>
          Show {formatInteger(Math.min(step, entries.length - shown))} more of {formatInteger(entries.length)}
        </Button>
      )}
    </Section>
  )
}

function NothingWatched() {
  const network = useCurrentNetwork()
  const sample = useMutation({
    mutationFn: async () => {
      const node = await activeValidator(network)
      if (node === undefined) throw new Error('This network has no active validators.')
      toggleWatched({ kind: 'validator', place: network, id: node.nodeId })
    },
  })
  return (
    <EmptyState title="Nothing watched">
      <p>
        Open an address, a validator, an L1 validator or a token and press Watch, or paste some into the box.
        This page then has their figures, and what changed since your last visit.
      </p>
      <Button disabled={sample.isPending} onClick={() => sample.mutate()}>
        Watch a validator
      </Button>
      {sample.error && <p className="text-bad">{sample.error.message}</p>}
    </EmptyState>
  )
}

const searchSchema = z.object({ show: z.catch(z.enum(['all', 'changed']), 'all') })

/** What this browser watches, by kind, with what has changed since the last visit. */
export function WatchedList(): ReactNode {
  const list = useStore(watchList)
  const known = useStore(visits)
  const [{ show }, setSearch] = useSearchState(searchSchema)
  const [errors, setErrors] = useState<Readonly<Record<string, Error | undefined>>>({})
  const report = useCallback(
    (key: string, error: Error | undefined) => setErrors((now) => ({ ...now, [key]: error })),
    [],
  )
  if (list.length === 0) return <NothingWatched />
  const changed = list.filter((entry) => {
    const visit = known[watchKey(entry)]
    return visit !== undefined && hasChanged(visit)
  })
  const isNarrowed = show === 'changed' && changed.length > 0
  const shown = isNarrowed ? changed : list
  const failed = Object.values(errors).filter((error) => error !== undefined)
  return (
    <div className="flex flex-col gap-8">
      {failed.length > 0 ? (
        <Failed
          title={`${formatInteger(failed.length)} of ${formatInteger(list.length)} could not be loaded.`}
          error={failed[0]}
          onRetry={() => undefined}
        />
      ) : (
        <Summary
          list={list}
          changed={changed}
          isNarrowed={isNarrowed}
          onNarrow={(narrow) => setSearch({ show: narrow ? 'changed' : 'all' })}
        />
      )}
      <ReportFailure value={report}>
        {watchKinds.map((kind) => {
          const entries = shown.filter((entry) => entry.kind === kind)
          return entries.length > 0 && <KindSection key={kind} kind={kind} entries={entries} />
        })}
      </ReportFailure>
    </div>
  )
}
