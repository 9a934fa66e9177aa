import { momentForms, readMoment } from '../../lib/moment.ts'
import type { Zone } from '../../lib/time.ts'

const day = 86_400

/** Unix seconds, both exclusive, like the filters of the primary network's lists. */
export type Moments = { after?: number; before?: number }

/**
 * The range from the first second of one day to the last second of another, either of which may be missing; or what is
 * wrong with them, as a sentence.
 */
export function readDays(texts: { from: string; to: string }, zone: Zone): Moments | string {
  const first = readMoment(texts.from, zone)
  const last = readMoment(texts.to, zone)
  const isUnread = (text: string, moment: unknown): boolean => text.trim() !== '' && moment === undefined
  if ((texts.from + texts.to).trim() === '') return `Give a day such as ${momentForms}.`
  if (isUnread(texts.from, first) || isUnread(texts.to, last)) return `Give days such as ${momentForms}.`
  const to = last && (last.wholeDay ? last.at + day : last.at + 1)
  if (first !== undefined && to !== undefined && first.at >= to)
    return 'The first day comes after the last one.'
  return { ...(first && { after: first.at - 1 }), ...(to !== undefined && { before: to }) }
}
