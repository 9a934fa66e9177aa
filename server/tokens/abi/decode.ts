import {
  decodeAbiParameters,
  decodeEventLog,
  encodeAbiParameters,
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
  type Hex,
} from 'viem'
import type { Decoded } from '../../../contract/evm/transactions.ts'
import type { AbiError } from '../../kernel/settings/abi-file.ts'
import { componentsOf, nameless, typeText } from './arguments.ts'
import { eventsOf, functionsOf } from './known.ts'
import type { Candidates } from './operator.ts'

type Argument = Decoded['args'][number]

/**
 * Longer input or data (in characters) is shown raw: decoding malicious nesting is expensive and of little
 * use.
 */
export const maxDecoded = 200_000

/**
 * Decodes the call, or the data of a custom error, in `input` (0x hex) if its selector is known and the arguments decode. If several
 * signatures share the selector, the first whose arguments encode back to the same input is used, otherwise
 * the first that decodes; `candidates` then lists all signatures that decode.
 */
export function decodeCall(
  input: string,
  { known, from }: Candidates<AbiFunction | AbiError> = { known: functionsOf(input.slice(0, 10)) },
): Decoded | undefined {
  if (input.length > maxDecoded) return undefined
  const data: Hex = `0x${input.slice(10)}`
  let exact: Decoded | undefined
  let loose: Decoded | undefined
  const candidates: string[] = []
  for (const { item, signature } of known) {
    const values = attempt(() => decodeValues(item.inputs, data))
    if (!values) continue
    candidates.push(signature)
    const args = item.inputs.map(argument(values))
    const decoded = { name: item.name, signature, args, ...(from && { abiFrom: from }) }
    loose ??= decoded
    if (!exact && attempt(() => encodeAbiParameters(item.inputs, values)) === data) exact = decoded
  }
  const decoded = exact ?? loose
  return decoded && candidates.length > 1 ? { ...decoded, candidates } : decoded
}

/** Decodes the event of a log if its first topic is known and topics and data match a signature. */
export function decodeLog(
  topics: readonly string[],
  data: string,
  { known, from }: Candidates<AbiEvent> = { known: eventsOf(topics[0] ?? '') },
): Decoded | undefined {
  if (topics.length === 0 || data.length > maxDecoded) return undefined
  for (const { item, signature } of known) {
    const indexed = item.inputs.filter((input) => input.indexed)
    // ERC-20 and ERC-721 share a topic and differ in the indexed parameters.
    if (indexed.length !== topics.length - 1) continue
    const decoded = attempt(() =>
      decodeEventLog({
        abi: [{ ...item, inputs: nameless(item.inputs) }],
        topics: topics as [Hex, ...Hex[]],
        data: data as Hex,
        strict: true,
      }),
    )
    const values = decoded?.args as readonly unknown[] | undefined
    if (!values) continue
    const read = argument(values)
    return {
      name: item.name,
      signature,
      args: item.inputs.map((input, index) => ({ ...read(input, index), indexed: input.indexed === true })),
      ...(from && { abiFrom: from }),
    }
  }
  return undefined
}

/** The values of ABI-encoded data, tuples as lists. Throws viem's error for data that do not match. */
export function decodeValues(inputs: readonly AbiParameter[], data: Hex): readonly unknown[] {
  if (inputs.length === 0) return []
  return decodeAbiParameters(nameless(inputs), data)
}

/** What a function returned, as text; undefined for data that do not fit its ABI. */
export function decodeOutputs({ outputs }: AbiFunction, data: string) {
  const values = attempt(() => decodeValues(outputs, data as Hex))
  return (
    values &&
    outputs.map((output, index) => ({
      name: output.name ?? '',
      type: typeText(output),
      value: toText(values[index], output),
    }))
  )
}

// viem throws for data that are too short, have offsets out of range or contain invalid UTF-8; then only the
// raw form is shown.
function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action()
  } catch {
    return undefined
  }
}

function argument(values: readonly unknown[]) {
  return (input: AbiParameter, index: number): Argument => ({
    name: input.name ?? '',
    type: input.type,
    value: toText(values[index], input),
  })
}

/** A decoded value as text; lists and tuples as lists of texts, in order. */
export function toText(value: unknown, parameter: AbiParameter): string | unknown[] {
  if (Array.isArray(value)) {
    const item = { ...parameter, type: parameter.type.replace(/\[\d*\]$/, '') }
    const components = parameter.type === 'tuple' ? componentsOf(parameter) : []
    return value.map((part: unknown, index) => toText(part, components[index] ?? item))
  }
  const text = String(value)
  // The API returns addresses in lower case; viem adds a checksum.
  return parameter.type === 'address' ? text.toLowerCase() : text
}
