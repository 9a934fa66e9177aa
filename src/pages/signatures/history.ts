import * as z from 'zod/mini'
import { networkNames } from '../../../contract/base/fields.ts'
import { createStoredStore } from '../../lib/storage/store.ts'
import type { Draft } from './draft.ts'
import type { Run } from './run.ts'

const entrySchema = z.object({
  id: z.string(),
  profile: z.string(),
  network: z.enum(networkNames),
  /** Unix seconds. */
  at: z.number(),
  label: z.catch(z.string(), ''),
  outcome: z.enum(['signed', 'failed', 'left']),
  tx: z.optional(z.string()),
  messageId: z.optional(z.string()),
  source: z.optional(z.string()),
  kind: z.optional(z.string()),
  message: z.optional(z.string()),
  justification: z.optional(z.string()),
  subnet: z.optional(z.string()),
  quorum: z.number(),
  buffer: z.number(),
  height: z.number(),
  signedWeight: z.optional(z.string()),
  totalWeight: z.optional(z.string()),
  signerCount: z.optional(z.number()),
  signedMessage: z.optional(z.string()),
  error: z.optional(z.string()),
})

/** A finished round as stored in this browser. */
export type Entry = z.infer<typeof entrySchema>

/** The most stored rounds, and the most characters of bytes in total: browser storage is limited. */
export const bounds = { entries: 50, bytes: 1_000_000, label: 64 } as const

const bytesOf = ({ message = '', justification = '', signedMessage = '' }: Entry): number =>
  message.length + justification.length + signedMessage.length

/** The newest rounds that fit; old ones lose their bytes first, then are dropped. */
export function bounded(entries: readonly Entry[]): Entry[] {
  let left: number = bounds.bytes
  return entries.slice(0, bounds.entries).map((entry) => {
    const bytes = bytesOf(entry)
    if (bytes <= left) {
      left -= bytes
      return entry
    }
    const { message: _, justification: __, signedMessage: ___, ...rest } = entry
    return rest
  })
}

/** The finished rounds, the newest first. They never leave this browser. */
export const rounds = createStoredStore<readonly Entry[]>('ridgeline.signatures', (stored) => {
  const all = z.array(z.unknown()).safeParse(stored)
  if (!all.success) return []
  // An invalid entry is dropped without the others.
  return bounded(
    all.data.flatMap((one) => {
      const entry = entrySchema.safeParse(one)
      return entry.success ? [entry.data] : []
    }),
  )
})

/** Stores the outcome of a round. */
export function rememberRun(run: Run, profile: string, id: string): void {
  const { asked, begun, failure, signedMessage, signers, signedWeight, totalWeight } = run
  const { body, network, tx } = asked
  const message = begun?.message
  const entry: Entry = {
    id,
    profile,
    network,
    at: Math.floor((run.endedAt ?? run.startedAt) / 1000),
    label: '',
    outcome: run.state === 'done' ? 'signed' : run.state === 'left' ? 'left' : 'failed',
    quorum: body.quorumPercentage ?? 67,
    buffer: body.quorumPercentageBuffer ?? 0,
    height: body.pChainHeight ?? 0,
    ...(tx !== undefined && { tx }),
    ...(message && {
      messageId: message.messageId,
      source: message.sourceBlockchainName ?? message.sourceBlockchainId,
      kind: message.l1Message?.type ?? message.payloadKind,
    }),
    ...(body.message !== undefined && { message: body.message }),
    ...(body.justification !== undefined && { justification: body.justification }),
    ...(body.signingSubnetId !== undefined && { subnet: body.signingSubnetId }),
    ...(signedWeight !== undefined && { signedWeight }),
    ...(totalWeight !== undefined && { totalWeight }),
    ...(signers !== undefined && { signerCount: signers.length }),
    ...(signedMessage !== undefined && { signedMessage }),
    ...(failure && {
      error: `${failure.status || ''} ${failure.name}: ${failure.lines.join('; ')}`.trim().slice(0, 400),
    }),
  }
  rounds.set((now) => bounded([entry, ...now]))
}

/** Labels a round; an empty label removes it. */
export function labelRound(id: string, label: string): void {
  rounds.set((now) =>
    now.map((entry) => (entry.id === id ? { ...entry, label: label.trim().slice(0, bounds.label) } : entry)),
  )
}

export const forgetRound = (id: string): void => rounds.set((now) => now.filter((entry) => entry.id !== id))

/** Removes all rounds of a deployment. */
export const forgetRounds = (profile: string): void =>
  rounds.set((now) => now.filter((entry) => entry.profile !== profile))

/** The form of a round's start. */
export function draftOfEntry(entry: Entry): Draft {
  const { network, tx = '', message = '', justification = '', subnet = '' } = entry
  return {
    network,
    // Without stored bytes the transaction is used to find them again.
    by: tx !== '' ? 'transaction' : 'message',
    tx,
    message: tx === '' ? message : '',
    justification: tx === '' ? justification : '',
    subnet,
    quorum: String(entry.quorum),
    buffer: String(entry.buffer),
    height: String(entry.height),
  }
}
