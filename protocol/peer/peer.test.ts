import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeFrame, FrameReader, maxFrameBytes } from './frame.ts'
import { PeerMessageError } from './errors.ts'
import {
  decodeMessage,
  decodeSignatureResponse,
  encodeCompressed,
  encodeMessage,
  emptyFilter,
  encodeSignatureRequest,
  encodeSignatureResponse,
  requestIdOf,
} from './messages.ts'
import { decompressFrame, storedFrame } from './zstd.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytes = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
/** As a view of plain bytes, as which the fields of a message come. */
const view = (text: string): Uint8Array => Uint8Array.from(bytes(text))
const chain = new Uint8Array(32).fill(0xcc)

/** Whatever `read` makes of any bytes, it either returns or throws a PeerMessageError. */
const survives = (read: (given: Uint8Array) => unknown) => (given: Uint8Array) => {
  try {
    read(given)
  } catch (error) {
    expect(error).toBeInstanceOf(PeerMessageError)
  }
}

describe('messages, written by hand from their fields', () => {
  const knownPeers = { filter: emptyFilter }

  test('encodes requests', () => {
    expect(hex(encodeMessage({ case: 'pong', value: {} }))).toBe(hex(bytes('62 00')))
    // 35: { 1: { 1: filter }, 2: true }
    expect(hex(encodeMessage({ case: 'getPeerList', value: { knownPeers, allSubnets: true } }))).toBe(
      hex(bytes('9a02 10 0a0c 0a0a 01 0000000000000000 00 10 01')),
    )
    expect(hex(encodeMessage({ case: 'peerList', value: {} }))).toBe('7200')
    const request = encodeSignatureRequest(bytes('aabb'), bytes('cc'))
    expect(hex(request)).toBe(hex(bytes('02 0a02aabb 1201cc')))
    // 30: { 1: chain, 2: id 5 of the third request, 3: 1e9, 4: bytes }
    expect(
      hex(
        encodeMessage({
          case: 'appRequest',
          value: { chainId: chain, requestId: requestIdOf(2), deadline: 1_000_000_000n, bytes: request },
        }),
      ),
    ).toBe(hex(bytes(`f201 34 0a20${'cc'.repeat(32)} 1005 188094ebdc03 2208 020a02aabb1201cc`)))
  })

  test('encodes a handshake', () => {
    const encoded = encodeMessage({
      case: 'handshake',
      value: {
        networkId: 12_345,
        time: 300n,
        address: bytes('7f000001'),
        port: 9,
        signingTime: 299n,
        tlsSignature: bytes('01'),
        blsSignature: bytes('02'),
        client: { name: 'avalanchego', major: 1, minor: 14, patch: 0 },
        knownPeers,
        allSubnets: true,
      },
    })
    const client = `4a11 0a0b${hex(Buffer.from('avalanchego'))} 1001 180e`
    const fields = `08b960 10ac02 1a047f000001 2009 30ab02 3a0101 ${client} 620c 0a0a 010000000000000000 00 6a0102 7001`
    const body = bytes(fields)
    expect(hex(encoded)).toBe(hex(Buffer.concat([bytes('6a'), Buffer.of(body.length), body])))
  })

  test('decodes answers', () => {
    expect(decodeMessage(view(`fa01 28 0a20${'cc'.repeat(32)} 1007 1a02abcd`))).toMatchObject({
      case: 'appResponse',
      value: { chainId: chain, requestId: 7, bytes: new Uint8Array([0xab, 0xcd]) },
    })
    expect(decodeMessage(view(`9202 2a 0a20${'cc'.repeat(32)} 1007 1803 2202 6e6f`))).toMatchObject({
      case: 'appError',
      value: { chainId: chain, requestId: 7, code: -2, text: 'no' },
    })
    // A ping with an uptime, a field of later versions in it.
    expect(decodeMessage(view('5a05 0864 ba06 00'))).toMatchObject({ case: 'ping', value: { uptime: 100 } })
    expect(decodeMessage(view('a202 00'))).toEqual({ case: undefined })
    const signature = Buffer.alloc(96, 7)
    expect(Buffer.from(decodeSignatureResponse(encodeSignatureResponse(signature)) ?? [])).toEqual(signature)
    expect(decodeSignatureResponse(Buffer.alloc(0))).toBeUndefined()
  })

  test.each([
    ['a group without its end', '0b'],
    ['more addresses than a list may hold', `7282 10 ${'0a00'.repeat(1_025)}`],
    ['a length past the end', '5a 05 00'],
    ['a varint without end', '6a 0b 08 ffffffffffffffffffff'],
    ['bytes where a message is wanted', '68 01'],
    ['compressed twice', hex(encodeCompressed(encodeCompressed(bytes('6200'))))],
  ])('refuses %s', (_, text) => {
    expect(() => decodeMessage(bytes(text))).toThrow(PeerMessageError)
  })

  test('reads codes with their signs', () => {
    fc.assert(
      fc.property(fc.integer(), (code) => {
        const error = encodeMessage({ case: 'appError', value: { chainId: chain, requestId: 1, code } })
        expect(decodeMessage(error)).toMatchObject({ value: { code } })
      }),
    )
  })

  test('has odd request ids of 32 bits only', () => {
    fc.assert(
      fc.property(fc.nat({ max: Number.MAX_SAFE_INTEGER }), (ordinal) => {
        const id = requestIdOf(ordinal)
        expect(id % 2).toBe(1)
        expect(id).toBeLessThan(2 ** 32)
        expect(requestIdOf(ordinal + 1)).not.toBe(id)
      }),
    )
  })

  test('survives any bytes', () => {
    const anyBytes = fc.uint8Array({ maxLength: 300, size: 'max' })
    fc.assert(fc.property(anyBytes, survives(decodeMessage)), { numRuns: 2_000 })
    fc.assert(fc.property(anyBytes, survives(decodeSignatureResponse)), { numRuns: 1_000 })
    // Right but for one byte.
    const handshake = encodeMessage({
      case: 'peerList',
      value: {
        claims: [
          { certificate: chain, address: bytes('7f000001'), port: 1, timestamp: 2n, signature: chain },
        ],
      },
    })
    fc.assert(
      fc.property(fc.nat(handshake.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const changed = Uint8Array.from(handshake)
        changed[at] = value
        survives(decodeMessage)(changed)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('frames', () => {
  test('come out as they went in, however they are cut', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 10 })
    fc.assert(
      fc.property(pieces, fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1 }), (messages, cuts) => {
        const stream = Buffer.concat(messages.map((message) => encodeFrame(message)))
        const reader = new FrameReader()
        const found: string[] = []
        for (let at = 0, turn = 0; at < stream.length; turn += 1) {
          const size = cuts[turn % cuts.length] ?? 1
          reader.push(stream.subarray(at, at + size))
          at += size
          for (let frame = reader.next(); frame; frame = reader.next()) found.push(hex(frame))
        }
        expect(found).toEqual(messages.map(hex))
      }),
    )
  })

  test('are refused by their length alone when they are too large', () => {
    const reader = new FrameReader()
    reader.push(bytes('0020'))
    expect(reader.next()).toBeUndefined()
    reader.push(bytes('0001'))
    expect(() => reader.next()).toThrow('2097153 bytes')
    expect(() => encodeFrame(new Uint8Array(maxFrameBytes + 1))).toThrow(RangeError)
    expect(encodeFrame(new Uint8Array(maxFrameBytes))).toHaveLength(maxFrameBytes + 4)
  })
})

describe('zstd', () => {
  /** Made by the zstd program (1.5) of 40 times `ridgeline `, at level 3 with a checksum. */
  const compressed = '28b52ffd6490008d00005072696467656c696e6520010083550b12e60d43df'

  test('reads what the reference program wrote', () => {
    expect(Buffer.from(decompressFrame(bytes(compressed))).toString()).toBe('ridgeline '.repeat(40))
    expect(decompressFrame(storedFrame(chain))).toEqual(Uint8Array.from(chain))
  })

  test('refuses what declares too much, nothing, or another thing', () => {
    const huge = Buffer.from(storedFrame(chain))
    huge.writeUInt32LE(maxFrameBytes + 1, 5)
    expect(() => decompressFrame(huge)).toThrow('2097153 bytes are declared')
    // Eight bytes of size: a window of 2 MiB and four of exabytes.
    expect(() => decompressFrame(bytes('28b52ffde0 ffffffffffffff7f 010000'))).toThrow('are declared')
    expect(() => decompressFrame(bytes('28b52ffd0058 010000 0000'))).toThrow('do not declare')
    expect(() => decompressFrame(bytes('28b52ffd21 00 010000 000000'))).toThrow('need a dictionary')
    expect(() => decompressFrame(bytes('504b0304 0000000000'))).toThrow('are not a zstd frame')
    expect(() => decompressFrame(Buffer.concat([storedFrame(chain), storedFrame(chain)]))).toThrow(
      PeerMessageError,
    )
  })

  test('ends bytes that would keep the decoder busy', () => {
    // Sequences of the longest matches, as many as a block can announce, all by run-length tables.
    const block = bytes('00 ffffff 54 00 00 34 80')
    const header = Buffer.alloc(3)
    header.writeUIntLE((block.length << 3) | (2 << 1) | 1, 0, 3)
    const frame = Buffer.concat([bytes('28b52ffd a0 00002000'), header, block])
    const overdue = expect.objectContaining({
      cause: expect.objectContaining({ code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' }) as Error,
    }) as Error
    expect(() => decompressFrame(frame)).toThrow(overdue)
    // Behind a harmless frame too.
    expect(() => decompressFrame(Buffer.concat([storedFrame(chain), frame]))).toThrow(overdue)
  })

  test('survives any bytes behind a right header', () => {
    const header = storedFrame(chain).subarray(0, 9)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200, size: 'max' }), (rest) =>
        survives(decompressFrame)(Buffer.concat([header, rest])),
      ),
      { numRuns: 1_000 },
    )
    const right = bytes(compressed)
    fc.assert(
      fc.property(fc.nat(right.length - 1), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const changed = Uint8Array.from(right)
        changed[at] = value
        survives(decompressFrame)(changed)
      }),
      { numRuns: 500 },
    )
  })
})
