import type { MemberSources } from '../../../api/watch/fleets.ts'
import type { Labels } from '../../../lib/storage/labels.ts'
import type { Watched } from '../../../lib/storage/watch-list.ts'
import { countText } from './words.ts'

/** The ways to name members, in the order in which a form offers them. */
export const sourceKinds = ['paste', 'watched', 'rewards', 'l1'] as const
type SourceKind = (typeof sourceKinds)[number]

export const sourceLabels: Readonly<Record<SourceKind, string>> = {
  paste: 'Paste',
  watched: 'Watch list',
  rewards: 'Reward address',
  l1: 'L1',
}

/** What a form of members holds; only the field of the chosen source counts. */
export type SourceDraft = {
  readonly kind: SourceKind
  readonly text: string
  readonly sendsLabels: boolean
  readonly addresses: string
  readonly subnetId: string
}

export const emptySource: SourceDraft = {
  kind: 'paste',
  text: '',
  sendsLabels: true,
  addresses: '',
  subnetId: '',
}

const idPattern =
  /(?<![1-9A-HJ-NP-Za-km-z])(NodeID-[1-9A-HJ-NP-Za-km-z]{24,34}|[1-9A-HJ-NP-Za-km-z]{47,52})(?![1-9A-HJ-NP-Za-km-z])/g

/** The node IDs and validation IDs in a text, each once. The service reads the text itself; this is for the preview. */
export function idsIn(text: string): { nodes: number; validations: number } {
  const ids = new Set([...text.matchAll(idPattern)].map(([id]) => id))
  const nodes = [...ids].filter((id) => id.startsWith('NodeID-')).length
  return { nodes, validations: ids.size - nodes }
}

/** The validators and L1 validators of a browser's watch list on a network, as members. */
export function watchedMembers(
  list: readonly Watched[],
  labels: Labels,
  network: string,
  sendsLabels: boolean,
): { memberId: string; label?: string }[] {
  return list.flatMap(({ kind, place, id }) => {
    if (place !== network || (kind !== 'validator' && kind !== 'l1Validator')) return []
    const label = sendsLabels ? labels[id] : undefined
    return [{ memberId: id, ...(label !== undefined && { label }) }]
  })
}

/** The addresses of a form: separated by commas, spaces or lines. */
export const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '')

/** What is sent for a draft; undefined while it names nothing. */
export function sourcesOf(
  draft: SourceDraft,
  watched: readonly { memberId: string; label?: string }[],
): MemberSources | undefined {
  switch (draft.kind) {
    case 'paste': {
      const { nodes, validations } = idsIn(draft.text)
      return nodes + validations === 0 ? undefined : { text: draft.text }
    }
    case 'watched':
      return watched.length === 0 ? undefined : { members: [...watched] }
    case 'rewards': {
      const rewardAddresses = addressesIn(draft.addresses)
      return rewardAddresses.length === 0 ? undefined : { rewardAddresses }
    }
    case 'l1':
      return draft.subnetId === '' ? undefined : { subnetId: draft.subnetId }
  }
}

/** The lines that an answer names one by one. */
const maxLines = 5

/** The lines of a paste from which nothing was added. */
function lackingText(lines: readonly { line: number; reason: string }[]): string {
  if (lines.length === 0) return ''
  const named = lines.slice(0, maxLines).map(({ line, reason }) => `line ${line} (${reason})`)
  const more = lines.length > maxLines ? ` and ${countText(lines.length - maxLines, 'more line')}` : ''
  return ` Not understood: ${named.join(', ')}${more}.`
}

/** What became of an addition, in a sentence. */
export function addedText(answer: {
  addedCount: number
  presentCount: number
  unknown: readonly string[]
  notUnderstood?: readonly { line: number; reason: string }[]
}): string {
  const { addedCount, presentCount, unknown, notUnderstood = [] } = answer
  const present = presentCount > 0 ? `; ${countText(presentCount, 'was', 'were')} in it already` : ''
  const strange =
    unknown.length > 0
      ? `; ${countText(unknown.length, 'has', 'have')} never validated here, as far as is indexed`
      : ''
  return `${addedCount === 0 ? 'Nothing new' : `${countText(addedCount, 'member')} added`}${present}${strange}.${lackingText(notUnderstood)}`
}
