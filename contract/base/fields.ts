import * as z from 'zod/mini'

/** A response object: known fields are validated, unknown ones are kept (hosted services send more). */
export const record = z.looseObject

/**
 * An enumeration in an answer. Its known values are documented; other values are accepted as text (as in the
 * hosted API), so that an explorer does not fail on a newer type.
 */
export function openEnum<const V extends readonly string[]>(values: V) {
  return z.pipe(
    z.string().with(z.meta({ 'x-known-values': [...values] })),
    z.transform((value) => value as V[number] | (string & {})),
  )
}

/**
 * A field that this service always sends; lists are sent even when empty. A hosted service may omit it, so
 * clients accept answers without it; the OpenAPI document lists it as required.
 */
export const alwaysSent = <T extends z.ZodMiniType>(schema: T) =>
  z.optional(schema).with(z.meta({ alwaysSent: true }))

/** 0x and 40 hex digits, in any case. */
export const evmAddress = z
  .string()
  .check(
    z.regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits'),
    z.meta({ example: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }),
  )

/** 0x and 64 hex digits, in any case. */
export const evmHash = z
  .string()
  .check(z.regex(/^0x[0-9a-fA-F]{64}$/, 'must be a hash: 0x and 64 hex digits'))

/** An integer amount as a decimal string (docs/api.md, Answers). */
export const amount = z.string().check(z.regex(/^\d+$/, 'must be an integer in decimal digits'))

/** Integer Unix seconds, UTC. */
export const timestamp = z.int()

/**
 * A JSON integer that may exceed 2^53. Parsers that preserve digits return it as a bigint; on the wire it is a plain
 * number.
 */
export const wideInteger = z.union([z.int(), z.bigint()]).with(z.meta({ wire: { type: 'integer' } }))

/** The networks in paths; `testnet` is an alias of `fuji` (docs/api.md). */
export const networkNames = ['mainnet', 'fuji', 'testnet'] as const
export const networkName = z.enum(networkNames)

export const sortOrder = z
  .enum(['asc', 'desc'])
  .with(z.describe('Sort order by timestamp, or by `sortBy` if given'))

/** A supported EVM chain id or a blockchain id (docs/api.md, Answers). */
export const chainId = z
  .string()
  .check(
    z.minLength(1),
    z.maxLength(64),
    z.regex(/^[0-9A-Za-z]+$/, 'must be an EVM chain ID or a blockchain ID'),
    z.describe('A supported EVM chain ID or blockchain ID'),
    z.meta({ example: '43113' }),
  )

export const pageToken = z
  .string()
  .check(z.minLength(1), z.maxLength(2048), z.describe('A page token received from a previous list call'))

/**
 * An integer in a query string. Only decimal digits are accepted: plain coercion would read an empty value as
 * 0, and `1e3` or `0x10` as numbers.
 */
export function queryInteger(bounds: { min: number; max: number }) {
  return z
    .pipe(
      z.union([z.number(), z.pipe(z.string().check(z.regex(/^-?\d+$/)), z.transform(Number))], {
        error: 'must be a whole number',
      }),
      z.int().check(z.gte(bounds.min), z.lte(bounds.max)),
    )
    .with(z.meta({ wire: { type: 'integer', minimum: bounds.min, maximum: bounds.max } }))
}

/** The page size of a list, with the bounds of docs/api.md, Keys and limits. */
export function pageSize(bounds: { min: number; max: number; default: number }) {
  return z
    ._default(queryInteger(bounds), bounds.default)
    .with(z.describe('The maximum number of items to return'))
}

/** `pageToken` and `pageSize` of a list operation. */
export function paging(bounds: { min: number; max: number; default: number }) {
  return { pageToken: z.optional(pageToken), pageSize: pageSize(bounds) }
}

/** A non-negative integer in a query string, such as a Unix time or a height. */
export const wholeNumber = queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER })

/** The times of a list's items, both ends excluded. */
export const timeWindow = {
  startTimestamp: z.optional(wholeNumber).with(z.describe('Unix seconds: only items after this time')),
  endTimestamp: z.optional(wholeNumber).with(z.describe('Unix seconds: only items before this time')),
}

/** The blocks of a list's items. */
export const blockRange = {
  startBlock: z.optional(wholeNumber).with(z.describe('First block, inclusive; defaults to genesis')),
  endBlock: z.optional(wholeNumber).with(z.describe('End of the range, exclusive; defaults to the head')),
}

/** Blocks of a chain, both ends included. */
const blockSpan = record({ firstBlock: z.string(), lastBlock: z.string() })
export type BlockSpan = z.infer<typeof blockSpan>

/** Blocks whose internal calls are unknown. */
export const untracedBlocks = z.optional(z.array(blockSpan))

/** What a chain with `keepTraces` or `keepLogs` no longer keeps (docs/operations.md, Keeping less). */
export const keptFrom = {
  tracesFrom: z.optional(z.string()),
  logsFrom: z.optional(z.string()),
}

export type KeptFrom = { tracesFrom?: string | undefined; logsFrom?: string | undefined }

/**
 * A comma-separated list in a query string, of one to `max` items. The OpenAPI document derives its pattern
 * from the item's.
 */
export function commaList(item: z.ZodMiniType<string, string>, max: number) {
  return z
    .pipe(
      z.pipe(
        z
          .string({ error: ({ input }) => (input === undefined ? 'at least one is required' : undefined) })
          .check(z.minLength(1), z.maxLength(max * 128)),
        z.transform((text) => text.split(',').map((part) => part.trim())),
      ),
      z.array(item).check(z.minLength(1), z.maxLength(max)),
    )
    .with(z.meta({ wire: { type: 'string' }, listed: { item, max } }))
}

/** `nextPageToken` of a list: present only if another page exists. */
export const nextPageToken = z.optional(z.string())
