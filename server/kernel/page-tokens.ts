import { createHmac, timingSafeEqual } from 'node:crypto'
import { badRequest } from './http-errors.ts'

/** A position in a list, from which the keyset query starts. Whole numbers as text or number, or text. */
export type Position = readonly (string | number)[]

/** The scope of a page token: the operation and all parameters that select or order its rows. */
export type PageTokenScope = {
  readonly operation: string
  /** Path and query parameters, without pageToken and pageSize. */
  readonly filters: Readonly<Record<string, unknown>>
}

/** How long a page token is valid, in seconds (docs/api.md, Keys and limits). */
export const pageTokenLife = 24 * 60 * 60

const macLength = 16
const wrong = 'pageToken: was not made for this request'

/**
 * Page tokens are stateless: a page token contains its position, signed together with the operation and its
 * filters, so it is valid for that list only.
 */
export type PageTokens = {
  /** A page token of the data API: opaque text. */
  sealData(scope: PageTokenScope, position: Position): string
  /** The position of such a page token. Throws a 400 if it is foreign, altered or expired. */
  openData(scope: PageTokenScope, pageToken: string): Position
  /** A page token of the metrics API: a UUID of version 8. `position` is a safe integer from 0 on. */
  sealMetrics(scope: PageTokenScope, position: number): string
  /**
   * The position of such a page token; undefined if it has expired: the listing then restarts from the first
   * page (docs/api.md, Keys and limits). Throws a 400 if it is foreign or altered.
   */
  openMetrics(scope: PageTokenScope, pageToken: string): number | undefined
  /** A page token of the metrics API for a position too large for a UUID: opaque text, as in the data API. */
  sealWide(scope: PageTokenScope, position: Position): string
  /** The position of such a page token; undefined if it has expired, as in openMetrics. */
  openWide(scope: PageTokenScope, pageToken: string): Position | undefined
}

type Purpose = 'data' | 'metrics' | 'wide'

/** Creates and validates page tokens. `clock` returns Unix seconds. */
export function createPageTokens(secret: Buffer, clock: () => number): PageTokens {
  // A request opens one page token and seals the next with the same scope.
  const texts = new WeakMap<PageTokenScope, string>()
  const textOf = (scope: PageTokenScope): string => {
    let text = texts.get(scope)
    if (text === undefined) {
      text = JSON.stringify([scope.operation, sortedEntries(scope.filters)])
      texts.set(scope, text)
    }
    return text
  }
  const sign = (purpose: Purpose, scope: PageTokenScope, payload: Buffer): Buffer =>
    createHmac('sha256', secret)
      .update(`${purpose}\n${textOf(scope)}\n`)
      .update(payload)
      .digest()

  const seal = (purpose: Purpose, scope: PageTokenScope, position: Position): string => {
    const payload = Buffer.from(JSON.stringify([clock() + pageTokenLife, ...position]))
    const mac = sign(purpose, scope, payload).subarray(0, macLength)
    return Buffer.concat([mac, payload]).toString('base64url')
  }

  const open = (
    purpose: Purpose,
    scope: PageTokenScope,
    pageToken: string,
  ): { expired: boolean; position: Position } => {
    const bytes = decodeBase64Url(pageToken)
    if (!bytes || bytes.length <= macLength) throw badRequest('pageToken: is malformed')
    const payload = bytes.subarray(macLength)
    const mac = sign(purpose, scope, payload).subarray(0, macLength)
    if (!timingSafeEqual(mac, bytes.subarray(0, macLength))) throw badRequest(wrong)
    const [expiry, ...position] = JSON.parse(payload.toString()) as [number, ...(string | number)[]]
    return { expired: expiry < clock(), position }
  }

  return {
    sealData: (scope, position) => seal('data', scope, position),

    openData(scope, pageToken) {
      const { expired, position } = open('data', scope, pageToken)
      if (expired) throw badRequest('pageToken: has expired, start again from the first page')
      return position
    },

    sealWide: (scope, position) => seal('wide', scope, position),

    openWide(scope, pageToken) {
      const { expired, position } = open('wide', scope, pageToken)
      return expired ? undefined : position
    },

    sealMetrics(scope, position) {
      const issued = clock()
      const mac = sign('metrics', scope, packMetrics(position, issued)).readBigUInt64BE(0)
      return toUuid({ position, issued, mac })
    },

    openMetrics(scope, pageToken) {
      const parts = fromUuid(pageToken)
      if (!parts) throw badRequest('pageToken: must be a UUID that an earlier page returned')
      const mac = sign('metrics', scope, packMetrics(parts.position, parts.issued)).readBigUInt64BE(0)
      // The token has as much of the signature as fits: a token that was sealed is the same again.
      if (toUuid({ ...parts, mac }) !== pageToken.toLowerCase()) throw badRequest(wrong)
      return parts.issued + pageTokenLife < clock() ? undefined : parts.position
    },
  }
}

