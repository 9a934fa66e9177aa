import { primaryChainIds } from '../../contract/primary/chains.ts'

/*
 * The hosted services and their official SDK write some fields in another form than this API. The same operations
 * answer in that form below `/hosted` (docs/api.md, The hosted form).
 */

const prefix = /^\/hosted(?=\/v[12]\/)/

/** The URL for the router: `/hosted/v1/…` becomes `/v1/…`. Other URLs stay unchanged. */
export function withoutHostedPrefix(url: string): string {
  return url.replace(prefix, '')
}

/** Whether a request's original URL asks for the hosted form. */
export function asksForHosted(originalUrl: string): boolean {
  return prefix.test(originalUrl)
}

type Fields = Record<string, unknown>
type Shape = (fields: Fields) => Fields

/** Transaction types that the hosted services do not list: their clients expect UNKNOWN. */
const newerTypes = new Set([
  'AddAutoRenewedValidatorTx',
  'SetAutoRenewedValidatorConfigTx',
  'RewardAutoRenewedValidatorTx',
])

/** The hosted services' values for a token without metadata: empty texts, 0 decimals. */
const tokenDefaults = new Map<unknown, Fields>([
  ['ERC-20', { name: '', symbol: '', decimals: 0 }],
  ['ERC-721', { name: '', symbol: '', tokenUri: '' }],
  ['ERC-1155', { tokenUri: '' }],
])

const shapeEverywhere: Shape = (fields) => ({
  ...tokenDefaults.get(fields['ercType']),
  ...fields,
  // A price or an amount's value, which is a decimal text in our form.
  ...(typeof fields['currencyCode'] === 'string' &&
    typeof fields['value'] === 'string' && { value: Number(fields['value']) }),
  ...(newerTypes.has(fields['txType'] as string) && { txType: 'UNKNOWN' }),
  // A UTXO from a vertex of the X-Chain has no block.
  ...('utxoType' in fields && { blockNumber: fields['blockNumber'] ?? '' }),
  // The sort key of NFT holders is text in the hosted form.
  ...(isInteger(fields['sortKey']) && { sortKey: String(fields['sortKey']) }),
})

function isInteger(value: unknown): boolean {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/** UTXOs and transactions of the X- and C-Chain, which have different records in the hosted form. */
const shapeAtomic: Shape = (fields) => ({
  ...fields,
  ...('outputIndex' in fields && {
    outputIndex: String(fields['outputIndex']),
    creationTxHash: fields['creationTxHash'] ?? fields['txHash'],
    timestamp: fields['timestamp'] ?? fields['blockTimestamp'],
    locktime: fields['locktime'] ?? fields['platformLocktime'] ?? 0,
  }),
  ...('txType' in fields && { memo: fields['memo'] ?? '' }),
  // An atomic transaction of the C-Chain names both chains, including its own.
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
 * Converts an answer to the hosted form: prices are numbers, `outputIndex` is text on the X- and C-Chain, and fields
 * that hosted clients require are never absent. `params` are the operation's path parameters.
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
