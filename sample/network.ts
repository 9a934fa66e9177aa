import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Clock } from './kernel/clock.ts'
import { createChainKeeper, reasonOf } from './chain-keeper.ts'
import type { EvmChain } from './evm/evm-chain.ts'
import type { ManagerMessage } from './evm/courier.ts'
import { blockchainIdOf, type ChainPlan, chainPlans } from './evm/chains.ts'
import type { RpcClient } from './evm/anvil/rpc.ts'
import type { AccountChange } from './primary/ledger.ts'
import { openChainStore } from './evm/store.ts'
import { historyTimes, type Timeline, timelineOf } from './evm/story.ts'
import { type Home, openHome, type Origin, settingsOf } from './home.ts'
import type { Notice } from './launcher.ts'
import { listeningNotice } from './listening.ts'
import type { TestParts } from './controls/parts.ts'
import type { EvmEndpoint } from './node/evm/endpoint.ts'
import { type Front, startFront } from './kernel/front.ts'
import { nodeRouteGroups } from './node/node.ts'
import { rulesOf } from './node/evm/sample-rules.ts'
import { foundingsOf, genesisOf, networkIds } from './primary/founding.ts'
import { openValidators } from './node/validators.ts'
import { type CBlock, type LedgerHost, openLedger } from './primary/host/host.ts'
import { settleBlock } from './evm/anvil/settle.ts'
import { openLedgerStore } from './primary/host/store.ts'
import { messagesOfManager } from './primary/host/manager-messages.ts'
import { worldOf } from './primary/world.ts'
import { fullHistoryHours, type SampleOptions } from './options.ts'
import { priceFile, pricedAssets, writePriceFile } from './prices.ts'
import { setAside } from './kernel/set-aside.ts'
import { forCallers } from './kernel/for-callers.ts'

/** The running network. */
export type Network = {
  readonly front: Front
  /** Resolves when the history and the blocks up to now have been made; rejects on a failure. */
  readonly ready: Promise<void>
  /** Resolves with a description only when the network cannot continue. A failed chain is restarted. */
  readonly broken: Promise<string>
  /** Saves every chain, ends all processes, and releases the home. */
  stop(): Promise<void>
}

const dataVersion = 8
/** The number of states that a pruned node keeps behind the head. The memory of each one grows with the height. */
const prunedStates = 32

/** The files of a home that belong to its chains. */
const statePaths = ['network.json', 'primary', ...chainPlans.map(({ key }) => key as string)]

/**
 * The parameters of the chains, and whether these are new: chains with other parameters are moved to another folder.
 */
function chooseOrigin(
  home: Home,
  options: SampleOptions,
  note: (message: string) => void,
): [Origin, boolean] {
  const now = options.now ?? Math.floor(Date.now() / 1000)
  const { seed, hours, density } = options
  const wanted: Origin = { version: dataVersion, seed, now, hours, density }
  const { origin: found, damaged, folder } = home
  if (found !== undefined && settingsOf(found) === settingsOf(wanted)) return [found, false]
  const where = setAside(folder, statePaths)
  if (where === undefined) return [wanted, true]
  const why =
    damaged !== undefined
      ? `cannot be read (${damaged})`
      : found === undefined
        ? 'lacks network.json'
        : found.version === dataVersion
          ? 'was made with other settings'
          : `has version ${found.version}, not ${dataVersion}`
  note(`the state in ${folder} ${why}; it is in ${where} now; starting anew`)
  return [wanted, true]
}

/**
 * Starts the network: first the HTTP server, then the nodes, then the blocks. Throws when home or port is in use.
 */
