import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { listApprovals, maxApprovals, type Approval } from '../../../../contract/evm/approvals.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import type { NodeClient } from '../../../node/client.ts'
import { askContract, codeOf, isContractCode, latestBlock } from '../../../node/state.ts'
import { approvalForAllTopic } from '../../../store/evm/approval-logs.ts'
import { readApprovals, type ApprovalLog } from '../../../store/evm/read-approvals.ts'
import { readKept } from '../../../store/evm/read-kept.ts'
import { createContractBook, readNames, type Names } from '../address-names.ts'
import { keptFields } from '../kept.ts'

const abi = parseAbi([
  'function allowance(address owner, address spender) view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function getApproved(uint256 id) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
  'function ownerOf(uint256 id) view returns (address)',
])

/** Asks for words that contracts answer, after one block. */
type Asker = (token: string, data: Hex) => Promise<bigint | undefined>

/** An approval that was given, with what the token says of it now; undefined if nothing is left of it. */
type Left = Pick<Approval, 'kind' | 'allowance' | 'balance' | 'tokenId'>

/**
 * Only in Ridgeline: who may take which tokens of an address (contract/evm/approvals.ts). 502 if the node does not answer:
 * an approval that may be revoked already is worse than none.
 */
export function approvalRoutes({ chains, config, store, nodes }: RouteContext): Implementation[] {
  const book = createContractBook(config)
  return [
    implement(listApprovals, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const owner = params.address.toLowerCase()
      const { database } = store.get()
      const client = nodes.of(chain)
      const block = await latestBlock(client)
      const given = await readApprovals(database, chain.key, owner, maxApprovals + 1)
      const logs = given.slice(0, maxApprovals)
      const ask = askerAt(client, block)
      const left = await Promise.all(logs.map((log) => leftOf(ask, owner, log)))
      const open = logs.flatMap((log, index) => {
        const now = left[index]
        return now ? [{ log, now }] : []
      })
      const spenders = [...new Set(open.map(({ log }) => addressOf(log.spender)))]
      const [names, codes, kept] = await Promise.all([
        readNames(database, chain, book, [...open.map(({ log }) => log.token), ...spenders]),
        Promise.all(spenders.map((spender) => codeOf(client, spender))),
        readKept(database, chain.key),
      ])
      const contracts = new Set(spenders.filter((_, index) => isContractCode(codes[index] ?? '0x')))
      return {
        blockNumber: block.toString(),
        approvals: open.map(({ log, now }) => describe(log, now, names, contracts)),
        isComplete: given.length <= maxApprovals && !given.some(({ isCut }) => isCut),
        ...keptFields({ logs: kept.logs }, { from: 0n }),
      }
    }),
  ]
}

/** An asker that asks each question once. */
function askerAt(client: NodeClient, block: bigint): Asker {
  const asked = new Map<string, Promise<bigint | undefined>>()
  return (token, data) => {
    const key = `${token} ${data}`
    const answer =
      asked.get(key) ??
      askContract(client, token, data, block).then((word) => (word.length === 66 ? BigInt(word) : undefined))
    asked.set(key, answer)
    return answer
  }
}

const addressOf = (word: string): string => `0x${word.slice(-40)}`

async function leftOf(ask: Asker, owner: string, log: ApprovalLog): Promise<Left | undefined> {
  const { token, topic0, tokenId } = log
  const [holder, spender] = [owner as Hex, addressOf(log.spender) as Hex]
  // A topic that is not an address belongs to another event of this name.
  if (!log.spender.startsWith(`0x${'0'.repeat(24)}`)) return undefined
  if (topic0 === approvalForAllTopic) {
    if (BigInt(log.data === '0x' ? 0 : log.data) === 0n) return undefined
    const call = { abi, functionName: 'isApprovedForAll', args: [holder, spender] } as const
    return (await ask(token, encodeFunctionData(call))) === 1n ? { kind: 'COLLECTION' } : undefined
  }
  if (tokenId !== null) {
    const id = BigInt(tokenId)
    if (BigInt(spender) === 0n) return undefined
    const [approved, has] = await Promise.all([
      ask(token, encodeFunctionData({ abi, functionName: 'getApproved', args: [id] })),
      ask(token, encodeFunctionData({ abi, functionName: 'ownerOf', args: [id] })),
    ])
    return approved === BigInt(spender) && has === BigInt(owner)
      ? { kind: 'NFT', tokenId: id.toString() }
      : undefined
  }
  if (log.data.length !== 66 || BigInt(log.data) === 0n) return undefined
  const [allowance, balance] = await Promise.all([
    ask(token, encodeFunctionData({ abi, functionName: 'allowance', args: [holder, spender] })),
    ask(token, encodeFunctionData({ abi, functionName: 'balanceOf', args: [holder] })),
  ])
  if (allowance === undefined || allowance === 0n) return undefined
  return {
    kind: 'AMOUNT',
    allowance: allowance.toString(),
    ...(balance !== undefined && { balance: balance.toString() }),
  }
}

function describe(log: ApprovalLog, now: Left, names: Names, contracts: ReadonlySet<string>): Approval {
  const spender = addressOf(log.spender)
  return {
    ...now,
    token: names.party(log.token),
    spender: names.party(spender),
    isContract: contracts.has(spender),
    blockNumber: log.number.toString(),
    blockTimestamp: log.ts,
    txHash: log.txHash,
  }
}
