import {
  parseAbi,
  toEventSelector,
  toEventSignature,
  toFunctionSelector,
  toFunctionSignature,
  type AbiEvent,
  type AbiFunction,
} from 'viem'
import type { AbiError } from '../../kernel/settings/abi-file.ts'
import { knownSignatures } from './signatures.ts'

/** A known call, event or error, with the canonical signature that is hashed. */
export type Known<Item> = { readonly item: Item; readonly signature: string }

const functions = new Map<string, Known<AbiFunction>[]>()
const events = new Map<string, Known<AbiEvent>[]>()
const errors = new Map<string, Known<AbiError>[]>()

// parseAbi checks literal types at compile time, which the list is too long for.
for (const item of parseAbi(knownSignatures as readonly string[]) as readonly (
  AbiFunction | AbiEvent | AbiError
)[]) {
  if (item.type === 'function') {
    add(functions, toFunctionSelector(item), { item, signature: toFunctionSignature(item) })
  } else if (item.type === 'event') {
    add(events, toEventSelector(item), { item, signature: toEventSignature(item) })
  } else {
    const signature = errorSignature(item)
    add(errors, toFunctionSelector(signature), { item, signature })
  }
}

/** The canonical signature of a custom error. Its selector is that of a function with this signature. */
export function errorSignature({ name, inputs }: AbiError): string {
  return toFunctionSignature({ type: 'function', name, inputs, outputs: [], stateMutability: 'nonpayable' })
}

function add<Item>(map: Map<string, Known<Item>[]>, key: string, known: Known<Item>): void {
  const list = map.get(key)
  if (list) list.push(known)
  else map.set(key, [known])
}

/** The calls with this selector (0x and 8 hex digits, lower case). */
export function functionsOf(selector: string): readonly Known<AbiFunction>[] {
  return functions.get(selector) ?? []
}

/** The events with this first topic (0x and 64 hex digits, lower case). */
export function eventsOf(topic: string): readonly Known<AbiEvent>[] {
  return events.get(topic) ?? []
}

/** The errors with this selector (0x and 8 hex digits, lower case). */
export function errorsOf(selector: string): readonly Known<AbiError>[] {
  return errors.get(selector) ?? []
}
