import { createRpcClient } from '../evm/rpc.ts'
import type { LocalNode } from './evm-blocks.ts'
import { extraMethods } from './evm-extras.ts'
import type { LocalMethods } from './evm-local.ts'
import { localMethods } from './evm-local.ts'
import { poolMethods } from './evm-pool.ts'
import { ARCHIVE_WINDOW, PRUNED_WINDOW, proofMethod } from './evm-proof.ts'
import { rawMethods } from './evm-raw.ts'
import type { EvmEndpoint } from './evm-endpoint.ts'
import type { RpcAnswer, RpcRequest } from './jsonrpc.ts'
import { failure } from './jsonrpc.ts'

/** Everything that a chain answers itself, beside its EVM node. */
export interface OwnMethods {
  readonly answer: LocalMethods
  close(): void
}

const MODULES = ['debug', 'eth', 'net', 'rpc', 'trace', 'txpool', 'warp', 'web3']

const KEY_METHODS =
  /^(?:personal_|eth_(?:accounts|fillTransaction|pendingTransactions|sign|signTransaction|sendTransaction)$)/

/** The methods of the key store, which is opened when it is first asked: signing takes a while to load. */
function keyMethods(node: Promise<LocalNode>, chainId: number): LocalMethods {
  let opened: Promise<LocalMethods> | undefined
  return (request) => {
    if (!KEY_METHODS.test(request.method)) return undefined
    opened ??= import('./evm-keystore.ts').then(({ keystoreMethods }) => keystoreMethods(node, chainId))
    return opened.then((answer) => answer(request) ?? unknownMethod(request))
  }
}

/** The answer to a method that the node does not have. */
export function unknownMethod({ id, method }: RpcRequest): RpcAnswer {
  return failure(id, -32601, `the method ${method} does not exist/is not available`)
}

/** The methods that the chain of an endpoint answers itself; the node's connection is opened when it is first asked. */
export function ownMethods({ plan, chain, rules, pruning, extraData }: EvmEndpoint): OwnMethods {
  const node = chain.then((started): LocalNode => {
    const rpc = createRpcClient(started.anvil.port)
    return {
      rpc,
      get head() {
        return started.head
      },
    }
  })
  // Whoever asks meets the failure; nobody having asked yet must not end the process.
  node.catch(() => undefined)
  const isC = plan.key === 'c'
  const modules = isC ? [...MODULES, 'personal'].toSorted() : MODULES
  const answers: readonly LocalMethods[] = [
    localMethods({
      rpc_modules: () => Object.fromEntries(modules.map((name) => [name, '1.0'])),
      eth_getProof: proofMethod(node, { blocks: pruning ? PRUNED_WINDOW : ARCHIVE_WINDOW }),
      ...poolMethods(node),
      ...rawMethods(node, extraData),
      ...(isC ? {} : { eth_accounts: () => [] }),
    }),
    extraMethods(node, rules),
    ...(isC ? [keyMethods(node, plan.evmChainId)] : []),
  ]
  return {
    answer(request) {
      for (const each of answers) {
        const found = each(request)
        if (found !== undefined) return found
      }
      return undefined
    },
    close() {
      void node.then(({ rpc }) => rpc.close()).catch(() => undefined)
    },
  }
}
