import { parseAbi, toEventSelector, toEventSignature, type AbiEvent, type AbiParameter } from 'viem'
import type { AbiItem } from '../kernel/settings/abi-file.ts'
import { literal } from '../lake/literal.ts'
import { componentsOf } from '../tokens/abi/arguments.ts'
import type { DescribedColumn } from './tables.ts'

/** The logs of one event as a table: a view over `logs` that decodes topics and data. */
export type EventTable = {
  readonly name: string
  readonly description: string
  readonly columns: readonly DescribedColumn[]
  readonly view: string
  /** The table of the contracts whose logs these are, with `chain` and `address`, if it is needed, and their ABIs. */
  readonly contracts?: {
    readonly table: string
    readonly name: string
    readonly editions: readonly string[]
  }
}

/** An ABI of the operator, or of verified contracts. */
export type EventSource = {
  readonly name: string
  readonly items: readonly AbiItem[]
  /** Of the operator: without an address, its events are those of any contract. */
  readonly chainId?: number | undefined
  readonly address?: string | undefined
  /** Of verified contracts: what tells it from others of the same name. */
  readonly edition?: string
}

const bundled: readonly (readonly [table: string, event: string])[] = [
  ['erc20_transfer', 'event Transfer(address indexed from, address indexed to, uint256 value)'],
  ['erc20_approval', 'event Approval(address indexed owner, address indexed spender, uint256 value)'],
  ['erc721_transfer', 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'],
  [
    'erc721_approval',
    'event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
  ],
  [
    'erc1155_transfer_single',
    'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  ],
  [
    'approval_for_all',
    'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
  ],
  ['weth_deposit', 'event Deposit(address indexed dst, uint256 wad)'],
  ['weth_withdrawal', 'event Withdrawal(address indexed src, uint256 wad)'],
  [
    'uniswap_v2_swap',
    'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  ],
]

/**
 * What event views decode with. A word is 64 hex digits without 0x; a number that 128 bits with sign can't hold is
 * null, and its word is in the column beside it.
 */
export const eventMacros: readonly string[] = [
  "create macro limb_of(digits) as ('0x' || digits)::ubigint",
  `create macro uint_of(word) as case when word[1:32] = repeat('0', 32) and word[33] < '8'
    then limb_of(word[33:48])::hugeint * 18446744073709551616 + limb_of(word[49:64]) end`,
  `create macro int_of(word) as case when word[1:32] = repeat('f', 32) and word[33] >= '8'
    then (limb_of(word[33:48])::hugeint - 18446744073709551616) * 18446744073709551616 + limb_of(word[49:64])
    else uint_of(word) end`,
  // Bytes of any length: their place and length are words of the data.
  `create macro bytes_of(data, head) as data[3 + 2 * (uint_of(head)::bigint + 32):2 + 2 * (uint_of(head)::bigint + 32 +
    uint_of(data[3 + 2 * uint_of(head)::bigint:66 + 2 * uint_of(head)::bigint])::bigint)]`,
]

/**
 * The tables of the bundled events, of the operator's and of those of verified contracts, which are named by ABI and event.
 * Contracts of one name share the table of an event that they have alike. Names that are taken get a number.
 */
export function eventTables(
  sources: readonly EventSource[],
  taken: ReadonlySet<string> = new Set(),
): EventTable[] {
  const tables = new Map<string, EventTable>()
  const shared = new Map<string, { readonly item: AbiEvent; readonly table: string; editions: string[] }>()
  for (const [name, event] of bundled) {
    const [item] = parseAbi([event]) as readonly [AbiEvent]
    tables.set(name, tableOf(name, item, {}))
  }
  for (const { name, items, edition, ...where } of sources) {
    for (const item of items) {
      if (item.type !== 'event' || item.anonymous) continue
      const key = `${name} ${JSON.stringify(item)}`
      const alike = shared.get(key)
      if (alike && edition !== undefined) {
        alike.editions.push(edition)
        continue
      }
      const table = `${snake(name)}_${snake(item.name)}`
      // An overloaded event, and another ABI of the same name, get a number.
      const unique = untaken(table, (one) => tables.has(one) || taken.has(one))
      tables.set(unique, tableOf(unique, item, where))
      if (edition !== undefined) shared.set(key, { item, table: unique, editions: [edition] })
    }
  }
  for (const [key, { item, table, editions }] of shared) {
    const [name = ''] = key.split(' ', 1)
    const contracts = { table: `contracts_of_${table}`, name, editions }
    tables.set(table, tableOf(table, item, { contracts }))
  }
  return [...tables.values()]
}

/** A name with a number behind it, if it is taken. */
function untaken(name: string, isTaken: (name: string) => boolean): string {
  let unique = name
  for (let count = 2; isTaken(unique); count += 1) unique = `${name}_${count}`
  return unique
}

/** tokenId and HTTPServer as SQL has names: token_id, http_server. */
function snake(text: string): string {
  const words = text.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
  return (
    words
      .replaceAll(/\W+/g, '_')
      .replaceAll(/^_+|_+$/g, '')
      .toLowerCase() || 'unnamed'
  )
}

/** Columns of every event; an argument of the same name gets a prefix. */
const place: readonly (DescribedColumn & { readonly expression: string })[] = [
  { name: 'chain', type: 'BIGINT', description: 'the EVM chain id', expression: 'chain' },
  { name: 'number', type: 'BIGINT', description: 'height of its block', expression: 'number' },
  { name: 'time', type: 'TIMESTAMP', description: 'of its block, UTC', expression: '"time"' },
  {
    name: 'tx_index',
    type: 'INTEGER',
    description: 'place of its transaction in the block',
    expression: 'tx_index',
  },
  { name: 'log_index', type: 'INTEGER', description: 'place in the block', expression: '"index"' },
  { name: 'contract', type: 'VARCHAR', description: 'that emitted it', expression: 'address' },
]
const keywords = 'from to order group limit offset end user table select where when'
const reserved = new Set(keywords.split(' ').concat(place.map(({ name }) => name)))

function tableOf(
  name: string,
  event: AbiEvent,
  where: {
    chainId?: number | undefined
    address?: string | undefined
    contracts?: EventTable['contracts']
  },
): EventTable {
  const columns = [...place]
  let topics = 0
  let words = 0
  for (const [index, { name: argument = '', type, indexed, internalType }] of event.inputs.entries()) {
    const base = snake(argument || `arg${index}`)
    const named = reserved.has(base) ? `${base}_${type === 'address' ? 'address' : 'value'}` : base
    // The column of a whole word has a name of its own.
    const column = untaken(named, (one) =>
      columns.some((each) => each.name === one || each.name === `${one}_word`),
    )
    const isStatic = /^(address|bool|u?int\d*|bytes\d+)$/.test(type)
    let word: string
    if (indexed === true) word = `topic${(topics += 1)}[3:]`
    else {
      word = `data[${3 + 64 * words}:${66 + 64 * words}]`
      words += wordsOf(event.inputs[index] as AbiParameter)
    }
    const about = { description: internalType ?? type }
    // The hash of a value of variable length is all that a topic has of it.
    columns.push(...decoded(column, indexed === true && !isStatic ? 'bytes32' : type, word, about))
  }
  const signature = toEventSignature(event)
  const conditions = [
    `topic0 = ${literal(toEventSelector(event))}`,
    ...(topics > 0 ? [`topic${topics} is not null`] : []),
    ...(topics < 3 ? [`topic${topics + 1} is null`] : []),
    `length(data) >= ${2 + 64 * words}`,
    ...(where.chainId === undefined ? [] : [`chain = ${where.chainId}`]),
    ...(where.address === undefined ? [] : [`address = ${literal(where.address)}`]),
    ...(where.contracts === undefined
      ? []
      : [`(chain, address) in (select chain, address from "${where.contracts.table}")`]),
  ]
  const emitters = where.contracts
    ? ` of contracts whose verified source is called ${where.contracts.name}`
    : where.address === undefined
      ? ''
      : ` of ${where.address}`
  const list = columns.map((column) => `${column.expression} as "${column.name}"`)
  return {
    name,
    description: `Logs of ${signature}${emitters}.`,
    columns: columns.map(({ expression: _expression, ...column }) => column),
    view: `create view "${name}" as select ${list.join(', ')} from logs where ${conditions.join(' and ')}`,
    ...(where.contracts && { contracts: where.contracts }),
  }
}

/** The words that an argument takes in the head of the data: those of its parts, or one for the place of a dynamic value. */
function wordsOf(parameter: AbiParameter): number {
  if (isDynamic(parameter)) return 1
  const list = /^(.*)\[(\d+)\]$/.exec(parameter.type)
  if (list) return Number(list[2]) * wordsOf({ ...parameter, type: list[1] ?? '' })
  return componentsOf(parameter).reduce((sum, part) => sum + wordsOf(part), 0) || 1
}

function isDynamic(parameter: AbiParameter): boolean {
  const { type } = parameter
  if (type === 'bytes' || type === 'string' || type.endsWith('[]')) return true
  const list = /^(.*)\[\d+\]$/.exec(type)
  return list ? isDynamic({ ...parameter, type: list[1] ?? '' }) : componentsOf(parameter).some(isDynamic)
}

/** The columns of one argument. `word` is an expression of 64 hex digits. */
function decoded(
  name: string,
  type: string,
  word: string,
  about: { readonly description: string },
): (DescribedColumn & { readonly expression: string })[] {
  const text = (expression: string) => [{ name, type: 'VARCHAR', ...about, expression }]
  if (type === 'address') return text(`'0x' || ${word}[25:]`)
  if (type === 'bool') return [{ name, type: 'BOOLEAN', ...about, expression: `${word}[64] = '1'` }]
  const integer = /^(u?)int(\d*)$/.exec(type)
  if (integer) {
    const macro = integer[1] === 'u' ? 'uint_of' : 'int_of'
    const number = { name, type: 'HUGEINT', ...about, expression: `${macro}(${word})` }
    if (Number(integer[2] === '' ? 256 : integer[2]) < 128) return [number]
    const whole = { description: `${about.description}, all of its word`, expression: `'0x' || ${word}` }
    return [number, { name: `${name}_word`, type: 'VARCHAR', ...whole }]
  }
  const fixed = /^bytes(\d+)$/.exec(type)
  if (fixed) return text(`'0x' || ${word}[1:${2 * Number(fixed[1])}]`)
  if (type === 'bytes') return text(`'0x' || bytes_of(data, ${word})`)
  if (type === 'string') return text(`try(decode(unhex(bytes_of(data, ${word}))))`)
  // Lists and structs are left to whoever needs them: their first word, which may be an offset.
  return text(`'0x' || ${word}`)
}
