import type { EvmChain } from '../../evm/evm-chain.ts'
import type { Certificate } from '../../primary/certificates.ts'
import type { Container, ContainerKind, Ledger } from '../../primary/ledger.ts'
import type { ChainAlias } from '../../../protocol/primary/chains.ts'
import { atomicMethods } from './avax-service.ts'
import type { ChainRegistry } from '../rpc/chain-names.ts'
import type { RouteGroup, Handler } from '../../kernel/front.ts'
import type { NodeHook } from '../rpc/hook.ts'
import { createCIndex } from './index-c.ts'
import { type ContainerSource, indexMethods } from './index-service.ts'
import { json2Handler, type Methods } from '../rpc/json2.ts'
import type { ChainNames, LocalChain } from './addresses.ts'
import { exchangeMethods } from './exchange.ts'
import { platformMethods } from './platform.ts'
import { forCallers } from '../../kernel/for-callers.ts'

/** What the endpoints of the primary network need. */
type PrimaryFacts = {
  readonly ledger: Promise<Ledger>
  readonly c: Promise<EvmChain>
  /** The names of all chains, P, X and C among them. */
  readonly registry: ChainRegistry
  /** The prefix of the network's addresses. */
  readonly prefix: string
  /** The proposers of the C-Chain's blocks. */
  readonly proposers: readonly Certificate[]
  readonly hook: NodeHook | undefined
}

/** The names of the primary network's chains in paths, and their ids in cb58. */
export const primaryIds = {
  P: '11111111111111111111111111111111LpoYY',
  X: '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
} as const

function ledgerIndex(ledger: Ledger, kind: ContainerKind): ContainerSource {
  return {
    count: () => ledger.containers(kind),
    range: (start, end) =>
      Array.from({ length: Math.max(0, end - start) }, (_, offset) =>
        ledger.container(kind, start + offset),
      ).filter((container): container is Container => container !== undefined),
    indexOf: (id) => ledger.containerOf(kind, id)?.index,
  }
}

/** The routes of P, X, the C-Chain's atomic memory and the indices. Calls wait until the ledger has been built. */
export function primaryRoutes(facts: PrimaryFacts): RouteGroup {
  const { hook, registry } = facts
  const names: ChainNames = registry.hexIds

  function localChain(ledger: Ledger, alias: ChainAlias): LocalChain {
    return { id: ledger.ids[alias], form: { alias, prefix: facts.prefix }, names }
  }

  function handlerOf(
    name: string,
    chain: string,
    methodsOf: (ledger: Ledger) => Methods | Promise<Methods>,
  ): Handler {
    const methods = forCallers(facts.ledger.then(methodsOf))
    return json2Handler({ name, methods, hook: { of: hook, chain } })
  }

  const runs = new Set(names.values())
  const platform = handlerOf('platform', 'P', (ledger) =>
    platformMethods({ ledger, chain: localChain(ledger, 'P'), runs }),
  )
  const exchange = handlerOf('avm', 'X', (ledger) =>
    exchangeMethods({ ledger, chain: localChain(ledger, 'X') }),
  )
  const atomic = handlerOf('avax', 'avax', (ledger) =>
    atomicMethods({
      ledger,
      chain: localChain(ledger, 'C'),
      c: facts.c,
    }),
  )
  const kinds = ['P/block', 'X/block', 'X/vtx', 'X/tx'] as const
  const indices = kinds.map((kind): [string, Handler] => [
    `/ext/index/${kind}`,
    handlerOf('index', `index/${kind}`, (ledger) => indexMethods(ledgerIndex(ledger, kind))),
  ])
  const cIndex = handlerOf('index', 'index/C/block', async (ledger) =>
    indexMethods(createCIndex(await facts.c, ledger, facts.proposers)),
  )
  const namesOf = (alias: string): readonly string[] =>
    registry.namesOf(registry.blockchains.get(alias) ?? '') ?? []

  return {
    routes: new Map<string, Handler>([
      ['/ext/P', platform],
      ['/ext/X', exchange],
      ...namesOf('P').map((name): [string, Handler] => [`/ext/bc/${name}`, platform]),
      ...namesOf('X').map((name): [string, Handler] => [`/ext/bc/${name}`, exchange]),
      ...namesOf('C').map((name): [string, Handler] => [`/ext/bc/${name}/avax`, atomic]),
      ...indices,
      ['/ext/index/C/block', cIndex],
    ]),
  }
}
