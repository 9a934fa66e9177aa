import { callTypesInPlace, movesValue } from '../../../protocol/evm/calls.ts'

/** The types of calls that the lists of an address have even if they move no value: creations and self-destructions. */
const listedCallTypes = ['CREATE', 'CREATE2', 'SELFDESTRUCT'] as const
const listedTypes: ReadonlySet<string> = new Set(listedCallTypes)

/** Whether the lists of its parties have a call. */
export const isListedCall = ({ type, value }: { readonly type: string; readonly value: bigint }): boolean =>
  listedTypes.has(type) || movesValue(type, value)

const quoted = (types: Iterable<string>): string => Array.from(types, (type) => `'${type}'`).join(', ')

/** SQL that is true of the type of a call that moves its value. */
export const isMovingType = `type not in (${quoted(callTypesInPlace)})`

/**
 * SQL for `isListedCall`, of PostgreSQL and of the lake. `hasValue` is true of a call with a value. The
 * default is the predicate of the indexes calls_listed_sender and calls_listed_recipient.
 */
export const listedCalls = (hasValue = 'value > 0'): string =>
  `(${hasValue} and ${isMovingType} or type in (${quoted(listedCallTypes)}))`