export async function startNetwork(
  options: SampleOptions,
  sendNotice: (notice: Notice) => void,
  parts?: TestParts,
): Promise<Network> {
  const home = openHome(path.resolve(options.home))
  const note = (message: string): void => sendNotice({ type: 'note', message })
  if (home.orphansEnded > 0) note(`ended ${home.orphansEnded} node processes of a run that was killed`)
  const [origin, isNew] = chooseOrigin(home, options, note)
  const offset = options.now === undefined ? 0 : options.now - Date.now() / 1000
  const clock: Clock = () => Date.now() / 1000 + offset
  const stopping = new AbortController()
  let isReady = false

  const stores = new Map(
    chainPlans.map((plan) => [plan.key, openChainStore(path.join(home.folder, plan.key))]),
  )
  const primaryStore = openLedgerStore(
    path.join(home.folder, 'primary'),
    `${settingsOf(origin)}/${origin.now}`,
  )
  home.writeOrigin(origin)

  const planned = new Map(chainPlans.map((plan) => [plan.key, timelineOf(plan, origin.now, origin.hours)]))
  const { meridian: game, harbor: firms } = foundingsOf()
  const world = worldOf(origin.seed, timeline('c').end, networkIds, [game.founder, firms.founder])
  const opening = openLedger({
    world,
    plan: {
      starts: { meridian: timeline('meridian').start, harbor: timeline('harbor').start },
      cTimes: cTimes(),
      density: origin.density * Math.min(1, origin.hours / fullHistoryHours),
    },
    store: primaryStore,
    note,
    progress: (done, total) => sendNotice({ type: 'progress', chain: 'P-Chain and X-Chain', done, total }),
    stop: stopping.signal,
  })
  const ledger = forCallers(opening.then((host) => host ?? new Promise<LedgerHost>(() => undefined)))

  const keepers = chainPlans.map((plan) =>
    createChainKeeper({
      plan,
      timeline: timeline(plan.key),
      seed: origin.seed,
      store: stores.get(plan.key) ?? openChainStore(path.join(home.folder, plan.key)),
      onSpawn: (pid) => home.noteNode(pid),
      ...(plan.key === 'c' ? { settle: settleOn } : {}),
      ...(plan.isL1 ? { messages: () => messagesOn(plan) } : {}),
      ...(options.archive || options.testControls ? {} : { keptStates: prunedStates }),
      isArchive: options.archive,
      isLive: options.live,
      clock,
      note,
      progress: (done, total) => sendNotice({ type: 'progress', chain: plan.name, done, total }),
      stop: stopping.signal,
    }),
  )
  const chains = new Map(keepers.map(({ plan, chain }) => [plan.key as string, chain] as const))
  const extraData = forCallers(ledger.then((each) => each.extraData))
  const endpoints: EvmEndpoint[] = keepers.map((keeper) => ({
    plan: keeper.plan,
    chain: keeper.chain,
    isDown: () => keeper.failure !== undefined,
    rules: rulesOf(keeper.plan, timeline(keeper.plan.key), world.ages),
    pruning: !options.archive,
    ...(keeper.plan.key === 'c' ? { extraData } : {}),
  }))

  let isIdle: () => void = () => undefined
  const validators = openValidators({
    world,
    ledger,
    endpoints,
    idle: new Promise<void>((resolve) => (isIdle = resolve)),
    onFailure: (error) => note(`a validator could not open its port: ${reasonOf(error)}`),
  })

  let front: Front
  try {
    const proposers = world.nodes.map(({ certificate }) => certificate)
    const settings = { folder: home.folder, admin: options.admin, pruning: !options.archive }
    const routeGroups = nodeRouteGroups(
      validators.endpoints,
      { ledger, proposers, peers: validators.peers },
      () => isReady,
      parts?.hook,
      settings,
    )
    routeGroups.push(validators.routeGroup(parts?.hook))
    if (parts !== undefined)
      routeGroups.push(...parts.routeGroups(chains, validators.peers, { ledger, clock }))
    front = await startFront(options.host, options.port, routeGroups)
  } catch (error) {
    await validators.close()
    stopping.abort()
    await Promise.allSettled(keepers.map((keeper) => keeper.stop()))
    home.release()
    throw error
  }

  /** The changes of accounts by atomic transactions in a C block. */
  async function settleOn(block: CBlock, rpc: RpcClient): Promise<readonly AccountChange[]> {
    const host = await opening
    return host === undefined ? [] : settleBlock(host, rpc, block)
  }

  function timeline(key: ChainPlan['key']): Timeline {
    const found = planned.get(key)
    if (found === undefined) throw new Error(`no chain ${key}`)
    return found
  }

  function cTimes(): number[] {
    const plan = chainPlans.find(({ key }) => key === 'c')
    return plan === undefined ? [] : historyTimes(plan, timeline('c'), origin.seed)
  }

  /** The messages of the L1's manager that the P-Chain's history contains. */
  async function messagesOn(plan: ChainPlan): Promise<readonly ManagerMessage[]> {
    const { start, end } = timeline(plan.key)
    const host = await opening
    return host === undefined ? [] : messagesOfManager(host, blockchainIdOf(plan).slice(2), start, end)
  }

  const pricesFile = path.join(home.folder, 'prices.json')
  /** Writes the price file if it has changed. The address of a token may differ from the predicted one. */
  function savePrices(all: readonly EvmChain[], written?: string): string {
    const assets = pricedAssets(
      all.map((chain) => ({
        evmChainId: chain.plan.evmChainId,
        symbol: chain.plan.token.symbol,
        tokens: chain.tokens(),
        // AVAX exists longer on P and X than the C-Chain's history.
        ...(chain.plan.key === 'c' ? { since: world.ages.start } : {}),
      })),
    )
    const key = JSON.stringify(assets)
    if (key === written) return key
    const from = Math.min(...all.map((chain) => chain.timeline.start))
    writePriceFile(pricesFile, priceFile(origin.seed, assets, from, Math.max(origin.now, clock())))
    return key
  }

  const genesisFile = path.join(home.folder, 'genesis.bin')
  writeFileSync(genesisFile, genesisOf(world).bytes)

  let declareBroken: (words: string) => void = () => undefined
  const broken = new Promise<string>((resolve) => {
    declareBroken = (words) => {
      if (!stopping.signal.aborted) resolve(words)
    }
  })

  async function run(): Promise<void> {
    const all = await Promise.all(keepers.map(({ chain }) => chain))
    const url = front.url
    const prices = savePrices(all)
    sendNotice(
      listeningNotice(url, all, {
        state: isNew ? 'new' : 'kept',
        validatorNodes: validators.nodes(url),
        pricesFile,
        genesisFile,
      }),
    )
    let begin: () => void = () => undefined
    const beginning = new Promise<void>((resolve) => (begin = resolve))
    for (const keeper of keepers) {
      keeper.keep(beginning).catch((error: unknown) => {
        declareBroken(`${keeper.plan.name} cannot be kept running: ${reasonOf(error)}`)
      })
    }
    const host = await bringUpAll()
    if (host === undefined || stopping.signal.aborted) return
    savePrices(all, prices)
    isReady = true
    sendNotice({ type: 'ready', pricesFile })
    isIdle()
    begin()
    if (!options.live) return
    host.live(clock, stopping.signal).catch((error: unknown) => {
      declareBroken(`the primary network takes no more blocks: ${reasonOf(error)}`)
    })
  }

  async function bringUpAll(): Promise<LedgerHost | undefined> {
    const [host] = await Promise.all([
      opening.then(async (opened) => {
        if (options.live) await opened?.catchUp(clock(), stopping.signal)
        return opened
      }),
      ...keepers.map(({ whole }) => whole),
    ])
    return host
  }

  return {
    front,
    ready: run(),
    broken,
    async stop() {
      stopping.abort()
      await front.close()
      await validators.close()
      const host = await opening.catch(() => undefined)
      host?.save()
      await Promise.allSettled(keepers.map((keeper) => keeper.stop()))
      home.release()
    },
  }
}
