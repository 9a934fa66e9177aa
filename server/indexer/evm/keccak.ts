/**
 * Keccak-256. Recomputing hashes and roots is most of what checking a block costs, and 64-bit rotations
 * are slow in JavaScript: the permutation is assembled as a WebAssembly function of 64-bit integers.
 */

const rate = 136
const lanesOfRate = rate / 8
const pageSize = 65_536

/** Where things lie in the module's memory. */
const digestAt = 0
const constantsAt = 64
const inputAt = 512

const roundConstants = [
  0x0000000000000001n,
  0x0000000000008082n,
  0x800000000000808an,
  0x8000000080008000n,
  0x000000000000808bn,
  0x0000000080000001n,
  0x8000000080008081n,
  0x8000000000008009n,
  0x000000000000008an,
  0x0000000000000088n,
  0x0000000080008009n,
  0x000000008000000an,
  0x000000008000808bn,
  0x800000000000008bn,
  0x8000000000008089n,
  0x8000000000008003n,
  0x8000000000008002n,
  0x8000000000000080n,
  0x000000000000800an,
  0x800000008000000an,
  0x8000000080008081n,
  0x8000000000008080n,
  0x0000000080000001n,
  0x8000000080008008n,
]

/** Rotations of the lanes, at 5y + x. */
const rotations = [
  0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
]

/** Opcodes of WebAssembly, as its specification numbers them. */
const op = {
  loop: 0x03,
  end: 0x0b,
  branchIf: 0x0d,
  get: 0x20,
  set: 0x21,
  tee: 0x22,
  load64: 0x29,
  store64: 0x37,
  const32: 0x41,
  const64: 0x42,
  notEqual32: 0x47,
  add32: 0x6a,
  sub32: 0x6b,
  and64: 0x83,
  xor64: 0x85,
  rotl64: 0x89,
} as const
const type = { i32: 0x7f, i64: 0x7e, function: 0x60, none: 0x40 } as const

/** Local variables of the function: two parameters, one pointer, then lanes. */
const local = { input: 0, blocks: 1, constant: 2, state: 3, moved: 28, column: 53 } as const
const lanes = 25 + 25 + 5

function unsigned(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest & 127
    rest >>>= 7
    bytes.push(rest === 0 ? low : low | 128)
  } while (rest !== 0)
  return bytes
}

/** A signed constant below 2^13: two bytes, so that its sign bit stays clear. */
const small = (value: number): number[] => [(value & 127) | 128, value >> 7]

const get = (index: number): number[] => [op.get, ...unsigned(index)]
const set = (index: number): number[] => [op.set, ...unsigned(index)]
const state = (x: number, y: number): number => local.state + (x % 5) + 5 * (y % 5)
const moved = (x: number, y: number): number => local.moved + (x % 5) + 5 * (y % 5)
const column = (x: number): number => local.column + (x % 5)
const range = (length: number): number[] => Array.from({ length }, (_, index) => index)

/** One round: the steps theta, rho with pi, chi and iota of the Keccak specification. */
function round(): number[] {
  const code: number[] = []
  for (const x of range(5)) {
    code.push(...get(state(x, 0)))
    for (const y of [1, 2, 3, 4]) code.push(...get(state(x, y)), op.xor64)
    code.push(...set(column(x)))
  }
  for (const x of range(5)) {
    for (const y of range(5)) {
      const lane = state(x, y)
      code.push(...get(lane), ...get(column(x + 4)), op.xor64)
      code.push(...get(column(x + 1)), op.const64, 1, op.rotl64, op.xor64)
      code.push(op.const64, ...small(rotations[5 * y + x] ?? 0), op.rotl64)
      code.push(...set(moved(y, 2 * x + 3 * y)))
    }
  }
  for (const x of range(5)) {
    for (const y of range(5)) {
      code.push(...get(moved(x + 1, y)), op.const64, 0x7f, op.xor64, ...get(moved(x + 2, y)), op.and64)
      code.push(...get(moved(x, y)), op.xor64, ...set(state(x, y)))
    }
  }
  code.push(...get(state(0, 0)), ...get(local.constant), op.load64, 3, 0, op.xor64, ...set(state(0, 0)))
  return code
}

/** The function `(input, blocks)`: absorbs the blocks and stores the first four lanes. */
function body(): number[] {
  const code: number[] = [op.loop, type.none]
  for (const lane of range(lanesOfRate)) {
    const index = local.state + lane
    code.push(
      ...get(index),
      ...get(local.input),
      op.load64,
      3,
      ...unsigned(lane * 8),
      op.xor64,
      ...set(index),
    )
  }
  code.push(op.const32, ...small(constantsAt), ...set(local.constant), op.loop, type.none, ...round())
  code.push(...get(local.constant), op.const32, 8, op.add32, op.tee, local.constant)
  code.push(
    op.const32,
    ...small(constantsAt + 8 * roundConstants.length),
    op.notEqual32,
    op.branchIf,
    0,
    op.end,
  )
  code.push(...get(local.input), op.const32, ...small(rate), op.add32, ...set(local.input))
  code.push(...get(local.blocks), op.const32, 1, op.sub32, op.tee, local.blocks, op.branchIf, 0, op.end)
  for (const lane of range(4)) {
    code.push(op.const32, digestAt, ...get(local.state + lane), op.store64, 3, ...unsigned(lane * 8))
  }
  const locals = [2, 1, type.i32, ...unsigned(lanes), type.i64]
  return [...locals, ...code, op.end]
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

const name = (text: string): number[] => [text.length, ...Buffer.from(text)]

function assemble(): Uint8Array<ArrayBuffer> {
  const code = body()
  return Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, [1, type.function, 2, type.i32, type.i32, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name('memory'), 2, 0, ...name('absorb'), 0, 0]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
  ])
}

type Exports = { memory: WebAssembly.Memory; absorb: (input: number, blocks: number) => void }

const instance = new WebAssembly.Instance(new WebAssembly.Module(assemble()))
const { memory, absorb } = instance.exports as Exports
let view = new Uint8Array(memory.buffer)
const constants = new DataView(memory.buffer)
roundConstants.forEach((constant, index) => constants.setBigUint64(constantsAt + index * 8, constant, true))

/** The keccak-256 hash of some bytes, 32 bytes. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  const blocks = Math.floor(bytes.length / rate) + 1
  const end = inputAt + blocks * rate
  if (end > view.length) {
    memory.grow(Math.ceil((end - view.length) / pageSize))
    view = new Uint8Array(memory.buffer)
  }
  view.set(bytes, inputAt)
  view.fill(0, inputAt + bytes.length, end)
  view[inputAt + bytes.length] = 0x01
  view[end - 1] = (view[end - 1] ?? 0) | 0x80
  absorb(inputAt, blocks)
  return view.slice(digestAt, digestAt + 32)
}
