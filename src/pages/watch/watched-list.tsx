import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useCurrentNetwork } from '../../api/current.ts'
import { activeValidator } from '../../api/network/validators.ts'
import { useStore } from '../../components/hooks.ts'
import { Link } from '../../components/link.tsx'
import { Section } from '../../components/section.tsx'
import { EmptyState } from '../../components/states.tsx'
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
import { countedWatched } from './counted-watched.ts'
import { figureLabels } from './figures-of.ts'
import { RowOfKind } from './row-of-kind.tsx'
import { rowGrid } from './watched-row.tsx'

/** Rows of a kind that are shown at first, and with each further press. */
const step = 25

const titles: Readonly<Record<WatchKind, string>> = {
  address: 'Addresses',
  wallet: 'P- and X-Chain addresses',
  validator: 'Validators',
  l1Validator: 'L1 validators',
  token: 'Tokens',
}

/** How much has changed since the last visit. */
function Summary({ list }: { list: readonly Watched[] }) {
  const known = useStore(visits)
  const compared = list.flatMap((entry) => {
    const visit = known[watchKey(entry)]
    return visit?.before === undefined ? [] : [{ visit, at: visit.before.at }]
  })
  const changed = compared.filter(({ visit }) => hasChanged(visit)).length
  const last = Math.max(0, ...compared.map(({ at }) => at))
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <output>
        You watch {countedWatched(list)}.{' '}
        {compared.length === 0 ? (
          'When you come back, this page shows what has changed.'
        ) : (
          <>
            {changed === 0
              ? 'Nothing has'
              : `${formatInteger(changed)} of ${formatInteger(list.length)} ${plural(changed, 'has', 'have')}`}{' '}
            changed since your last visit, <TimeAgo at={last} />.
          </>
        )}
      </output>
      {changed > 0 && (
        <Button small onClick={markAllSeen}>
          Mark all as seen
        </Button>
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

/** What this browser watches, by kind. */
export function WatchedList(): ReactNode {
  const list = useStore(watchList)
  if (list.length === 0) return <NothingWatched />
  return (
    <div className="flex flex-col gap-8">
      <Summary list={list} />
      {watchKinds.map((kind) => {
        const entries = list.filter((entry) => entry.kind === kind)
        return entries.length > 0 && <KindSection key={kind} kind={kind} entries={entries} />
      })}
    </div>
  )
}
