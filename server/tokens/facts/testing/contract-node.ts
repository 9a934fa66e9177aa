import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { decodeFunctionData, encodeFunctionResult, parseAbi, type Hex } from 'viem'
import { multicallAddress } from '../ask-facts.ts'

/** A contract's answer to call data; undefined for a revert. */
export type Contract = (data: string, block: unknown) => string | undefined

/** A node that only serves contracts. */
export type ContractNode = {
  readonly url: string
  readonly contracts: Map<string, Contract>
  /** Whether Multicall3 is deployed. */
  multicall: boolean
  /** The answer to every request while the node is down. */
  failWith: { status: number; headers?: Record<string, string>; body?: string } | undefined
  /** An error of the node itself for each call, such as missing state. */
  error: string | undefined
  /** The requests' methods, in order. */
  readonly asked: string[]
  close(): Promise<void>
}

const multicallAbi = parseAbi([
  'struct Call { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call[] calls) payable returns (Result[] returnData)',
])

type Request = { id: number; method: string; params: [{ to: string; data: string }, unknown] }

/** Starts the node on a free port of loopback. */
export async function startContractNode(): Promise<ContractNode> {
  const contracts = new Map<string, Contract>()
  const call = (to: string, data: string, block: unknown): string | undefined =>
    contracts.has(to.toLowerCase()) ? contracts.get(to.toLowerCase())?.(data, block) : '0x'

  const aggregate = (data: string, block: unknown): string => {
    const { args } = decodeFunctionData({ abi: multicallAbi, data: data as Hex })
    const results = args[0].map(({ target, callData }) => {
      const answer = call(target, callData, block)
      return { success: answer !== undefined, returnData: (answer ?? '0x') as Hex }
    })
    return encodeFunctionResult({ abi: multicallAbi, result: results })
  }

  const answer = ({ id, method, params }: Request): object => {
    node.asked.push(method)
    const reply = (result: unknown): object => ({ jsonrpc: '2.0', id, result })
    if (method === 'eth_blockNumber') return reply('0x64')
    if (method === 'eth_getLogs') return reply([])
    if (method === 'eth_getCode') return reply(node.multicall ? '0x60' : '0x')
    if (node.error !== undefined) return { jsonrpc: '2.0', id, error: { code: -32000, message: node.error } }
    const [{ to, data }, block] = params
    const result = node.multicall && to === multicallAddress ? aggregate(data, block) : call(to, data, block)
    return result === undefined
      ? { jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted', data: '0x' } }
      : reply(result)
  }

  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { failWith } = node
      if (failWith) {
        node.asked.push(`refused with ${failWith.status}`)
        response.writeHead(failWith.status, failWith.headers ?? {}).end(failWith.body ?? '')
        return
      }
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Request | Request[]
      const text = JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body))
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const node: ContractNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    contracts,
    multicall: false,
    failWith: undefined,
    error: undefined,
    asked: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return node
}
