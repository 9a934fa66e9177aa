import { readFileSync, statSync } from 'node:fs'
import { whyUnreadable } from '../unreadable.ts'
import type { Abi, AbiEvent, AbiFunction, AbiParameter } from 'viem'

/** Maximum size of an ABI file in bytes. */
const largestFile = 8 * 1_048_576

/** A custom error of a contract. */
export type AbiError = Extract<Abi[number], { type: 'error' }>

/** The ABI items that can be decoded. */
export type AbiItem = AbiFunction | AbiEvent | AbiError

/** The functions, events and errors of an ABI file. Throws an Error that describes the problem. */
export function readAbiFile(path: string): readonly AbiItem[] {
  let value: unknown
  try {
    if (statSync(path).size > largestFile) throw new Error(`larger than ${largestFile} bytes`)
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`${path}: ${whyUnreadable(error)}; allowed: a readable JSON file`, { cause: error })
  }
  const list = Array.isArray(value) ? value : (value as { abi?: unknown } | null)?.abi
  if (!Array.isArray(list)) {
    throw new Error(`${path}: holds no list; allowed: an ABI, or an artifact with the key "abi"`)
  }
  return readAbi(list, path)
}

/** The functions, events and errors of an ABI. Throws an Error that names the entry of `where` that is none. */
export function readAbi(list: readonly unknown[], where: string): readonly AbiItem[] {
  return list.flatMap((item, index) => readItem(item, `${where}: entry ${index}`))
}

/**
 * The functions, events and errors of an ABI that a compiler made. Left out is what has no form in an ABI, such as the
 * storage pointers of a library's functions.
 */
export function readAbiItems(list: readonly unknown[]): readonly AbiItem[] {
  return list.flatMap((item) => {
    try {
      return readItem(item, 'the ABI')
    } catch {
      return []
    }
  })
}

const otherItems = new Set(['constructor', 'fallback', 'receive'])

function readItem(value: unknown, where: string): AbiItem[] {
  const item = fieldsOf(value, where)
  const { type, name, inputs, outputs, stateMutability, constant } = item
  if (typeof type === 'string' && otherItems.has(type)) return []
  if (type !== 'function' && type !== 'event' && type !== 'error') {
    throw new Error(`${where}: has the type ${JSON.stringify(type)}; allowed: function, event, error, …`)
  }
  if (typeof name !== 'string' || !/^[A-Za-z_$][\w$]{0,255}$/.test(name)) {
    throw new Error(`${where}: has no usable name`)
  }
  const parameters = readParameters(inputs, where)
  if (type === 'error') return [{ type, name, inputs: parameters }]
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

// Compilers before 0.5 write `constant` instead.
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
  if (typeof value !== 'object' || value === null) throw new Error(`${where}: is not an object`)
  return value as Record<string, unknown>
}
