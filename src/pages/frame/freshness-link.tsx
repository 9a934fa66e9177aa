import { useNow } from '../../components/hooks.ts'
import { AlertIcon, OkIcon } from '../../components/icons.ts'
import { Link } from '../../components/link.tsx'
import { formatInteger } from '../../lib/amounts.ts'
import { freshnessOf, progressOf, type Followed, type Freshness as Kind } from '../../lib/freshness.ts'
import { formatAge } from '../../lib/time.ts'

const says: Record<Kind, string> = {
  fresh: 'Up to date',
  quiet: 'Up to date; the chain has made no block since',
  syncing: 'Still indexing',
  stale: 'Stale: nothing newer has arrived',
  stopped: 'Stopped: this chain needs attention',
  unknown: 'The head is not known yet',
}

/** The place of the freshness while nothing is known of it. */
export function NoFreshness() {
  return <span className="min-w-44 text-xs text-muted max-lg:hidden" aria-hidden="true" />
}

/** How fresh a chain is: its head and age, amber with a sign when that is not its present. */
export function FreshnessLink({
  followed,
  to,
}: {
  followed: Followed | undefined
  /** The page of a block. */
  to: (height: string) => string
}) {
  const now = useNow()
  if (followed?.indexedBlock === undefined) return <NoFreshness />
  const kind = freshnessOf(followed, now)
  const good = kind === 'fresh' || kind === 'quiet'
  const share =
    kind === 'syncing' ? progressOf(undefined, followed.indexedBlock, followed.nodeBlock) : undefined
  const height = formatInteger(followed.indexedBlock)
  return (
    <Link
      to={to(followed.indexedBlock)}
      title={says[kind]}
      className={`flex h-8 items-center gap-1.5 rounded-base text-xs whitespace-nowrap lg:min-w-44 ${
        good ? 'text-muted hover:text-text' : 'bg-warn-soft px-2 text-warn'
      }`}
    >
      {good ? <OkIcon size={14} className="text-ok" /> : <AlertIcon size={14} />}
      <span className="max-md:sr-only">
        <span className="max-lg:hidden">block </span>
        {height}
        {share !== undefined
          ? ` · ${Math.floor(share * 100)} %`
          : followed.indexedTimestamp !== undefined && ` · ${formatAge(followed.indexedTimestamp, now)}`}
        <span className="sr-only">. {says[kind]}</span>
      </span>
    </Link>
  )
}
