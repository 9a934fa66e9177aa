import { decodeFunctionResult, encodeFunctionData, parseAbi, type Hex } from 'viem'
import { readFlag, bytesOfAnswer, readSmall, readText } from './answers.ts'
import type { Answer, NodeCalls } from './node-calls.ts'
import { RetryableError } from '../../kernel/errors.ts'
import { sanitiseName, sanitiseSymbol } from './sanitise.ts'

/** A contract's own metadata; null for fields without a usable answer. */
export type TokenFacts = {
  readonly name: string | null
  readonly symbol: string | null
  readonly decimals: number | null
  /** 721 or 1155 if the contract declares it by ERC-165. */
  readonly interface: number | null
}

/** Multicall3 is at this address on every chain that has it. */
export const multicallAddress = '0xca11bde05977b3631167028862be2a173976ca11'
const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] returnData)',
])

const supports = (id: string): Hex => `0x01ffc9a7${id.padEnd(64, '0')}`
/** name, symbol, decimals, and ERC-165: its own id, the invalid id, ERC-721 and ERC-1155. */
const questions: readonly Hex[] = [
  '0x06fdde03',
  '0x95d89b41',
  '0x313ce567',
  supports('01ffc9a7'),
  supports('ffffffff'),
  supports('80ac58cd'),
  supports('d9b67a26'),
]

/** Whether the chain has Multicall3. */
export async function hasMulticall(node: NodeCalls, signal: AbortSignal): Promise<boolean> {
  const code = await node.ask('eth_getCode', [multicallAddress, 'latest'], signal)
  return (bytesOfAnswer(code)?.length ?? 0) > 0
}

/** A token and the kinds of its transfers so far. */
type AskedToken = { readonly address: string; readonly kinds: readonly number[] }

/**
 * Reads the metadata of contracts at the head, in the given order. A call that fails inside Multicall3 is
 * repeated individually, because one contract can use up the gas of all later ones. Throws RetryableError if
 * the node does not answer.
 */
export async function askFacts(
  node: NodeCalls,
  tokens: readonly AskedToken[],
  multicall: boolean,
  signal: AbortSignal,
): Promise<TokenFacts[]> {
  const calls = tokens.flatMap(({ address }) => questions.map((data) => ({ to: address, data })))
  const answers: (Buffer | undefined)[] = multicall
    ? await askTogether(node, calls, signal)
    : calls.map(() => undefined)
  const open = calls.flatMap((_call, index) => (answers[index] ? [] : [index]))
  const single = await node.batch(
    open.flatMap((index) => calls[index] ?? []),
    'latest',
    signal,
  )
  for (const [position, index] of open.entries()) answers[index] = usable(single[position])
  return tokens.map((token, index) =>
    readFacts(token, answers.slice(index * questions.length, (index + 1) * questions.length)),
  )
}

function usable(answer: Answer | undefined): Buffer | undefined {
  return answer && 'result' in answer ? bytesOfAnswer(answer.result) : undefined
}

/** The answers through Multicall3; undefined for each failed call, and for all if it failed as a whole. */
async function askTogether(
  node: NodeCalls,
  calls: readonly { to: string; data: Hex }[],
  signal: AbortSignal,
): Promise<(Buffer | undefined)[]> {
  const none = calls.map(() => undefined)
  const data = encodeFunctionData({
    abi: multicallAbi,
    args: [calls.map(({ to, data }) => ({ target: to as Hex, allowFailure: true, callData: data }))],
  })
  let answer: Answer
  try {
    answer = await node.call(multicallAddress, data, 'latest', signal)
  } catch (error) {
    if (error instanceof RetryableError && error.kind === 'rpc') return none
    throw error
  }
  if (!('result' in answer) || typeof answer.result !== 'string') return none
  try {
    const results = decodeFunctionResult({ abi: multicallAbi, data: answer.result as Hex })
    if (results.length !== calls.length) return none
    return results.map(({ success, returnData }) => (success ? bytesOfAnswer(returnData) : undefined))
  } catch {
    // Another contract is at the address, so the contracts are called individually.
    return none
  }
}

function readFacts({ kinds }: AskedToken, answers: readonly (Buffer | undefined)[]): TokenFacts {
  const [name, symbol, decimals, ...interfaces] = answers
  const [itself, nothing, erc721, erc1155] = interfaces.map((answer) => answer && readFlag(answer))
  const follows = itself === true && nothing === false
  const claims = [...(follows && erc721 ? [721] : []), ...(follows && erc1155 ? [1155] : [])]
  return {
    name: (name && sanitiseName(readText(name) ?? '')) ?? null,
    symbol: (symbol && sanitiseSymbol(readText(symbol) ?? '')) ?? null,
    decimals: (decimals && readSmall(decimals)) ?? null,
    // If it declares both, its transfers decide.
    interface: claims.find((claim) => kinds.includes(claim)) ?? claims[0] ?? null,
  }
}
