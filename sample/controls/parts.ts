import type { EvmChain } from '../evm/evm-chain.ts'
import { isHex, quantity } from '../kernel/hex.ts'
import type { Clock } from '../kernel/clock.ts'
import type { RouteGroup } from '../kernel/front.ts'
import type { Peers } from '../peers/peers.ts'
import type { LedgerHost } from '../primary/host/host.ts'
import { type Interference, isAnswer, type NodeHook } from '../node/rpc/hook.ts'
import type { RpcAnswer, RpcRequest } from '../node/rpc/jsonrpc.ts'
import { createCounters } from './counters.ts'
import { createFaults, interferenceOf } from './faults.ts'
import { peerRoutes } from './peer-routes.ts'
import { pretendingLedger } from './pretence.ts'
import { isPushAbove, rewindAnswer, rewindRequest } from './rewind.ts'
import { controlRoutes, type Controls } from './routes.ts'
import type { IdentityOrder } from './types.ts'
import { validatorRoutes } from './validator-routes.ts'

/** The test controls; undefined without `--test-controls`. */
export type TestParts = {
  readonly hook: NodeHook
  routeGroups(
    chains: ReadonlyMap<string, Promise<EvmChain>>,
    peers: Promise<Peers>,
    primary: { readonly ledger: Promise<LedgerHost>; readonly clock: Clock },
  ): readonly RouteGroup[]
}

/** Replaces chain id and genesis hash in the answers that contain them. */
function disguise(request: RpcRequest, answer: RpcAnswer, identity: IdentityOrder): RpcAnswer {
  const { evmChainId, genesis } = identity
  if (evmChainId !== undefined) {
    if (request.method === 'eth_chainId') return { ...answer, result: quantity(evmChainId) }
    if (request.method === 'net_version') return { ...answer, result: String(evmChainId) }
  }
  const block = answer.result as Readonly<Record<string, unknown>> | null | undefined
  if (genesis === undefined || !request.method.startsWith('eth_getBlockBy')) return answer
  if (block?.['number'] === '0x0') return { ...answer, result: { ...block, hash: genesis } }
  if (block?.['number'] === '0x1') return { ...answer, result: { ...block, parentHash: genesis } }
  return answer
}

/** The parts that `--test-controls` adds to the network. */
export function createTestParts(): TestParts {
  const heights = new Map<string, number>()
  const chains = new Map<string, EvmChain>()
  const controls: Controls = {
    faults: createFaults((hash) => heights.get(hash)),
    counters: createCounters(),
    rewinds: new Map(),
    identities: new Map(),
    gates: new Map(),
    primary: undefined,
  }

  function learn(answer: RpcAnswer): void {
    const { hash, number } = (answer.result ?? {}) as { hash?: unknown; number?: unknown }
    if (isHex(hash) && isHex(number)) heights.set(hash, Number(number))
  }

  const hook: NodeHook = {
    async begin(chain, requests, transport) {
      await controls.gates.get(chain)
      const shown = controls.rewinds.get(chain)
      const isPrimary = chain === 'P' || chain === 'X'
      const head = isPrimary ? controls.primary?.ledger.height(chain) : chains.get(chain)?.head.number
      controls.counters.count(chain, requests, shown ?? head ?? Infinity)
      const fault = transport === 'http' ? controls.faults.hit(chain, requests) : undefined
      const isHit = (request: RpcRequest): boolean =>
        fault !== undefined && controls.faults.matches(fault, request)
      const faulty = fault === undefined ? {} : interferenceOf(fault, isHit)
      const identity = controls.identities.get(chain)
      const interference: Interference = {
        ...faulty,
        before(request) {
          const changed = shown === undefined ? request : rewindRequest(request, shown)
          return isAnswer(changed) ? changed : (faulty.before?.(changed) ?? changed)
        },
        after(request, answer) {
          if (request.method.startsWith('eth_getBlockBy')) learn(answer)
          const rewound = shown === undefined ? answer : rewindAnswer(request, answer, shown)
          const disguised = identity === undefined ? rewound : disguise(request, rewound, identity)
          return faulty.after?.(request, disguised) ?? disguised
        },
      }
      return interference
    },
    shownLedger(ledger) {
      controls.primary = pretendingLedger(ledger)
      return controls.primary.ledger
    },
    socketFault: (chain) => controls.faults.socketFault(chain),
    mayPush(chain, message) {
      const shown = controls.rewinds.get(chain)
      return shown === undefined || !isPushAbove(message, shown)
    },
  }

  return {
    hook,
    routeGroups(starting, peers, primary) {
      for (const [key, chain] of starting) {
        // The network reports a chain that does not start.
        void chain.then((started) => chains.set(key, started)).catch(() => undefined)
      }
      return [
        controlRoutes(controls, starting),
        peerRoutes(peers),
        validatorRoutes({ ...primary, peers, shown: () => controls.primary }),
      ]
    },
  }
}
