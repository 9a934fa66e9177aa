import { primaryChainIds } from '../../contract/primary/fields.ts'

/*
 * The hosted services and their official SDK write some fields in another form than this API. The same operations
 * answer in that form below `/hosted` (docs/api.md, The hosted form).
 */

const prefix = /^\/hosted(?=\/v[12]\/)/

/** The URL that the router sees: `/hosted/v1/…` is `/v1/…`. Every other URL stays as it is. */
export function withoutHostedPrefix(url: string): string {
  return url.replace(prefix, '')
}

/** Whether a request, by the URL that its caller sent, asks for the hosted form. */
export function asksForHosted(originalUrl: string): boolean {
  return prefix.test(originalUrl)
}

type Fields = Record<string, unknown>
type Shape = (fields: Fields) => Fields

/** Transaction types that the hosted services do not list yet: their clients know UNKNOWN. */
const newerTypes = new Set([
  'AddAutoRenewedValidatorTx',
  'SetAutoRenewedValidatorConfigTx',
  'RewardAutoRenewedValidatorTx',
])

/** What the hosted services send for a token whose contract does not tell: empty text, amounts in the smallest unit. */
const tokenDefaults = new Map<unknown, Fields>([
  ['ERC-20', { name: '', symbol: '', decimals: 0 }],
  ['ERC-721', { name: '', symbol: '', tokenUri: '' }],
  ['ERC-1155', { tokenUri: '' }],
])

const shapeEverywhere: Shape = (fields) => ({
  ...tokenDefaults.get(fields['ercType']),
  ...fields,
  // A price or what an amount is worth: a decimal text here.
  ...(typeof fields['currencyCode'] === 'string' &&
    typeof fields['value'] === 'string' && { value: Number(fields['value']) }),
  ...(newerTypes.has(fields['txType'] as string) && { txType: 'UNKNOWN' }),
  // A UTXO from a vertex of the X-chain has no block.
  ...('utxoType' in fields && { blockNumber: fields['blockNumber'] ?? '' }),
  // The key by which the hosted service sorts NFT holders is text.
  ...(isInteger(fields['sortKey']) && { sortKey: String(fields['sortKey']) }),
})

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** UTXOs and transactions of the X- and C-chain, which have records of their own there. */
const shapeAtomic: Shape = (fields) => ({
  ...fields,
  ...('outputIndex' in fields && {
    outputIndex: String(fields['outputIndex']),
    creationTxHash: fields['creationTxHash'] ?? fields['txHash'],
    timestamp: fields['timestamp'] ?? fields['blockTimestamp'],
    locktime: fields['locktime'] ?? fields['platformLocktime'] ?? 0,
  }),
  ...('txType' in fields && { memo: fields['memo'] ?? '' }),
  // An atomic transaction of the C-chain names both chains, its own too.
  ...('evmInputs' in fields && {
    sourceChain: fields['sourceChain'] ?? chainOfUtxo(fields['emittedUtxos'], 'createdOnChainId'),
    destinationChain: fields['destinationChain'] ?? chainOfUtxo(fields['consumedUtxos'], 'consumedOnChainId'),
  }),
})

function chainOfUtxo(utxos: unknown, field: 'createdOnChainId' | 'consumedOnChainId'): unknown {
  return (utxos as readonly Fields[])[0]?.[field]
}

function reshape(value: unknown, shape: Shape): unknown {
  if (Array.isArray(value)) return value.map((item) => reshape(item, shape))
  if (typeof value !== 'object' || value === null) return value
  const present = Object.entries(value).filter(([, field]) => field !== undefined)
  return shape(Object.fromEntries(present.map(([key, field]) => [key, reshape(field, shape)])))
}

/**
 * An answer in the form of the hosted services: prices are numbers, `outputIndex` is text on the X-
 * and C-chain, and fields that their clients demand are never absent. `params` are those of the operation's path.
 */
export function toHostedForm(params: unknown, answer: unknown): unknown {
  const { blockchainId } = params as { readonly blockchainId?: string }
  const isAtomic =
    blockchainId !== undefined && blockchainId !== 'p-chain' && blockchainId !== primaryChainIds.p
  return reshape(answer, (fields) => {
    const common = shapeEverywhere(fields)
    return isAtomic ? shapeAtomic(common) : common
  })
}
