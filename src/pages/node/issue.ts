import { NodeError } from '../../api/node/node-client.ts'

/** The progress of an issued atomic transaction, as its node reports it. */
export type Progress =
  | { step: 'asked' }
  | { step: 'processing' }
  | { step: 'accepted'; height: string | undefined }
  | { step: 'dropped' }
  | { step: 'unknown' }

/** Whether the progress is final. */
export const isFinal = ({ step }: Progress): boolean => step === 'accepted' || step === 'dropped'

/**
 * The progress after a status, given the previous one (docs/real-node.md): a node that processed a transaction and
 * no longer knows it has dropped it; a node that never knew it may only be behind.
 */
export function progressAfter(
  before: Progress,
  answer: { status: string; blockHeight?: string | undefined },
): Progress {
  if (answer.status === 'Accepted') return { step: 'accepted', height: answer.blockHeight }
  if (answer.status === 'Processing') return { step: 'processing' }
  if (answer.status === 'Dropped' || before.step === 'processing') return { step: 'dropped' }
  return { step: 'unknown' }
}

/** The hex of a pasted transaction, or why it is invalid. */
export function parseSigned(text: string): { tx: string } | { wrong: string } {
  const bare = text.replace(/\s+/g, '').replace(/^0x/i, '')
  if (bare === '') return { wrong: 'Paste a signed transaction as hex.' }
  if (!/^[0-9a-fA-F]+$/.test(bare)) return { wrong: 'This holds something that is not a hex digit.' }
  if (bare.length % 2 === 1) return { wrong: 'A digit is missing: bytes have two each.' }
  if (bare.length > 2 * 65_536) return { wrong: 'No atomic transaction is as long as that.' }
  return { tx: `0x${bare.toLowerCase()}` }
}

/** Whether a failed status request may be retried: the node was unreachable, but did not refuse. */
export const isTransient = (error: unknown): boolean =>
  error instanceof NodeError && (error.kind === 'network' || error.kind === 'deadline' || error.status >= 500)
