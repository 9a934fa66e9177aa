import { parseAbi, toEventSelector, toEventSignature, type AbiEvent } from 'viem'
import type { AbiItem } from '../kernel/settings/abi-file.ts'
import { literal } from '../lake/literal.ts'
import type { DescribedColumn } from './tables.ts'

/** The logs of one event as a table: a view over `logs` that decodes topics and data. */
export type EventTable = {
  readonly name: string
  readonly description: string
  readonly columns: readonly DescribedColumn[]
  readonly view: string
}

/** An ABI of the operator. Without an address, its events are those of any contract. */
export type EventSource = {
  readonly name: string
  readonly chainId?: number | undefined
  readonly address?: string | undefined
  readonly items: readonly AbiItem[]
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

/** The tables of the bundled events and of the operator's, which are named by ABI and event. */
export function eventTables(sources: readonly EventSource[]): EventTable[] {
  const tables = new Map<string, EventTable>()
  for (const [name, event] of bundled) {
    const [item] = parseAbi([event]) as readonly [AbiEvent]
    tables.set(name, tableOf(name, item, {}))
  }
  for (const { name, items, ...where } of sources) {
    for (const item of items) {
      if (item.type !== 'event' || item.anonymous) continue
      const table = `${snake(name)}_${snake(item.name)}`
      // An overloaded event, and another ABI of the same name, get a number.
      let unique = table
      for (let count = 2; tables.has(unique); count += 1) unique = `${table}_${count}`
      tables.set(unique, tableOf(unique, item, where))
    }
  }
  return [...tables.values()]
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
  where: { chainId?: number | undefined; address?: string | undefined },
) {
  const columns = [...place]
  let topics = 0
  let words = 0
  for (const [index, { name: argument = '', type, indexed, internalType }] of event.inputs.entries()) {
    const base = snake(argument || `arg${index}`)
    const column = reserved.has(base) ? `${base}_${type === 'address' ? 'address' : 'value'}` : base
    const isStatic = /^(address|bool|u?int\d*|bytes\d+)$/.test(type)
    let word: string
    if (indexed === true) word = `topic${(topics += 1)}[3:]`
    else {
      word = `data[${3 + 64 * words}:${66 + 64 * words}]`
      words += 1
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
  ]
  const list = columns.map((column) => `${column.expression} as "${column.name}"`)
  return {
    name,
    description: `Logs of ${signature}${where.address === undefined ? '' : ` of ${where.address}`}.`,
    columns: columns.map(({ expression: _expression, ...column }) => column),
    view: `create view "${name}" as select ${list.join(', ')} from logs where ${conditions.join(' and ')}`,
  }
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
