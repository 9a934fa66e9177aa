import type { Outlook } from '../../../api/watch/outlook.ts'
import { formatNumber } from '../../../lib/amounts.ts'
import { countText } from '../shared/words.ts'

/** Whether as many blocks were proposed as the stake lets one expect. */
export function proposalsSentence({
  proposedCount,
  expectedCount,
  low,
  high,
}: NonNullable<Outlook['proposals']>): string {
  const expected = formatNumber(expectedCount, 1)
  const band = `${low}–${high} in 95 of 100 cases`
  if (proposedCount < low)
    return `It proposed ${countText(proposedCount, 'block')}; ${expected} were expected (${band}). That is fewer than chance explains: it may have missed turns.`
  if (proposedCount > high)
    return `It proposed ${countText(proposedCount, 'block')}; ${expected} were expected (${band}). That is more than its present stake explains.`
  return `It proposed ${countText(proposedCount, 'block')}; ${expected} were expected (${band}).`
}

/** The places of the picture of proposals, in percent of its width: the band, the expected and the proposed count. */
export function proposalPlaces({
  proposedCount,
  expectedCount,
  low,
  high,
}: NonNullable<Outlook['proposals']>): {
  low: number
  high: number
  expected: number
  proposed: number
} {
  const max = Math.max(proposedCount, high, expectedCount, 1) * 1.15
  const place = (value: number): number => (value / max) * 100
  return {
    low: place(low),
    high: place(high),
    expected: place(expectedCount),
    proposed: place(proposedCount),
  }
}

type Gap = Outlook['sampleGaps'][number]

/**
 * The gaps in the samples of a validation since the first one. The time before it is none: the service was not there, or
 * did not follow the network yet.
 */
export function gapsOf({ startTimestamp, sampleGaps }: Pick<Outlook, 'startTimestamp' | 'sampleGaps'>): {
  sampledFrom: number | undefined
  gaps: readonly Gap[]
} {
  const [first, ...rest] = sampleGaps
  // Gaps are whole hours: the first one of a validation begins up to an hour after its start.
  const isBefore = first !== undefined && first.fromTimestamp - startTimestamp <= 3_600
  return isBefore
    ? { sampledFrom: first.toTimestamp, gaps: rest }
    : { sampledFrom: undefined, gaps: sampleGaps }
}
