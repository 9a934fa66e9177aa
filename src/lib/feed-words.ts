import { formatInteger } from './amounts.ts'
import type { Feed, Followed } from './freshness.ts'
import { plural, sentence } from './text.ts'
import { formatAge, formatClock, formatDuration, formatTime, type Zone } from './time.ts'

const names: Readonly<Record<Feed['kind'], string>> = {
  live: 'Live',
  catchingUp: 'Catching up',
  late: 'Late',
  lost: 'Connection lost',
  stopped: 'Stopped',
  unknown: 'Checking',
}

/** The state's name, the same everywhere. A chain without a block for long is not live, whatever its node says. */
export const feedName = (feed: Feed): string =>
  feed.kind === 'live' && feed.quiet ? 'Quiet' : names[feed.kind]

const blocksOf = (count: number): string => `${formatInteger(count)} ${plural(count, 'block')}`

/** The details of a state in a few words: how far, how long, since when or why. Empty if the name is enough. */
export function feedDetail(feed: Feed, chain: Followed | undefined, now: number, zone: Zone): string {
  switch (feed.kind) {
    case 'live':
      return feed.quiet && chain?.indexedTimestamp !== undefined
        ? `last block ${formatAge(chain.indexedTimestamp, now)}`
        : ''
    case 'catchingUp': {
      const far =
        feed.share !== undefined
          ? `${Math.floor(feed.share * 100)} %`
          : feed.behind !== undefined
            ? `${formatDuration(feed.behind)} behind`
            : ''
      const left = feed.left === undefined ? '' : `${formatDuration(Math.max(1, feed.left))} left`
      return [far, left].filter(Boolean).join(' · ')
    }
    case 'late':
      if (feed.blocks !== undefined) return `${blocksOf(feed.blocks)} behind`
      if (feed.old !== undefined) return `no block for ${formatDuration(feed.old)}`
      return feed.silent === undefined
        ? 'no block yet'
        : `no answer from the node for ${formatDuration(feed.silent)}`
    case 'lost':
      return `since ${formatClock(feed.since, zone)}`
    case 'stopped':
      return feed.reason ?? ''
    case 'unknown':
      return ''
  }
}

/** The one figure that fits a table cell; empty without one. */
export function feedFigure(feed: Feed, chain: Followed | undefined, now: number): string {
  if (feed.kind === 'catchingUp' && feed.share !== undefined) return `${Math.floor(feed.share * 100)} %`
  if (feed.kind !== 'live' || !feed.quiet || chain?.indexedTimestamp === undefined) return ''
  return formatAge(chain.indexedTimestamp, now)
}

/** The state as one or two sentences, with its reason. */
export function feedSentence(feed: Feed, chain: Followed | undefined, now: number, zone: Zone): string {
  const { indexedBlock, indexedTimestamp, nodeBlock } = chain ?? {}
  const head = indexedBlock === undefined ? undefined : `block ${formatInteger(indexedBlock)}`
  const age = indexedTimestamp === undefined ? '' : `, ${formatAge(indexedTimestamp, now)}`
  const why = 'reason' in feed && feed.reason !== undefined ? ` Reason: ${sentence(feed.reason)}` : ''
  switch (feed.kind) {
    case 'live':
      return feed.quiet
        ? `Up to date: the node has nothing newer than ${head ?? 'this'}${age}.`
        : 'Up to date.'
    case 'catchingUp': {
      const left = feed.left === undefined ? '' : ` About ${formatDuration(Math.max(1, feed.left))} left.`
      if (feed.behind !== undefined)
        return `The node itself is catching up: its head is ${formatDuration(feed.behind)} old.${left}`
      const node = nodeBlock === undefined ? '' : ` of ${formatInteger(nodeBlock)}`
      const end =
        head === undefined ? 'Nothing of it is shown yet.' : `What is shown ends at that block${age}.`
      return `Indexing this chain: ${head ?? 'no block yet'}${node}.${left} ${end}`
    }
    case 'late': {
      if (feed.old !== undefined)
        return `No new block for ${formatDuration(feed.old)}, longer than usual on this chain.`
      const ends = head === undefined ? 'No block is indexed yet.' : `What is shown ends at ${head}${age}.`
      if (feed.blocks !== undefined) return `${ends} The node is ${blocksOf(feed.blocks)} ahead.${why}`
      const silence =
        feed.silent === undefined ? '' : ` The node has not answered for ${formatDuration(feed.silent)}.`
      return `${ends}${silence}${why}`
    }
    case 'lost':
      return `The service has not answered since ${formatClock(feed.since, zone)}. Showing data from before the outage.`
    case 'stopped': {
      const since =
        feed.since === undefined
          ? ''
          : ` Since ${formatTime(feed.since, zone)}; it is tried again at intervals of at most five minutes.`
      return head === undefined
        ? `Indexing has stopped before the first block.${why}${since}`
        : `Indexing has stopped at ${head}. The data is out of date.${why}${since}`
    }
    case 'unknown':
      return 'Checking status …'
  }
}
