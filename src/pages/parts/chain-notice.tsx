import { useNow } from '../../components/hooks.ts'
import { AlertIcon, HourglassIcon } from '../../components/icons.ts'
import { formatInteger } from '../../lib/amounts.ts'
import { freshnessOf, progressOf } from '../../lib/freshness.ts'
import { formatAge } from '../../lib/time.ts'
import type { Standing } from './chain-state.tsx'

/** What a page of a chain says above all else when it does not show the chain's present. */
export function ChainNotice({ status }: { status: Standing | undefined }) {
  const now = useNow(5)
  if (!status) return null
  const kind = freshnessOf(status, now)
  if (kind === 'fresh' || kind === 'quiet' || (kind === 'unknown' && status.reason === undefined)) return null
  const share = progressOf(status.firstBlock, status.indexedBlock, status.nodeBlock)
  const height = status.indexedBlock === undefined ? undefined : formatInteger(status.indexedBlock)
  const node = status.nodeBlock === undefined ? 'unknown' : formatInteger(status.nodeBlock)
  const text = {
    syncing: `Indexing this chain: block ${height ?? 'none'} of ${node}. Figures and charts grow until it is done.`,
    stale: `What is shown ends at block ${height ?? 'none'}${
      status.indexedTimestamp === undefined ? '' : `, ${formatAge(status.indexedTimestamp, now)}`
    }; the node’s head is ${node}.`,
    stopped:
      height === undefined
        ? 'Indexing has stopped before the first block.'
        : `Indexing has stopped at block ${height}. What is shown is not the present.`,
    unknown: 'Waiting for the node.',
  }[kind]
  const syncing = kind === 'syncing'
  return (
    <div
      role={kind === 'stopped' ? 'alert' : undefined}
      className={`mb-4 flex flex-col gap-2 rounded-base px-4 py-3 ${
        syncing ? 'bg-accent-soft' : kind === 'stopped' ? 'bg-bad-soft' : 'bg-warn-soft'
      }`}
    >
      <p className="flex items-start gap-2">
        {syncing ? (
          <HourglassIcon className="mt-0.5 text-accent" />
        ) : (
          <AlertIcon className={`mt-0.5 ${kind === 'stopped' ? 'text-bad' : 'text-warn'}`} />
        )}
        <span>
          {text} {status.reason !== undefined && <span className="break-words">{status.reason}</span>}
        </span>
      </p>
      {syncing && share !== undefined && (
        <progress
          className="h-1.5 w-full overflow-hidden rounded-full accent-accent [&::-webkit-progress-bar]:bg-surface [&::-webkit-progress-value]:bg-accent"
          max={1}
          value={share}
          aria-label="Indexed share of the chain"
        />
      )}
    </div>
  )
}
