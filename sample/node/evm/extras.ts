import { isHex, quantity } from '../../kernel/hex.ts'
import type { RpcClient } from '../../evm/anvil/rpc.ts'
import {
  blockAt,
  blockOfHash,
  blockParam,
  firstBlockSince,
  type FoundBlock,
  type LocalNode,
} from './blocks.ts'
import { localMethods, type LocalMethods, MethodError } from './local.ts'
import { taking } from './params.ts'
import type { SubnetRules } from './rules.ts'

/** The configuration of the C-Chain, or the rules of a subnet's chain. */
export type ChainRules =
  | { readonly kind: 'c'; readonly config: Readonly<Record<string, unknown>> }
  | { readonly kind: 'subnet'; readonly rules: SubnetRules }

const wholePercent = 100n
const slowPercent = 95n
const fastPercent = 105n
/** Wei. */
const maxTip = 20_000_000_000n
const minTip = 1n

/** The base fee of the next block, in wei. */
export async function nextBaseFee(rpc: RpcClient): Promise<bigint> {
  const history = (await rpc.call('eth_feeHistory', '0x1', 'latest', [])) as {
    baseFeePerGas: readonly string[]
  }
  return BigInt(history.baseFeePerGas.at(-1) ?? 0)
}

function priceOf(tip: bigint, baseFee: bigint): unknown {
  return { maxPriorityFeePerGas: quantity(tip), maxFeePerGas: quantity(2n * baseFee + tip) }
}

async function priceOptions(node: LocalNode): Promise<unknown> {
  const [baseFee, tip] = await Promise.all([nextBaseFee(node.rpc), node.rpc.call('eth_maxPriorityFeePerGas')])
  const wanted = isHex(tip) ? BigInt(tip) : minTip
  const normal = wanted < maxTip ? wanted : maxTip
  const slow = (normal * slowPercent) / wholePercent
  return {
    slow: priceOf(slow > minTip ? slow : minTip, baseFee),
    normal: priceOf(normal, baseFee),
    fast: priceOf((wanted * fastPercent) / wholePercent, baseFee),
  }
}

async function chosenBlock(node: LocalNode, value: unknown): Promise<FoundBlock> {
  const choice = blockParam(node.head.number, value, 0)
  const found = await ('hash' in choice ? blockOfHash(node, choice.hash) : blockAt(node, choice.height))
  if (found !== undefined) return found
  throw new MethodError('hash' in choice ? 'header for hash not found' : 'header not found')
}

async function feeConfig(node: LocalNode, rules: SubnetRules, value: unknown): Promise<unknown> {
  const { time } = await chosenBlock(node, value)
  const fees = rules.feesAt(time)
  const lastChangedAt = fees.since === undefined ? 0 : ((await firstBlockSince(node, fees.since)) ?? 0)
  return { feeConfig: fees.feeConfig, lastChangedAt }
}

/** The methods that Avalanche's EVM nodes have and Ethereum's lack (docs/sample-node.md). */
export function extraMethods(starting: Promise<LocalNode>, rules: ChainRules): LocalMethods {
  const shared = {
    eth_baseFee: async () => quantity(await nextBaseFee((await starting).rpc)),
    eth_getBadBlocks: () => [],
    debug_getBadBlocks: () => [],
  }
  if (rules.kind === 'c') {
    return localMethods({
      ...shared,
      eth_getChainConfig: () => rules.config,
      eth_suggestPriceOptions: async () => priceOptions(await starting),
    })
  }
  const at = rules.rules
  return localMethods({
    ...shared,
    eth_getChainConfig: () => at.chainConfig(),
    eth_feeConfig: async ([value]) => feeConfig(await starting, at, value),
    eth_getActivePrecompilesAt: taking(['uint64?'], async (time) =>
      at.precompilesAt(time ?? (await starting).head.time),
    ),
    eth_getActiveRulesAt: taking(['uint64?'], async (time) => at.rulesAt(time ?? (await starting).head.time)),
  })
}