function sortedEntries(filters: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): [string, string] => [key, String(value)])
    .sort(([left], [right]) => (left < right ? -1 : 1))
}

// Buffer.from ignores characters outside base64url: without the comparison, many texts would decode to one page token.
function decodeBase64Url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** Twelve bytes: the position in 64 bits, the time of issue in 32. */
function packMetrics(position: number, issued: number): Buffer {
  const payload = Buffer.alloc(12)
  payload.writeBigUInt64BE(BigInt(position), 0)
  payload.writeUInt32BE(issued, 8)
  return payload
}

type MetricsParts = { readonly position: number; readonly issued: number }

/**
 * How the 122 free bits of a UUID are used: one that tells the layout, the position, 32 of issue time, and the signature,
 * which has what is left. Times of this millennium fit the first; a chain whose time is in milliseconds, or far in the
 * future, has the second.
 */
const layouts = [{ position: 34n }, { position: 53n }] as const
const issuedBits = 32n
const freeBits = 122n
const macBitsOf = ({ position }: (typeof layouts)[number]): bigint => freeBits - 1n - position - issuedBits

/** The lowest bits of a field, which must have no others. Throws RangeError. */
function within(value: number, bits: bigint): bigint {
  if (!Number.isSafeInteger(value) || value < 0 || BigInt(value) >= 1n << bits)
    throw new RangeError(`${value} does not fit ${bits} bits of a page token`)
  return BigInt(value)
}

/**
 * Places the data in the free bits of a version 8 UUID (RFC 9562), interrupted by the version (4 bits after 48) and the
 * variant (2 bits after 64). `mac` has 64 bits, of which the highest are kept.
 */
function toUuid({ position, issued, mac }: MetricsParts & { readonly mac: bigint }): string {
  const which = BigInt(position) < 1n << layouts[0].position ? 0 : 1
  const layout = layouts[which]
  const macBits = macBitsOf(layout)
  const fields = (BigInt(which) << layout.position) | within(position, layout.position)
  const bits = (((fields << issuedBits) | within(issued, issuedBits)) << macBits) | (mac >> (64n - macBits))
  const high = bits >> 74n
  const middle = (bits >> 62n) & 0xfffn
  const low = bits & ((1n << 62n) - 1n)
  const value = (high << 80n) | (8n << 76n) | (middle << 64n) | (2n << 62n) | low
  const hex = value.toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const uuid8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

function fromUuid(pageToken: string): MetricsParts | undefined {
  if (!uuid8.test(pageToken)) return undefined
  const value = BigInt(`0x${pageToken.replaceAll('-', '')}`)
  const low = value & ((1n << 62n) - 1n)
  const middle = (value >> 64n) & 0xfffn
  const high = value >> 80n
  const bits = (high << 74n) | (middle << 62n) | low
  const layout = layouts[Number(bits >> (freeBits - 1n))] ?? layouts[0]
  const signed = bits >> macBitsOf(layout)
  return {
    position: Number((signed >> issuedBits) & ((1n << layout.position) - 1n)),
    issued: Number(signed & ((1n << issuedBits) - 1n)),
  }
}
