import { getAddress, hexToBytes } from 'viem'
import type { Hex } from '../../kernel/hex.ts'
import { isHex, lower } from '../../kernel/hex.ts'
import type { Entry } from './feed.ts'

/** What the fields of a printed block depend on besides the block. */
export interface PrintOptions {
  readonly kind: 'c' | 'subnet'
  readonly chainId: number
  /** The length of the block's bytes. */
  readonly size: number
  /** Atomic transactions of a C block. */
  readonly extraData?: Uint8Array | undefined
}

/** Lines of a value, the first without its indentation. */
type Lines = readonly string[]
type Field = readonly [name: string, value: Lines]

const BYTES_A_LINE = 16
const BYTES_A_GROUP = 8
const DUMP_WIDTH = 48
const ZERO_TIME = '0001-01-01 00:00:00 +0000 UTC'
const PSEUDO = '*github.com/ava-labs/'

/** `open`, the fields one digit deeper, `close`. */
function block(open: string, fields: readonly Field[], close = '}'): Lines {
  const inner = fields.flatMap(([name, value], index) => {
    const lines = named(name, value)
    const last = index === fields.length - 1 ? '' : ','
    return lines.map((line, place) => ` ${line}${place === lines.length - 1 ? last : ''}`)
  })
  return [`${open}{`, ...inner, close]
}

function named(name: string, [first = '', ...rest]: Lines): Lines {
  return [name === '' ? first : `${name}: ${first}`, ...rest]
}

function pointer(type: string, fields: readonly Field[]): Lines {
  return block(`(*${type})(`, fields, '})')
}

function list(type: string, items: readonly Lines[]): Lines {
  const size = items.length === 0 ? '' : `(len=${items.length} cap=${items.length}) `
  return block(
    `(${type}) ${size}`,
    items.map((item) => ['', item] as const),
  )
}

function dump(bytes: Uint8Array): Lines {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += BYTES_A_LINE) {
    const part = [...bytes.subarray(at, at + BYTES_A_LINE)]
    const hex = part.map((byte) => byte.toString(16).padStart(2, '0'))
    const groups = [hex.slice(0, BYTES_A_GROUP).join(' '), hex.slice(BYTES_A_GROUP).join(' ')]
    const text = part.map((byte) => (byte >= 32 && byte <= 126 ? String.fromCharCode(byte) : '.')).join('')
    const place = at.toString(16).padStart(8, '0')
    lines.push(` ${place}  ${groups.join('  ').padEnd(DUMP_WIDTH)}  |${text}|`)
  }
  return lines
}

function bytesOf(type: string, bytes: Uint8Array): Lines {
  const size = bytes.length === 0 ? '' : `(len=${bytes.length} cap=${bytes.length}) `
  return [`(${type}) ${size}{`, ...dump(bytes), '}']
}

const hash = (value: unknown): Lines => [`(common.Hash) (len=32 cap=32) ${text(value)}`]
const address = (value: unknown): Lines => [`(common.Address) (len=20 cap=20) ${getAddress(text(value))}`]
const uint = (value: unknown): Lines => [`(uint64) ${BigInt(text(value))}`]
const isThere = (value: unknown): boolean => value !== undefined && value !== null
const big = (value: unknown): Lines => [`(*big.Int)(${isThere(value) ? BigInt(text(value)) : '<nil>'})`]
const counted = (type: string, value: unknown): Lines => [
  `(*${type})(${isThere(value) ? BigInt(text(value)) : '<nil>'})`,
]
const maybe = (type: string, size: number, value: unknown): Lines => [
  isThere(value) ? `(*${type})((len=${size} cap=${size}) ${shown(type, value)})` : `(*${type})(<nil>)`,
]
const cached = (value: Lines): Lines => block('(atomic.Value) ', [['v', value]])

function shown(type: string, value: unknown): string {
  return type === 'common.Address' ? getAddress(text(value)) : text(value)
}

function text(value: unknown): Hex {
  if (isHex(value)) return lower(value)
  throw new Error('a member of the block is missing')
}

const NO_HASH: Hex = `0x${'0'.repeat(64)}`

function pseudo(holder: string, type: string, fields: readonly Field[]): Lines {
  const held = pointer(type, fields)
  return pointer('pseudo.Type', [['val', pointer(`pseudo.concrete[${PSEUDO}${holder}]`, [['val', held]])]])
}

function header(entry: Entry, kind: PrintOptions['kind']): Lines {
  const network: readonly Field[] = [
    ['BlockGasCost', big(entry['blockGasCost'])],
    ['TimeMilliseconds', counted('uint64', entry['timestampMilliseconds'])],
    ['MinDelayExcess', counted('acp226.DelayExcess', entry['minDelayExcess'])],
  ]
  const atomic: readonly Field[] = [
    ['ExtDataHash', hash(entry['extDataHash'] ?? NO_HASH)],
    ['ExtDataGasUsed', big(entry['extDataGasUsed'])],
  ]
  const program = kind === 'c' ? 'coreth' : 'subnet-evm'
  const extra = pseudo(
    `${program}/plugin/evm/customtypes.HeaderExtra`,
    'customtypes.HeaderExtra',
    kind === 'c' ? [...atomic, ...network] : network,
  )
  return pointer('types.Header', [
    ['ParentHash', hash(entry['parentHash'])],
    ['UncleHash', hash(entry['sha3Uncles'])],
    ['Coinbase', address(entry['miner'])],
    ['Root', hash(entry['stateRoot'])],
    ['TxHash', hash(entry['transactionsRoot'])],
    ['ReceiptHash', hash(entry['receiptsRoot'])],
    ['Bloom', fixed('types.Bloom', entry['logsBloom'])],
    ['Difficulty', big(entry['difficulty'])],
    ['Number', big(entry['number'])],
    ['GasLimit', uint(entry['gasLimit'])],
    ['GasUsed', uint(entry['gasUsed'])],
    ['Time', uint(entry['timestamp'])],
    ['Extra', bytesOf('[]uint8', hexToBytes(text(entry['extraData'])))],
    ['MixDigest', hash(entry['mixHash'])],
    ['Nonce', fixed('types.BlockNonce', entry['nonce'])],
    ['BaseFee', big(entry['baseFeePerGas'])],
    ['WithdrawalsHash', maybe('common.Hash', 32, entry['withdrawalsRoot'])],
    ['BlobGasUsed', counted('uint64', entry['blobGasUsed'])],
    ['ExcessBlobGas', counted('uint64', entry['excessBlobGas'])],
    ['ParentBeaconRoot', maybe('common.Hash', 32, entry['parentBeaconBlockRoot'])],
    ['extra', extra],
  ])
}

