import { decodeEventLog, decodeFunctionResult, encodeFunctionData, parseAbi, toHex, type Hex } from 'viem'
import type { Node } from './node.ts'

/*
 * Recounts tokens from the node's logs, without code of the service or the dashboard. Addresses are in lower case.
 */

const events = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])
const nftEvents = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed id)'])

const functions = {
  totalSupply: parseAbi(['function totalSupply() view returns (uint256)']),
  decimals: parseAbi(['function decimals() view returns (uint256)']),
  ownerOf: parseAbi(['function ownerOf(uint256) view returns (uint256)']),
  balanceOf: parseAbi(['function balanceOf(address) view returns (uint256)']),
  balanceOfBatch: parseAbi(['function balanceOfBatch(address[],uint256[]) view returns (uint256[])']),
} as const

/** The current result of a token's function as a number; an address is its 160 bits. */
export async function read(
  node: Node,
  token: Hex,
  name: 'totalSupply' | 'decimals' | 'ownerOf' | 'balanceOf',
  args: readonly (Hex | bigint)[] = [],
): Promise<bigint> {
  const abi = functions[name]
  const data = encodeFunctionData({ abi, functionName: name, args } as Parameters<
    typeof encodeFunctionData
  >[0])
  const result = await node.call<Hex>('eth_call', [{ to: token, data }, 'latest'])
  return decodeFunctionResult({ abi: functions.totalSupply, data: result })
}

/** The current balances of some addresses of one ERC-1155 id. */
export async function readBatch(
  node: Node,
  token: Hex,
  tokenId: bigint,
  accounts: readonly Hex[],
): Promise<readonly bigint[]> {
  const data = encodeFunctionData({
    abi: functions.balanceOfBatch,
    args: [accounts, accounts.map(() => tokenId)],
  })
  const result = await node.call<Hex>('eth_call', [{ to: token, data }, 'latest'])
  return decodeFunctionResult({ abi: functions.balanceOfBatch, data: result })
}

/** One transfer of a token. `value` is 1 for ERC-721; `tokenId` is -1 for ERC-20. */
type Move = {
  readonly block: number
  readonly time: number
  readonly log: number
  readonly hash: string
  readonly from: string
  readonly to: string
  readonly tokenId: bigint
  readonly value: bigint
}

type RawLog = {
  readonly blockNumber: Hex
  readonly logIndex: Hex
  readonly transactionHash: Hex
  readonly topics: [Hex, ...Hex[]]
  readonly data: Hex
}

function moved(log: RawLog): { from: Hex; to: Hex; tokenId: bigint; value: bigint }[] {
  const { topics, data } = log
  if (topics.length === 4 && data === '0x') {
    const { args } = decodeEventLog({ abi: nftEvents, topics, data })
    return [{ from: args.from, to: args.to, tokenId: args.id, value: 1n }]
  }
  const { eventName, args } = decodeEventLog({ abi: events, topics, data })
  if (eventName === 'Transfer') return [{ from: args.from, to: args.to, tokenId: -1n, value: args.value }]
  if (eventName === 'TransferSingle')
    return [{ from: args.from, to: args.to, tokenId: args.id, value: args.value }]
  return args.ids.map((id, index) => ({
    from: args.from,
    to: args.to,
    tokenId: id,
    value: args.values[index] ?? 0n,
  }))
}

const topics = [
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
]
const logRange = 1_000
const atOnce = 32

/** All transfers of a token, oldest first. */
export async function movesOf(node: Node, token: Hex): Promise<readonly Move[]> {
  const head = await node.head()
  const logs: RawLog[] = []
  for (let from = 0; from <= head; from += logRange) {
    const filter = {
      address: token,
      topics: [topics],
      fromBlock: toHex(from),
      toBlock: toHex(Math.min(head, from + logRange - 1)),
    }
    logs.push(...(await node.call<RawLog[]>('eth_getLogs', [filter])))
  }
  const heights = [...new Set(logs.map((log) => Number(log.blockNumber)))]
  const times = new Map<number, number>()
  for (let start = 0; start < heights.length; start += atOnce)
    await Promise.all(
      heights.slice(start, start + atOnce).map(async (height) => {
        const block = await node.call<{ timestamp: Hex }>('eth_getBlockByNumber', [toHex(height), false])
        times.set(height, Number(block.timestamp))
      }),
    )
  return logs.flatMap((log) =>
    moved(log).map(({ from, to, tokenId, value }) => ({
      block: Number(log.blockNumber),
      time: times.get(Number(log.blockNumber)) ?? 0,
      log: Number(log.logIndex),
      hash: log.transactionHash,
      from: from.toLowerCase(),
      to: to.toLowerCase(),
      tokenId,
      value,
    })),
  )
}

const nobody = `0x${'0'.repeat(40)}`

function apply(balances: Map<string, bigint>, { from, to, value }: Move): void {
  if (from !== nobody) balances.set(from, (balances.get(from) ?? 0n) - value)
  if (to !== nobody) balances.set(to, (balances.get(to) ?? 0n) + value)
}

/** The balances after transfers, by address, including zero. */
export function balancesOf(moves: readonly Move[]): ReadonlyMap<string, bigint> {
  const balances = new Map<string, bigint>()
  for (const move of moves) apply(balances, move)
  return balances
}

type Span = {
  readonly since: number
  readonly until: number
}

/**
 * The addresses that held more than a threshold after any block of a window from `since` (inclusive) to `until`
 * (exclusive), including the balances at its beginning.
 */
export function holdersAbove(moves: readonly Move[], threshold: bigint, { since, until }: Span): Set<string> {
  const balances = new Map<string, bigint>()
  const found = new Set<string>()
  const look = (): void => {
    for (const [address, balance] of balances) if (balance > threshold) found.add(address)
  }
  let block = -1
  let inside = false
  for (const move of moves) {
    if (move.time >= until) break
    if (move.block !== block && inside) look()
    if (move.time >= since && !inside) {
      look()
      inside = true
    }
    block = move.block
    apply(balances, move)
  }
  look()
  return found
}

/** Two windows and a threshold with holders who joined, left and stayed, and these holders in order. */
export function groupsOf(
  moves: readonly Move[],
  decimals: number,
): { over: string; first: Span; second: Span; groups: Record<'joined' | 'left' | 'stayed', string[]> } {
  const end = moves.at(-1)?.time ?? 0
  const day = 86_400
  for (const over of [5000, 2000, 1000, 500, 250, 100, 50, 10])
    for (const days of [5, 10, 20]) {
      const first = { since: end - 2 * days * day, until: end - days * day }
      const second = { since: end - days * day, until: end - day }
      const threshold = BigInt(over) * 10n ** BigInt(decimals)
      const before = holdersAbove(moves, threshold, first)
      const after = holdersAbove(moves, threshold, second)
      const groups = {
        joined: [...after].filter((address) => !before.has(address)).toSorted(),
        left: [...before].filter((address) => !after.has(address)).toSorted(),
        stayed: [...after].filter((address) => before.has(address)).toSorted(),
      }
      if (Object.values(groups).every((group) => group.length > 0))
        return { over: String(over), first, second, groups }
    }
  throw new Error('no threshold and windows have joiners, leavers and stayers')
}
