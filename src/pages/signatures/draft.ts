import { z } from 'zod'
import { networkNames } from '../../../contract/base/fields.ts'
import { cb58Id } from '../../../contract/primary/fields.ts'
import { signatureRequest } from '../../../contract/signatures/signatures.ts'
import type { NetworkName } from '../../api/current.ts'
import type { SignatureRequest } from '../../api/signatures/signatures-stream.ts'

/** How many characters of a message or justification a link may carry. */
export const mostInLink = 2_000

const whole = z.string().regex(/^\d{1,16}$/)

/** What the page Signatures shows, in its URL. A link fills the form in; it runs nothing. */
export const signaturesSchema = z.object({
  tab: z.enum(['request', 'messages', 'history']).catch('request'),
  network: z.enum(networkNames).optional().catch(undefined),
  by: z.enum(['message', 'transaction']).optional().catch(undefined),
  tx: z.string().max(80).catch(''),
  message: z.string().max(mostInLink).catch(''),
  justification: z.string().max(mostInLink).catch(''),
  subnet: z.string().max(80).catch(''),
  quorum: whole.catch('67'),
  buffer: whole.catch('0'),
  height: whole.catch('0'),
  /** The source that the list of messages is narrowed to. */
  source: z.string().max(64).catch(''),
})
export type SignaturesSearch = z.infer<typeof signaturesSchema>

/** What stands in the form, as typed. */
export type Draft = {
  /** Undefined: the profile's own network. */
  network: NetworkName | undefined
  by: 'message' | 'transaction'
  tx: string
  message: string
  justification: string
  subnet: string
  quorum: string
  buffer: string
  height: string
}

/** The form that a URL fills in. A transaction in it is what is meant, unless it says otherwise. */
export function draftOf(search: SignaturesSearch): Draft {
  const { network, tx, message, justification, subnet, quorum, buffer, height } = search
  const by = search.by ?? (tx === '' ? 'message' : 'transaction')
  return { network, by, tx, message, justification, subnet, quorum, buffer, height }
}

/** The form as its URL carries it: bytes that are too long for a link, and what goes without saying, stay out. */
export function linkOf(draft: Draft): Omit<SignaturesSearch, 'tab' | 'source'> {
  const { network, by, tx, message, justification, subnet, quorum, buffer, height } = draft
  const fits = (text: string): string => (text.length > mostInLink ? '' : text)
  const digits = (text: string, otherwise: string): string =>
    whole.safeParse(text).success ? text : otherwise
  return {
    network,
    by: by === (tx === '' ? 'message' : 'transaction') ? undefined : by,
    tx,
    message: fits(message),
    justification: fits(justification),
    subnet,
    quorum: digits(quorum, '67'),
    buffer: digits(buffer, '0'),
    height: digits(height, '0'),
  }
}

/** The fields of the operation that a complaint can be about, and the transaction's. */
export const fieldNames = [
  'message',
  'justification',
  'signingSubnetId',
  'quorumPercentage',
  'quorumPercentageBuffer',
  'pChainHeight',
  'tx',
] as const
export type FieldName = (typeof fieldNames)[number]
export type FieldErrors = Partial<Record<FieldName, string>>

/** Hex as it is pasted: with breaks and spaces of a terminal or a document. */
export const withoutSpaces = (text: string): string => text.replace(/\s+/g, '')

/** Digits as a number; anything else is no number, which the contract then says. */
const figure = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

/** What a transaction stands for: its message, the justification, and the subnet whose signers are wanted. */
export type Found = {
  message: string
  justification?: string | undefined
  signingSubnetId?: string | undefined
}

/** The six fields as the operation takes them; `found` is what a transaction stands for. */
export function bodyOf(draft: Draft, found?: Found): SignatureRequest {
  const bytes = draft.by === 'transaction' ? found : draft
  const message = withoutSpaces(bytes?.message ?? '')
  const justification = withoutSpaces(bytes?.justification ?? '')
  // A message of the P-Chain is for the chain of an L1's manager, which takes its own validators' word.
  const subnet = draft.subnet.trim() || (draft.by === 'transaction' && found?.signingSubnetId) || ''
  return {
    ...(message !== '' && { message }),
    ...(justification !== '' && { justification }),
    ...(subnet !== '' && { signingSubnetId: subnet }),
    quorumPercentage: figure(draft.quorum),
    quorumPercentageBuffer: figure(draft.buffer),
    pChainHeight: figure(draft.height),
  }
}

/** Complaints of the contract by field; empty when the operation would take the body. */
export function complaintsOf(body: SignatureRequest): FieldErrors {
  const errors: FieldErrors = {}
  for (const name of fieldNames) {
    if (name === 'tx') continue
    const result = signatureRequest.shape[name].safeParse(body[name])
    if (result.success) continue
    errors[name] = Number.isNaN(body[name]) ? 'must be a whole number' : messageOf(result.error)
  }
  if (Object.keys(errors).length > 0) return errors
  const result = signatureRequest.safeParse(body)
  for (const { path, message } of result.error?.issues ?? []) {
    const name = fieldNames.find((one) => one === path[0])
    if (name !== undefined) errors[name] ??= message
  }
  return errors
}

const messageOf = (error: { issues: readonly { message: string }[] }): string =>
  error.issues[0]?.message ?? 'is not allowed'

/** The complaint about a transaction's hash; undefined for one that can be asked about. */
export function complaintAboutTx(tx: string): string | undefined {
  if (tx.trim() === '') return 'give the id of a transaction'
  const result = cb58Id.safeParse(tx.trim())
  return result.success ? undefined : messageOf(result.error)
}

/**
 * What the service complained of, by field where its words begin with one (`quorumPercentage: …`), and what
 * belongs to none.
 */
export function complaintsOfService(lines: readonly string[]): { fields: FieldErrors; rest: string[] } {
  const fields: FieldErrors = {}
  const rest: string[] = []
  let last: FieldName | undefined
  for (const line of lines) {
    const match = /^(\w+): (.+)$/s.exec(line)
    const [, word = '', words = line] = match ?? []
    const name = fieldNames.find((one) => one === (word === 'txHash' ? 'tx' : word))
    // A complaint may hold a semicolon itself, at which the lines of an answer are told apart.
    const about = match ? name : last
    if (about === undefined) rest.push(line)
    else fields[about] = fields[about] === undefined ? words : `${fields[about]}; ${words}`
    last = about
  }
  return { fields, rest }
}
