import { readArgument } from '../functions/arguments.ts'

/** An event as the service describes it. */
export type DeclaredEvent = {
  readonly signature: string
  readonly topic0: string
  readonly inputs: readonly { readonly name: string; readonly type: string; readonly indexed: boolean }[]
}

/** A value for a filter: the word that the topic must be, or why there is none. */
type Topic = { readonly word: string } | { readonly wrong: string }

const wordOf = (value: bigint): string => `0x${BigInt.asUintN(256, value).toString(16).padStart(64, '0')}`

/** Whether a topic of this type has the value itself: of texts, lists and tuples it has a hash. */
export const isFilterable = (type: string): boolean => /^(address|bool|u?int\d*|bytes\d+)$/.test(type)

/** The topic of an indexed value as text (docs.soliditylang.org, "Encoding of Indexed Event Parameters"). */
export function topicOf(typed: string, type: string): Topic {
  const argument = readArgument(typed, type)
  if ('wrong' in argument) return argument
  const { value } = argument
  if (type === 'bool') return { word: wordOf(value === 'true' ? 1n : 0n) }
  if (type.startsWith('bytes')) return { word: `0x${value.slice(2).toLowerCase().padEnd(64, '0')}` }
  return { word: wordOf(BigInt(value)) }
}

/** The arguments of an event that are topics, in their order: the first is `topic1`. */
export const indexedOf = ({ inputs }: DeclaredEvent): DeclaredEvent['inputs'] =>
  inputs.filter(({ indexed }) => indexed)
