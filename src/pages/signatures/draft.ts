import * as z from 'zod/mini'
import { inEnglish } from '../../../contract/base/english.ts'
import { networkNames } from '../../../contract/base/fields.ts'
import { cb58Id } from '../../../contract/primary/fields.ts'
import { signatureRequest } from '../../../contract/signatures/signatures.ts'
import type { NetworkName } from '../../api/current.ts'
import type { SignatureRequest } from '../../api/signatures/signatures-stream.ts'

/** The most characters of a message or justification in a link. */
export const maxInLink = 2_000

const whole = z.string().check(z.regex(/^\d{1,16}$/))

/** The state of the page Signatures in its URL. A link fills in the form without starting a round. */
export const signaturesSchema = z.object({
  /** By default the messages, or the form where the link fills it in. */
  tab: z.catch(z.optional(z.enum(['request', 'messages', 'history'])), undefined),
  network: z.catch(z.optional(z.enum(networkNames)), undefined),
  by: z.catch(z.optional(z.enum(['message', 'transaction'])), undefined),
  tx: z.catch(z.string().check(z.maxLength(80)), ''),
  message: z.catch(z.string().check(z.maxLength(maxInLink)), ''),
  justification: z.catch(z.string().check(z.maxLength(maxInLink)), ''),
  subnet: z.catch(z.string().check(z.maxLength(80)), ''),
  quorum: z.catch(whole, '67'),
  buffer: z.catch(whole, '0'),
  height: z.catch(whole, '0'),
  /** The source that filters the list of messages. */
  source: z.catch(z.string().check(z.maxLength(64)), ''),
})
export type SignaturesSearch = z.infer<typeof signaturesSchema>

/** The contents of the form, as typed. */
export type Draft = {
  /** Undefined for the profile's own network. */
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

/** The form for a URL. If it has a transaction, that is used by default. */
export function draftOf(search: SignaturesSearch): Draft {
  const { network, tx, message, justification, subnet, quorum, buffer, height } = search
  const by = search.by ?? (tx === '' ? 'message' : 'transaction')
  return { network, by, tx, message, justification, subnet, quorum, buffer, height }
}

/** The tab that a URL opens. */
export function tabOf({
  tab,
  tx,
  message,
  justification,
  subnet,
}: SignaturesSearch): 'request' | 'messages' | 'history' {
  return tab ?? ([tx, message, justification, subnet].every((text) => text === '') ? 'messages' : 'request')
}

/** Whether a field of the folded part differs from its default, so that it must be seen. */
export const isAdvanced = ({ justification, subnet, quorum, buffer, height, by }: Draft): boolean =>
  (by === 'message' && justification !== '') ||
  subnet !== '' ||
  quorum !== '67' ||
  buffer !== '0' ||
  height !== '0'

/** The form's state for its URL, without long bytes and defaults. */
export function linkOf(draft: Draft): Omit<SignaturesSearch, 'tab' | 'source'> {
  const { network, by, tx, message, justification, subnet, quorum, buffer, height } = draft
  const fits = (text: string): string => (text.length > maxInLink ? '' : text)
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

/** The fields of the operation that an error can refer to, and the transaction's. */
const fieldNames = [
  'message',
  'justification',
  'signingSubnetId',
  'quorumPercentage',
  'quorumPercentageBuffer',
  'pChainHeight',
  'tx',
] as const
type FieldName = (typeof fieldNames)[number]
export type FieldErrors = Partial<Record<FieldName, string>>

/** Pasted hex without the line breaks and spaces of a terminal or a document. */
export const withoutSpaces = (text: string): string => text.replace(/\s+/g, '')

/** Digits as a number; other text is NaN, which the contract rejects. */
const figure = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN)

/** The contents of a transaction: its message, the justification, and the signing subnet. */
type Found = {
  message: string
  justification?: string | undefined
  signingSubnetId?: string | undefined
}

/** The request's six fields; `found` has the contents of the transaction. */
export function bodyOf(draft: Draft, found?: Found): SignatureRequest {
  const bytes = draft.by === 'transaction' ? found : draft
  const message = withoutSpaces(bytes?.message ?? '')
  const justification = withoutSpaces(bytes?.justification ?? '')
  // A message of the P-Chain goes to the chain of an L1's manager, which trusts its own validators.
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

/** The contract's errors by field; empty for a valid body. */
export function contractErrors(body: SignatureRequest): FieldErrors {
  const errors: FieldErrors = {}
  for (const name of fieldNames) {
    if (name === 'tx') continue
    const result = signatureRequest.shape[name].safeParse(body[name], inEnglish)
    if (result.success) continue
    errors[name] = Number.isNaN(body[name]) ? 'must be a whole number' : messageOf(result.error)
  }
  if (Object.keys(errors).length > 0) return errors
  const result = signatureRequest.safeParse(body, inEnglish)
  for (const { path, message } of result.error?.issues ?? []) {
    const name = fieldNames.find((one) => one === path[0])
    if (name !== undefined) errors[name] ??= message
  }
  return errors
}

const messageOf = (error: { issues: readonly { message: string }[] }): string =>
  error.issues[0]?.message ?? 'is not allowed'

/** The error for a transaction's hash; undefined for a valid one. */
export function txIdError(tx: string): string | undefined {
  if (tx.trim() === '') return 'give the ID of a transaction'
  const result = cb58Id.safeParse(tx.trim())
  return result.success ? undefined : messageOf(result.error)
}

/** The service's errors by field if they start with a field's name (`quorumPercentage: …`), and the other ones. */
export function serviceErrors(lines: readonly string[]): { fields: FieldErrors; rest: string[] } {
  const fields: FieldErrors = {}
  const rest: string[] = []
  let last: FieldName | undefined
  for (const line of lines) {
    const match = /^(\w+): (.+)$/s.exec(line)
    const [, word = '', words = line] = match ?? []
    const name = fieldNames.find((one) => one === (word === 'txHash' ? 'tx' : word))
    // An error may contain a semicolon, which also separates the lines of an answer.
    const about = match ? name : last
    if (about === undefined) rest.push(line)
    else fields[about] = fields[about] === undefined ? words : `${fields[about]}; ${words}`
    last = about
  }
  return { fields, rest }
}
