import type { AddressInfo } from 'node:net'
import { localTokenHeader } from '../../../contract/base/local-token.ts'
import { testConfig, testToken } from '../../testing/config.ts'
import { startTestService, type TestService } from '../../testing/service.ts'
import { startScriptedNode, type ScriptedNode } from './scripted-node.ts'

/** The ids of the sample and of fuji. */
export const cChainId = 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp'
export const l1Id = 'fdQAmkMvc3HNDHLZZhSxy1pX4114QmwTcTDu4Pf1PUFRBWSpF'

/** A service with one network, its C-Chain and an L1, all behind one scripted node. */
export type TestGateway = {
  readonly node: ScriptedNode
  readonly service: TestService
  /** Where the service listens. */
  readonly url: string
  /** Posts a body as the operator, JSON unless it is text, and reads status and JSON. */
  post(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; json: unknown; headers: Record<string, unknown>; text: string }>
  close(): Promise<void>
}

/** One JSON-RPC call. */
export const call = (method: string, params: unknown = [], id: unknown = 1): Record<string, unknown> => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

/** What a refused call is answered with. */
export const failed = (code: number, message: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

/** Starts node and service. `file` adds to the configuration, `gateway` to its section. */
export async function startTestGateway(
  gateway: Record<string, unknown> = {},
  file: (node: ScriptedNode) => Record<string, unknown> = () => ({}),
): Promise<TestGateway> {
  const node = await startScriptedNode()
  const service = await startTestService(undefined, {
    config: testConfig({
      networks: [{ id: 'fuji', name: 'Sample', networkId: 5, prefix: 'fuji', nodeUrl: node.url }],
      chains: [
        {
          evmChainId: 43113,
          name: 'C',
          network: 'fuji',
          blockchainId: cChainId,
          rpcUrl: `${node.url}/ext/bc/C/rpc`,
          wsUrl: `${node.wsUrl}/ext/bc/C/ws`,
        },
        {
          evmChainId: 99,
          name: 'L1',
          network: 'fuji',
          blockchainId: l1Id,
          rpcUrl: `${node.url}/ext/bc/${l1Id}/rpc`,
        },
      ],
      gateway,
      ...file(node),
    }),
  })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  return {
    node,
    service,
    url: `http://127.0.0.1:${port}`,
    async post(path, body, headers = {}) {
      const answer = await service.app.inject({
        method: 'POST',
        url: path,
        headers: {
          'content-type': 'application/json',
          host: '127.0.0.1:4400',
          [localTokenHeader]: testToken,
          ...headers,
        },
        payload: typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = answer.body
      return { status: answer.statusCode, headers: answer.headers, text, json: parse(text) }
    },
    async close() {
      await service.close()
      await node.close()
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
