import type { EvmChain } from '../../evm/evm-chain.ts'
import { createRpcClient } from '../../evm/anvil/rpc.ts'
import type { LocalNode } from './blocks.ts'
import { debugMethods } from './debug.ts'
import { extraMethods } from './extras.ts'
import { localMethods, type LocalMethods } from './local.ts'
import { poolMethods } from './pool.ts'
import { archiveWindow, prunedWindow, proofMethod } from './proof.ts'
import { rawMethods } from './raw.ts'
import type { EvmEndpoint } from './endpoint.ts'
import { asOfBlock, correctAccount, mayBeAhead, statesOf } from './states.ts'
import { failure, type RpcAnswer, type RpcRequest } from '../rpc/jsonrpc.ts'
import { forCallers } from '../../kernel/for-callers.ts'

/** The methods that the sample answers itself instead of the chain's EVM node. */
type OwnMethods = {
  readonly answer: LocalMethods
  /** A call with the accounts as they were after its block, of which the node's state has some ahead. */
  readonly asOfBlock: (request: RpcRequest, head: number) => Promise<RpcRequest>
  /** The node's answer to a call, less what its state of an older block has ahead. */
  readonly corrected: (request: RpcRequest, head: number, answer: RpcAnswer) => Promise<RpcAnswer>
  close(): void
}

const modules = ['debug', 'eth', 'net', 'personal', 'rpc', 'trace', 'txpool', 'warp', 'web3']

const keyMethodNames =
  /^(?:personal_|eth_(?:accounts|fillTransaction|pendingTransactions|resend|sign|signTransaction|sendTransaction)$)/

/** The key store's methods, loaded on the first call: the signing library takes a while to load. */
function keyMethods(node: Promise<LocalNode>, chainId: number): LocalMethods {
  let opened: Promise<LocalMethods> | undefined
  return (request) => {
    if (!keyMethodNames.test(request.method)) return undefined
    opened ??= import('./keystore.ts').then(({ keystoreMethods }) => keystoreMethods(node, chainId))
    return opened.then((answer) => answer(request) ?? unknownMethod(request))
  }
}

/** The chain's node over a connection of its own: a slow answer then delays no block. */
function nodeOf(chain: EvmChain): LocalNode {
  const rpc = createRpcClient(() => chain.anvil.port)
  return {
    rpc,
    submit: (raw) => chain.submit(raw),
    get head() {
      return chain.head
    },
  }
}

/** The answer to an unknown method. */
export function unknownMethod({ id, method }: RpcRequest): RpcAnswer {
  return failure(id, -32601, `the method ${method} does not exist/is not available`)
}

/** The methods that an endpoint answers itself; the connection to the node is opened on the first call. */
export function ownMethods({ plan, chain, rules, pruning, extraData }: EvmEndpoint): OwnMethods {
  const node = forCallers(chain.then(nodeOf))
  const states = forCallers(node.then((local) => statesOf(local, extraData)))
  const traceCall = async (...params: readonly unknown[]): Promise<unknown> => {
    const local = await node
    const request = { jsonrpc: '2.0', method: 'debug_traceCall', params } as const
    const asked = await asOfBlock(local, await states, request, local.head.number)
    return local.rpc.call(asked.method, ...(asked.params as readonly unknown[]))
  }
  const answers: readonly LocalMethods[] = [
    localMethods({
      rpc_modules: () => Object.fromEntries(modules.map((name) => [name, '1.0'])),
      eth_getProof: proofMethod(node, states, { blocks: pruning ? prunedWindow : archiveWindow }),
      ...poolMethods(node),
      ...rawMethods(node, extraData, traceCall),
      ...debugMethods(node, extraData),
    }),
    extraMethods(node, rules),
    keyMethods(node, plan.evmChainId),
  ]
  return {
    answer(request) {
      for (const each of answers) {
        const found = each(request)
        if (found !== undefined) return found
      }
      return undefined
    },
    async asOfBlock(request, head) {
      return mayBeAhead(request) ? asOfBlock(await node, await states, request, head) : request
    },
    async corrected(request, head, answer) {
      return correctAccount(await node, await states, request, head, answer)
    },
    close() {
      void node.then(({ rpc }) => rpc.close()).catch(() => undefined)
    },
  }
}
