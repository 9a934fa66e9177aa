import { decodeEventLog, encodeFunctionData, parseAbi, toEventSelector, toHex, type Hex } from 'viem'
import { listCollectibleBalances, listErc20Balances } from '../../contract/tokens/balances.ts'
import type { Node } from './node.ts'
import { askAll } from './stack.ts'

/*
 * The holdings of every address of a chain after any block, read from the contracts on a node that keeps all states.
 * Only the pairs of contracts and addresses come from logs.
 */

const events = {
  20: parseAbi([
    'event Transfer(address indexed from, address indexed to, uint256 value)',
    // A wrapper of the native token credits and debits by these alone.
    'event Deposit(address indexed to, uint256 value)',
    'event Withdrawal(address indexed from, uint256 value)',
  ]),
  721: parseAbi(['event Transfer(address indexed from, address indexed to, uint256 indexed id)']),
  1155: parseAbi([
    'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
    'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  ]),
} as const
const functions = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function balanceOf(address,uint256) view returns (uint256)',
  'function ownerOf(uint256) view returns (address)',
])
type Kind = keyof typeof events

/** A token that an address sent or received: an ERC-20 contract, or one NFT. */
type Named = {
  readonly kind: Kind
  readonly token: Hex
  /** -1 for ERC-20. */
  readonly id: bigint
}

type RawLog = {
  readonly address: Hex
  readonly topics: [Hex, ...Hex[]]
  readonly data: Hex
}

const nobody = `0x${'0'.repeat(40)}`

/** The transfers of a log; none if it is malformed. */
function read({ topics, data }: RawLog): { kind: Kind; from: string; to: string; ids: readonly bigint[] }[] {
  const kind = topics.length === 4 ? (data === '0x' ? 721 : 1155) : 20
  try {
    if (kind === 721) {
      const { args } = decodeEventLog({ abi: events[721], topics, data })
      return [{ kind, ...args, ids: [args.id] }]
    }
    if (kind === 20)
      return [
        {
          kind,
          from: nobody,
          to: nobody,
          ...decodeEventLog({ abi: events[20], topics, data }).args,
          ids: [-1n],
        },
      ]
    const { eventName, args } = decodeEventLog({ abi: events[1155], topics, data })
    return [{ kind, ...args, ids: eventName === 'TransferSingle' ? [args.id] : args.ids }]
  } catch {
    return []
  }
}

const topics = [
  ...new Set(Object.values(events).flatMap((abi) => abi.map((event) => toEventSelector(event)))),
]

/** Every address in a token's logs, with the related tokens. */
export async function tokensByAddress(node: Node): Promise<ReadonlyMap<Hex, readonly Named[]>> {
  const head = await node.head()
  const found = new Map<Hex, Map<string, Named>>()
  for (let from = 0; from <= head; from += 500) {
    const range = { fromBlock: toHex(from), toBlock: toHex(Math.min(head, from + 499)), topics: [topics] }
    for (const log of await node.call<RawLog[]>('eth_getLogs', [range]))
      for (const { kind, from: sender, to, ids } of read(log))
        for (const party of [sender, to].map((one) => one.toLowerCase() as Hex))
          for (const id of party === nobody ? [] : ids) {
            const all = found.get(party) ?? new Map<string, Named>()
            all.set(`${kind} ${log.address} ${id}`, { kind, token: log.address, id })
            found.set(party, all)
          }
  }
  return new Map([...found].map(([address, all]) => [address, [...all.values()]]))
}

/** The result of a view function after a block; 0 if there is no contract yet, undefined if the call is refused. */
async function view(node: Node, to: Hex, data: Hex, block: number): Promise<bigint | undefined> {
  const answer = await node.call<Hex>('eth_call', [{ to, data }, toHex(block)]).catch((error: unknown) => {
    if (/revert|invalid opcode|InvalidFEOpcode/i.test(String(error))) return undefined
    throw error
  })
  return answer === undefined ? undefined : answer === '0x' ? 0n : BigInt(answer.slice(0, 66))
}

const text = ({ token, id }: Named, balance: bigint | string): string => `${token} ${id} ${balance}`

/**
 * The sorted holdings of an address after a block, of all tokens that were ever transferred to or from it. Throws
 * when a
 * contract refuses the call: then only its logs are known.
 */
export async function heldByNode(
  node: Node,
  address: Hex,
  named: readonly Named[],
  block: number,
): Promise<string[]> {
  const rows = await Promise.all(
    named.map(async (one) => {
      const { kind, token, id } = one
      if (kind === 721) {
        const args = [id] as const
        const data = encodeFunctionData({ abi: functions, functionName: 'ownerOf', args })
        return text(one, (await view(node, token, data, block)) === BigInt(address) ? 1n : 0n)
      }
      const args = kind === 20 ? ([address] as const) : ([address, id] as const)
      const data = encodeFunctionData({ abi: functions, functionName: 'balanceOf', args })
      const balance = await view(node, token, data, block)
      if (balance === undefined) throw new Error(`${token} does not tell what ${address} has`)
      return text(one, balance)
    }),
  )
  return rows.filter((row) => !row.endsWith(' 0')).toSorted()
}

/** An address's holdings after a block according to the service, in the same format. */
export async function heldByService(
  base: string,
  chainId: string,
  address: Hex,
  block: number,
): Promise<string[]> {
  const params = { chainId, address }
  const query = { blockNumber: String(block), pageSize: 500 }
  const [coins, items] = await Promise.all([
    askAll(listErc20Balances, 'erc20TokenBalances', {
      base,
      params,
      query: { ...query, filterSpamTokens: false },
    }),
    askAll(listCollectibleBalances, 'collectibleBalances', { base, params, query }),
  ])
  return [
    ...coins.map(({ address: token, balance }) => `${token} -1 ${balance}`),
    ...items.map(({ address: token, tokenId, balance }) => `${token} ${tokenId} ${balance ?? '1'}`),
  ].toSorted()
}
