import { readFileSync, statSync } from 'node:fs'
import {
  toEventSelector,
  toEventSignature,
  toFunctionSelector,
  toFunctionSignature,
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
} from 'viem'
import { eventsOf, functionsOf, type Known } from './known.ts'
import type { AbiSetting } from '../../kernel/abi-settings.ts'

/** What an ABI of the operator says of a contract. */
export type ContractAbi = {
  readonly name: string
  readonly functions: ReadonlyMap<string, Known<AbiFunction>>
  readonly events: ReadonlyMap<string, readonly Known<AbiEvent>[]>
}

/** Signatures that may be meant. `verified`: they come from the ABI that the operator gave for the contract. */
export type Candidates<Item> = { readonly verified: boolean; readonly known: readonly Known<Item>[] }

/** The operator's ABIs, before the bundled signatures. Selectors and topics are lower-case 0x text. */
export type AbiBook = {
  /** The ABI that describes a contract; undefined when the operator gave none for it. */
  of(chainId: string, address: string): ContractAbi | undefined
  functions(selector: string, chainId: string, address: string): Candidates<AbiFunction>
  events(topic: string, chainId: string, address: string): Candidates<AbiEvent>
}

/** Reads the ABIs of the settings, whose paths are absolute by now. Throws an Error that names the file. */
export function createAbiBook(settings: readonly AbiSetting[]): AbiBook {
  const verified = new Map<string, ContractAbi>()
  const general: { chainId: string; abi: ContractAbi }[] = []
  for (const { chainId, address, name, path } of settings) {
    const abi = indexAbi(name, readAbiFile(path))
    const chain = chainId === undefined ? anyChain : String(chainId)
    if (address === undefined) general.push({ chainId: chain, abi })
    else verified.set(`${chain} ${address}`, abi)
  }
  const of = (chainId: string, address: string): ContractAbi | undefined =>
    verified.get(`${chainId} ${address}`) ?? verified.get(`${anyChain} ${address}`)
  const generalOf = (chainId: string): ContractAbi[] =>
    general.filter((entry) => entry.chainId === anyChain || entry.chainId === chainId).map(({ abi }) => abi)
  return {
    of,
    functions(selector, chainId, address) {
      const own = of(chainId, address)?.functions.get(selector)
      if (own) return { verified: true, known: [own] }
      const more = generalOf(chainId).flatMap((abi) => abi.functions.get(selector) ?? [])
      return { verified: false, known: distinct([...more, ...functionsOf(selector)]) }
    },
    events(topic, chainId, address) {
      const own = of(chainId, address)?.events.get(topic)
      if (own) return { verified: true, known: own }
      const more = generalOf(chainId).flatMap((abi) => abi.events.get(topic) ?? [])
      return { verified: false, known: [...more, ...eventsOf(topic)] }
    },
  }
}

const anyChain = 'any'

function distinct<Item>(known: readonly Known<Item>[]): readonly Known<Item>[] {
  if (known.length < 2) return known
  return [...new Map(known.map((entry) => [entry.signature, entry] as const).reverse()).values()].reverse()
}

/** The largest ABI file that is read, in bytes. */
const largestFile = 8 * 1_048_576

type AbiItem = AbiFunction | AbiEvent

/** The functions and events of an ABI file. Throws an Error that says what is wrong with the file. */
export function readAbiFile(path: string): readonly AbiItem[] {
  let value: unknown
  try {
    if (statSync(path).size > largestFile) throw new Error(`larger than ${largestFile} bytes`)
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}; allowed: a readable JSON file`, { cause: error })
  }
  const list = Array.isArray(value) ? value : (value as { abi?: unknown } | null)?.abi
  if (!Array.isArray(list)) {
    throw new Error(`${path}: holds no list; allowed: an ABI, or an artifact with the key "abi"`)
  }
  return list.flatMap((item: unknown, index) => readItem(item, `${path}: entry ${index}`))
}

const otherItems = new Set(['constructor', 'fallback', 'receive', 'error'])

function readItem(value: unknown, where: string): AbiItem[] {
  const item = fieldsOf(value, where)
  const { type, name, inputs, outputs, stateMutability, constant } = item
  if (typeof type === 'string' && otherItems.has(type)) return []
  if (type !== 'function' && type !== 'event') {
    throw new Error(`${where}: has the type ${JSON.stringify(type)}; allowed: function, event, error, …`)
  }
  if (typeof name !== 'string' || !/^[A-Za-z_$][\w$]{0,255}$/.test(name)) {
    throw new Error(`${where}: has no usable name`)
  }
  const parameters = readParameters(inputs, where)
  if (type === 'event') {
    const anonymous = item['anonymous'] === true
    return anonymous ? [] : [{ type, name, inputs: parameters }]
  }
  return [
    {
      type,
      name,
      inputs: parameters,
      outputs: readParameters(outputs ?? [], where),
      stateMutability: readMutability(stateMutability, constant),
    },
  ]
}

// ABIs of compilers before 0.5 say `constant` instead.
function readMutability(value: unknown, constant: unknown): AbiFunction['stateMutability'] {
  if (value === 'view' || value === 'pure' || value === 'payable') return value
  return value === undefined && constant === true ? 'view' : 'nonpayable'
}

const parameterType =
  /^(address|bool|string|function|tuple|bytes([1-9]|[12]\d|3[0-2])?|u?int(8|16|24|32|40|48|56|64|72|80|88|96|104|112|120|128|136|144|152|160|168|176|184|192|200|208|216|224|232|240|248|256))(\[\d{0,9}\])*$/

function readParameters(value: unknown, where: string, depth = 0): (AbiParameter & { indexed?: boolean })[] {
  if (!Array.isArray(value) || value.length > 64 || depth > 16) {
    throw new Error(`${where}: has no usable list of parameters`)
  }
  return value.map((part: unknown) => {
    const { type, name, indexed, components } = fieldsOf(part, where)
    if (typeof type !== 'string' || !parameterType.test(type)) {
      throw new Error(`${where}: has a parameter of the type ${JSON.stringify(type)?.slice(0, 60)}`)
    }
    return {
      type,
      name: typeof name === 'string' ? name.slice(0, 256) : '',
      ...(indexed === true && { indexed }),
      ...(type.startsWith('tuple') && { components: readParameters(components, where, depth + 1) }),
    }
  })
}

function fieldsOf(value: unknown, where: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`${where}: is no object`)
  return value as Record<string, unknown>
}

function indexAbi(name: string, items: readonly AbiItem[]): ContractAbi {
  const functions = new Map<string, Known<AbiFunction>>()
  const events = new Map<string, Known<AbiEvent>[]>()
  for (const item of items) {
    if (item.type === 'function') {
      functions.set(toFunctionSelector(item), { item, signature: toFunctionSignature(item) })
      continue
    }
    const topic = toEventSelector(item)
    events.set(topic, [...(events.get(topic) ?? []), { item, signature: toEventSignature(item) }])
  }
  return { name, functions, events }
}
