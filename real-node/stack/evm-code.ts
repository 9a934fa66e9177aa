import { concatHex, encodeErrorResult, padHex, parseAbi, size, toHex, type Address, type Hex } from 'viem'

/** One step of a contract. */
export type Step =
  | { readonly log: { readonly topics: readonly Hex[]; readonly data: readonly Hex[] } }
  | {
      readonly call: {
        readonly kind: 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'
        readonly to: Address
        /** CALL and CALLCODE only. */
        readonly value?: bigint
        /** At most one word. */
        readonly data?: Hex
      }
    }
  /** CREATE; with a salt CREATE2. */
  | { readonly create: { readonly code: readonly Step[]; readonly value: bigint; readonly salt?: bigint } }
  | { readonly selfDestruct: Address }
  | { readonly revert: string }

const callCodes = { CALL: 0xf1, CALLCODE: 0xf2, DELEGATECALL: 0xf4, STATICCALL: 0xfa } as const
const op = (code: number): Hex => toHex(code, { size: 1 })
const [stop, pop, mstore, log0, create, create2, revert, selfDestruct] = [
  0x00, 0x50, 0x52, 0xa0, 0xf0, 0xf5, 0xfd, 0xff,
] as const
const wordBytes = 32

/** PUSH1 to PUSH32. */
function push(value: Hex | bigint | number): Hex {
  const bytes = typeof value === 'string' ? value : toHex(value)
  const whole = bytes.length % 2 === 0 ? bytes : (`0x0${bytes.slice(2)}` as const)
  return concatHex([op(0x5f + size(whole)), whole])
}

/** Writes bytes to memory from offset 0, in whole words. */
function store(bytes: Hex): Hex {
  const words = Math.ceil(size(bytes) / wordBytes)
  const whole = padHex(bytes, { dir: 'right', size: words * wordBytes })
  return concatHex(
    Array.from({ length: words }, (_, at) => {
      const from = 2 + 2 * wordBytes * at
      const word: Hex = `0x${whole.slice(from, from + 2 * wordBytes)}`
      return concatHex([push(word), push(at * wordBytes), op(mstore)])
    }),
  )
}

function stepCode(step: Step): Hex[] {
  if ('log' in step) {
    const { topics, data } = step.log
    const bytes = concatHex([...data])
    const head = data.length === 0 ? [] : [store(bytes)]
    const pushed = topics.toReversed().map(push)
    return [...head, ...pushed, push(data.length * wordBytes), push(0), op(log0 + topics.length)]
  }
  if ('call' in step) {
    const { kind, to, value = 0n, data = '0x' } = step.call
    const hasValue = kind === 'CALL' || kind === 'CALLCODE'
    return [
      ...(data === '0x' ? [] : [store(data)]),
      ...[0, 0, size(data), 0].map(push),
      ...(hasValue ? [push(value)] : []),
      push(to),
      push(150_000),
      op(callCodes[kind]),
      op(pop),
    ]
  }
  if ('create' in step) {
    const { code, value, salt } = step.create
    const init = assemble(code)
    return [
      store(init),
      ...(salt === undefined ? [] : [push(salt)]),
      push(size(init)),
      push(0),
      push(value),
      op(salt === undefined ? create : create2),
      op(pop),
    ]
  }
  if ('selfDestruct' in step) return [push(step.selfDestruct), op(selfDestruct)]
  if (step.revert === '') return [push(0), push(0), op(revert)]
  const reason = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [step.revert] })
  return [store(reason), push(size(reason)), push(0), op(revert)]
}

/** Bytecode that runs the steps and stops. As a deployment it creates a contract without code. */
export const assemble = (steps: readonly Step[]): Hex => concatHex([...steps.flatMap(stepCode), op(stop)])

/** The deployment of a contract that runs the steps when called: CODECOPY of the following bytes, RETURN. */
export function deploymentOf(steps: readonly Step[]): Hex {
  const runtime = assemble(steps)
  const length = toHex(size(runtime), { size: 2 })
  // PUSH2 length, DUP1, PUSH1 12, PUSH1 0, CODECOPY, PUSH1 0, RETURN
  return concatHex(['0x61', length, '0x80600c6000396000f3', runtime])
}
