import { z } from 'zod'
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
  label: z.string().catch(''),
  outcome: z.enum(['signed', 'failed', 'left']),
  tx: z.string().optional(),
  messageId: z.string().optional(),
  source: z.string().optional(),
  kind: z.string().optional(),
  message: z.string().optional(),
  justification: z.string().optional(),
  subnet: z.string().optional(),
  quorum: z.number(),
  buffer: z.number(),
  height: z.number(),
  signedWeight: z.string().optional(),
  totalWeight: z.string().optional(),
  signerCount: z.number().optional(),
  signedMessage: z.string().optional(),
  error: z.string().optional(),
})

/** A finished round, as this browser remembers it. */
export type Entry = z.infer<typeof entrySchema>

/** How many rounds are remembered, and how many characters of bytes in all: what browsers keep is bounded. */
export const bounds = { entries: 50, bytes: 1_000_000, label: 64 } as const

const bytesOf = ({ message = '', justification = '', signedMessage = '' }: Entry): number =>
  message.length + justification.length + signedMessage.length

/** The newest rounds that fit; from older ones the bytes go first, then the rounds themselves. */
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
  // One broken entry costs itself, not the history.
  return bounded(
    all.data.flatMap((one) => {
      const entry = entrySchema.safeParse(one)
      return entry.success ? [entry.data] : []
    }),
  )
})

/** Remembers how a round ended. */
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

/** Names a round; an empty name takes it away. */
export function labelRound(id: string, label: string): void {
  rounds.set((now) =>
    now.map((entry) => (entry.id === id ? { ...entry, label: label.trim().slice(0, bounds.label) } : entry)),
  )
}

export const forgetRound = (id: string): void => rounds.set((now) => now.filter((entry) => entry.id !== id))

/** Forgets every round of a deployment. */
export const forgetRounds = (profile: string): void =>
  rounds.set((now) => now.filter((entry) => entry.profile !== profile))

/** The form as it was when a round was begun. */
export function draftOfEntry(entry: Entry): Draft {
  const { network, tx = '', message = '', justification = '', subnet = '' } = entry
  return {
    network,
    // Where the bytes are gone, or were never here, the transaction leads to them again.
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
