import { createHmac, timingSafeEqual } from 'node:crypto'
import { badRequest } from './http-errors.ts'

/** A position in a list: what the keyset query starts from. Whole numbers as text or number, or text. */
export type Position = readonly (string | number)[]

/** What a token is bound to: the operation and everything that selects or orders its rows. */
export type TokenScope = {
  readonly operation: string
  /** Path and query parameters, without pageToken and pageSize. */
  readonly filters: Readonly<Record<string, unknown>>
}

/** How long a token of the data API is good for, in seconds. */
export const dataTokenLife = 24 * 60 * 60
/** How long a token of the metrics API is good for, in seconds (docs/api.md, Keys and limits). */
export const metricsTokenLife = 24 * 60 * 60

const macLength = 16
const wrong = 'pageToken: was not made for this request'

/**
 * Page tokens hold no state in the service: the position is in the token, signed together with the
 * operation and its filters, so that no token works anywhere else.
 */
export type PageTokens = {
  /** A token of the data API, opaque text. */
  sealData(scope: TokenScope, position: Position): string
  /** The position of a data token. Throws a 400 for a foreign, altered or expired one. */
  openData(scope: TokenScope, token: string): Position
  /** A token of the metrics API: a UUID of version 8. `position` is a whole number below 2^34. */
  sealMetrics(scope: TokenScope, position: number): string
  /**
   * The position of a metrics token; undefined when it has expired: the listing restarts from the first
   * page (docs/api.md, Keys and limits). Throws a 400 for a foreign or altered one.
   */
  openMetrics(scope: TokenScope, token: string): number | undefined
  /** A token of the metrics API for a position that no UUID has room for: opaque text, like a data token. */
  sealWide(scope: TokenScope, position: Position): string
  /** The position of such a token; undefined when it has expired, as openMetrics says. */
  openWide(scope: TokenScope, token: string): Position | undefined
}

type Purpose = 'data' | 'metrics' | 'wide'

/** Makes and reads page tokens. `clock` gives Unix seconds. */
export function createPageTokens(secret: Buffer, clock: () => number): PageTokens {
  // One request opens a token and seals the next one, both for the same scope.
  const texts = new WeakMap<TokenScope, string>()
  const textOf = (scope: TokenScope): string => {
    let text = texts.get(scope)
    if (text === undefined) {
      text = JSON.stringify([scope.operation, sortedEntries(scope.filters)])
      texts.set(scope, text)
    }
    return text
  }
  const sign = (purpose: Purpose, scope: TokenScope, payload: Buffer): Buffer =>
    createHmac('sha256', secret)
      .update(`${purpose}\n${textOf(scope)}\n`)
      .update(payload)
      .digest()

  const seal = (purpose: Purpose, scope: TokenScope, life: number, position: Position): string => {
    const payload = Buffer.from(JSON.stringify([clock() + life, ...position]))
    const mac = sign(purpose, scope, payload).subarray(0, macLength)
    return Buffer.concat([mac, payload]).toString('base64url')
  }

  const open = (
    purpose: Purpose,
    scope: TokenScope,
    token: string,
  ): { expired: boolean; position: Position } => {
    const bytes = decodeBase64Url(token)
    if (!bytes || bytes.length <= macLength) throw badRequest('pageToken: is malformed')
    const payload = bytes.subarray(macLength)
    const mac = sign(purpose, scope, payload).subarray(0, macLength)
    if (!timingSafeEqual(mac, bytes.subarray(0, macLength))) throw badRequest(wrong)
    const [expiry, ...position] = JSON.parse(payload.toString()) as [number, ...(string | number)[]]
    return { expired: expiry < clock(), position }
  }

  return {
    sealData: (scope, position) => seal('data', scope, dataTokenLife, position),

    openData(scope, token) {
      const { expired, position } = open('data', scope, token)
      if (expired) throw badRequest('pageToken: has expired, start again from the first page')
      return position
    },

    sealWide: (scope, position) => seal('wide', scope, metricsTokenLife, position),

    openWide(scope, token) {
      const { expired, position } = open('wide', scope, token)
      return expired ? undefined : position
    },

    sealMetrics(scope, position) {
      const payload = packMetrics(position, clock())
      const mac = sign('metrics', scope, payload).readBigUInt64BE(0) >> 8n
      return toUuid((payload.readBigUInt64BE(0) << 32n) | payload32(payload), mac)
    },

    openMetrics(scope, token) {
      const parts = fromUuid(token)
      if (!parts) throw badRequest('pageToken: must be a UUID that an earlier page returned')
      const payload = packMetrics(parts.position, parts.issued)
      const mac = sign('metrics', scope, payload).readBigUInt64BE(0) >> 8n
      if (mac !== parts.mac) throw badRequest(wrong)
      return parts.issued + metricsTokenLife < clock() ? undefined : parts.position
    },
  }
}

function sortedEntries(filters: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): [string, string] => [key, String(value)])
    .sort(([left], [right]) => (left < right ? -1 : 1))
}

// Buffer.from skips what is not base64, so that many texts would stand for one token.
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

const payload32 = (payload: Buffer): bigint => BigInt(payload.readUInt32BE(8))

/**
 * The 122 free bits of a version 8 UUID (RFC 9562): 34 of position, 32 of the time of issue, 56 of the
 * signature, cut by the version (4 bits after 48) and the variant (2 bits after 64).
 */
function toUuid(positionAndIssued: bigint, mac: bigint): string {
  const bits = (positionAndIssued << 56n) | mac
  const high = bits >> 74n
  const middle = (bits >> 62n) & 0xfffn
  const low = bits & ((1n << 62n) - 1n)
  const value = (high << 80n) | (8n << 76n) | (middle << 64n) | (2n << 62n) | low
  const hex = value.toString(16).padStart(32, '0')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

const uuid8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

function fromUuid(token: string): { position: number; issued: number; mac: bigint } | undefined {
  if (!uuid8.test(token)) return undefined
  const value = BigInt(`0x${token.replaceAll('-', '')}`)
  const low = value & ((1n << 62n) - 1n)
  const middle = (value >> 64n) & 0xfffn
  const high = value >> 80n
  const bits = (high << 74n) | (middle << 62n) | low
  return {
    position: Number(bits >> 88n),
    issued: Number((bits >> 56n) & 0xffffffffn),
    mac: bits & ((1n << 56n) - 1n),
  }
}