function fixed(type: string, value: unknown): Lines {
  return bytesOf(type, hexToBytes(text(value)))
}

interface AccessEntry {
  readonly address: Hex
  readonly storageKeys: readonly Hex[]
}

function accessList(value: unknown): Lines {
  return list(
    'types.AccessList',
    ((value ?? []) as readonly AccessEntry[]).map((entry) =>
      block('(types.AccessTuple) ', [
        ['Address', address(entry.address)],
        ['StorageKeys', list('[]common.Hash', entry.storageKeys.map(hash))],
      ]),
    ),
  )
}

function inner(tx: Entry): Lines {
  const type = Number(tx['type'])
  const chain: readonly Field[] = [['ChainID', big(tx['chainId'])]]
  const price: readonly Field[] = [['GasPrice', big(tx['gasPrice'])]]
  const fees: readonly Field[] = [
    ['GasTipCap', big(tx['maxPriorityFeePerGas'])],
    ['GasFeeCap', big(tx['maxFeePerGas'])],
  ]
  return pointer(['types.LegacyTx', 'types.AccessListTx', 'types.DynamicFeeTx'][type] ?? 'types.TxData', [
    ...(type === 0 ? [] : chain),
    ['Nonce', uint(tx['nonce'])],
    ...(type === 2 ? fees : price),
    ['Gas', uint(tx['gas'])],
    ['To', maybe('common.Address', 20, tx['to'])],
    ['Value', big(tx['value'])],
    ['Data', bytesOf('[]uint8', hexToBytes(text(tx['input'])))],
    ...(type === 0 ? [] : [['AccessList', accessList(tx['accessList'])] as const]),
    ['V', big(tx['v'] ?? tx['yParity'])],
    ['R', big(tx['r'])],
    ['S', big(tx['s'])],
  ])
}

function signerOf(chainId: number): Lines {
  const ids: readonly Field[] = [
    ['chainId', [`(*big.Int)(${chainId})`]],
    ['chainIdMul', [`(*big.Int)(${2 * chainId})`]],
  ]
  let signer = block('(types.EIP155Signer) ', ids)
  for (const [name, type] of [
    ['EIP155Signer', 'types.eip2930Signer'],
    ['eip2930Signer', 'types.londonSigner'],
    ['londonSigner', 'types.cancunSigner'],
  ] as const) {
    signer = block(`(${type}) `, [[name, signer]])
  }
  return signer
}

function transaction(tx: Entry, seen: string, size: number, chainId: number): Lines {
  const sender = block('(types.sigCache) ', [
    ['signer', signerOf(chainId)],
    ['from', address(tx['from'])],
  ])
  return pointer('types.Transaction', [
    ['inner', inner(tx)],
    ['time', [`(time.Time) ${seen}`]],
    ['hash', cached(hash(tx['hash']))],
    ['size', cached([`(uint64) ${size}`])],
    ['from', cached(sender)],
  ])
}

/**
 * debug_printBlock: a block as Go prints it, but for the addresses in the node's memory, which mean nothing. `entry` is
 * the block with whole transactions, `sizes` are the lengths of their bytes. A transaction's time is that of its block.
 */
export function printed(entry: Entry, sizes: readonly number[], options: PrintOptions): string {
  const { kind, chainId, size, extraData = new Uint8Array() } = options
  const seconds = Number(entry['timestamp'])
  const seen = `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} +0000 UTC`
  const transactions = (entry['transactions'] as readonly Entry[]).map((tx, index) =>
    transaction(tx, seen, sizes[index] ?? 0, chainId),
  )
  const body =
    kind === 'c'
      ? pseudo('coreth/plugin/evm/customtypes.BlockBodyExtra', 'customtypes.BlockBodyExtra', [
          ['Version', ['(uint32) 0']],
          ['ExtData', extraBytes(extraData)],
        ])
      : pseudo('libevm/core/types.NOOPBlockBodyHooks', 'types.NOOPBlockBodyHooks', [])
  const lines = pointer('types.Block', [
    ['header', header(entry, kind)],
    ['uncles', list('[]*types.Header', [])],
    ['transactions', list('types.Transactions', transactions)],
    ['withdrawals', ['(types.Withdrawals) <nil>']],
    ['hash', cached(hash(entry['hash']))],
    ['size', cached([`(uint64) ${size}`])],
    ['ReceivedAt', [`(time.Time) ${ZERO_TIME}`]],
    ['ReceivedFrom', ['(interface {}) <nil>']],
    ['extra', body],
  ])
  return `${lines.join('\n')}\n`
}

function extraBytes(bytes: Uint8Array): Lines {
  const size = bytes.length === 0 ? '' : `(len=${bytes.length} cap=${bytes.length}) `
  return [`(*[]uint8)(${size}{`, ...dump(bytes), '})']
}
