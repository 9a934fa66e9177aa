import { z } from 'zod'

/** A response object: known fields are validated, unknown ones are kept (hosted services send more). */
export const record = z.looseObject

/**
 * An enumeration in an answer. Its known values are documented; other values are accepted as text (as in the
 * hosted API), so that an explorer does not fail on a newer type.
 */
export function openEnum<const V extends readonly string[]>(values: V) {
  return z
    .string()
    .meta({ 'x-known-values': [...values] })
    .transform((value) => value as V[number] | (string & {}))
}

/**
 * A field that this service always sends; lists are sent even when empty. A hosted service may omit it, so
 * clients accept answers without it; the OpenAPI document lists it as required.
 */
export const alwaysSent = <T extends z.ZodType>(schema: T) => schema.optional().meta({ alwaysSent: true })

/** 0x and 40 hex digits, in any case. */
export const evmAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')
  .meta({ example: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' })

/** 0x and 64 hex digits, in any case. */
export const evmHash = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be a hash: 0x and 64 hex digits')

/** An integer amount as a decimal string (docs/api.md, Answers). */
export const amount = z.string().regex(/^\d+$/, 'must be an integer in decimal digits')

/** Integer Unix seconds, UTC. */
export const timestamp = z.number().int()

/**
 * A JSON integer that may exceed 2^53. Parsers that preserve digits return it as a bigint; on the wire it is a plain
 * number.
 */
export const wideInteger = z.union([z.number().int(), z.bigint()]).meta({ wire: { type: 'integer' } })

/** The networks in paths; `testnet` is an alias of `fuji` (docs/api.md). */
export const networkNames = ['mainnet', 'fuji', 'testnet'] as const
export const networkName = z.enum(networkNames)

export const sortOrder = z
  .enum(['asc', 'desc'])
  .describe('The order of timestamps, or of `sortBy` where it is given')

/** A supported EVM chain id or a blockchain id (docs/api.md, Answers). */
export const chainId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[0-9A-Za-z]+$/, 'must be an EVM chain id or a blockchain id')
  .describe('A supported EVM chain id or blockchain id')
  .meta({ example: '43113' })

export const pageToken = z
  .string()
  .min(1)
  .max(2048)
  .describe('A page token received from a previous list call')

/**
 * An integer in a query string. Only decimal digits are accepted: plain coercion would read an empty value as
 * 0, and `1e3` or `0x10` as numbers.
 */
export function queryInteger(bounds: { min: number; max: number }) {
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^-?\d+$/)
          .transform(Number),
      ],
      { error: 'must be a whole number' },
    )
    .pipe(z.number().int().min(bounds.min).max(bounds.max))
    .meta({ wire: { type: 'integer', minimum: bounds.min, maximum: bounds.max } })
}

/** The page size of a list, with the bounds of docs/api.md, Keys and limits. */
export function pageSize(bounds: { min: number; max: number; default: number }) {
  return queryInteger(bounds).default(bounds.default).describe('The maximum number of items to return')
}

/** `pageToken` and `pageSize` of a list operation. */
export function paging(bounds: { min: number; max: number; default: number }) {
  return { pageToken: pageToken.optional(), pageSize: pageSize(bounds) }
}

/** A non-negative integer in a query string, such as a Unix time or a height. */
export const wholeNumber = queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })

export const startTimestamp = wholeNumber.describe('Unix seconds: only items after this time')
export const endTimestamp = wholeNumber.describe('Unix seconds: only items before this time')

export const startBlock = wholeNumber.describe('First block, inclusive; genesis by default')
export const endBlock = wholeNumber.describe('End of the blocks, exclusive; the head by default')

/** Blocks of a chain, both ends included. */
export const blockSpan = record({ firstBlock: z.string(), lastBlock: z.string() })
export type BlockSpan = z.infer<typeof blockSpan>

/** Blocks whose internal calls are unknown. */
export const untracedBlocks = z
  .array(blockSpan)
  .optional()
  .describe(
    'Ranges of blocks that the node could not trace, latest first, 100 at most; absent when there is none',
  )

/**
 * A comma-separated list in a query string, of one to `max` items. The OpenAPI document derives its pattern
 * from the item's.
 */
export function commaList(item: z.ZodType<string, string>, max: number) {
  return z
    .string({ error: ({ input }) => (input === undefined ? 'at least one is required' : undefined) })
    .min(1)
    .max(max * 128)
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(item).min(1).max(max))
    .meta({ wire: { type: 'string' }, listed: { item, max } })
}

/** `nextPageToken` of a list: present only if another page exists. */
export const nextPageToken = z.string().optional()
