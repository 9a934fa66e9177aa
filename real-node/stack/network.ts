import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import {
  chainsFlag,
  prepareNetwork,
  upgradesFlag,
  type ChainSettings,
  type PreparedNode,
} from '../../scripts/support/staking-network.mjs'
import { ask, freePorts, startNode, type RealNode } from './node.ts'

/** A network with an own genesis, whose validators have the same weight. */
export type RealNetwork = {
  /** The first node; it needs no other to start. */
  readonly node: RealNode
  /** All validators, running or not. */
  readonly validators: readonly PreparedNode[]
  /** Further nodes, at the places after the validators. `startNode` starts each. */
  readonly guests: readonly PreparedNode[]
  /** Activation of Helicon in Unix seconds; undefined if the node does not know it. */
  readonly heliconTime: number | undefined
  /** The first validator's BLS key. In a network of one validator its signature is a quorum. */
  readonly secretKey: Uint8Array
  /** Restarts all nodes. Omitted settings stay the same. */
  restart(settings: Partial<NetworkSettings>): Promise<void>
  /** Stops the node at `place`. */
  stopNode(place: number): Promise<void>
  /** Starts a stopped node with its keys and data. `flags` override the default flags of the same name. */
  startNode(place: number, flags?: readonly string[]): Promise<void>
  stop(): Promise<void>
}

type NetworkSettings = {
  /** From 0 to 1: the observed uptime at which nodes vote for a validator's reward. */
  readonly uptimeRequirement: number
  /** The subnets whose chains the nodes run in addition to P, X and C; settings by blockchain id. */
  readonly subnets: readonly string[]
  readonly chains: Readonly<Record<string, ChainSettings>>
}

type NetworkOptions = {
  readonly program: string
  readonly folder: string
  /** The number of validators. A single one builds all blocks without waiting. */
  readonly size: number
  /** The number of further nodes, by default 0. */
  readonly guests?: number
  /** Seconds until Helicon is activated, by default never. Nodes that do not know it ignore this. */
  readonly heliconIn?: number
  /** The folder with the virtual machines of other chains. */
  readonly plugins?: string
}

const never = '9999-12-01T00:00:00Z'
// Changes of a validator set take effect after a second instead of a minute.
const flagsFor = (heliconTime: string): string[] => [
  '--min-stake-duration=5s',
  '--proposervm-use-current-height=true',
  upgradesFlag({ heliconTime, epochSeconds: 1 }),
]

/** A time in the node's format, `seconds` from now, in whole seconds. */
const timeIn = (seconds: number): string =>
  new Date(Math.floor(Date.now() / 1000 + seconds) * 1000).toISOString()

/**
 * Starts a network of staking nodes in `folder`. Delegations, and validations that begin before Helicon, may be as
 * short as 5 seconds, so that a test sees rewards. The initial uptime requirement is 0, so every validation that
 * begins before Helicon is rewarded.
 */
export async function startNetwork(options: NetworkOptions): Promise<RealNetwork> {
  const { program, folder, size, guests = 0, heliconIn, plugins } = options
  const count = size + guests
  const free = await freePorts(2 * count)
  const ports = Array.from({ length: count }, (_, at) => [free[2 * at] ?? 0, free[2 * at + 1] ?? 0] as const)
  const nodes = await prepareNetwork({ program, folder, ports, guests })
  const validators = nodes.slice(0, size)
  const soon = flagsFor(heliconIn === undefined ? never : timeIn(heliconIn))
  let settings: NetworkSettings = { uptimeRequirement: 0, subnets: [], chains: {} }
  const running = new Map<number, RealNode>()

  async function start(place: number, more: readonly string[] = []): Promise<void> {
    const prepared = nodes[place]
    if (prepared === undefined) throw new Error(`there is no node ${place}`)
    const flags = [
      ...prepared.flags,
      ...soon,
      chainsFlag(settings.chains),
      `--uptime-requirement=${settings.uptimeRequirement}`,
      ...(plugins === undefined ? [] : [`--plugin-dir=${plugins}`]),
      ...(settings.subnets.length === 0 ? [] : [`--track-subnets=${settings.subnets.join(',')}`]),
      ...more,
    ]
    running.set(place, await startNode({ program, prepared, flags }))
  }

  async function stopNode(place: number): Promise<void> {
    await running.get(place)?.stop()
    running.delete(place)
  }

  async function startAll(): Promise<void> {
    const started = await Promise.allSettled(validators.map((_, place) => start(place)))
    const failed = started.find((each) => each.status === 'rejected')
    if (failed === undefined) return
    await stop()
    throw failed.reason
  }

  async function stop(): Promise<void> {
    await Promise.all([...running.keys()].map(stopNode))
  }

  function first(): RealNode {
    const node = running.get(0)
    if (node === undefined) throw new Error('the first node does not run')
    return node
  }

  await startAll()
  const upgrades = await ask<{ heliconTime?: string }>(`${first().url}/ext/info`, 'info.upgrades')
  return {
    get node() {
      return first()
    },
    validators,
    guests: nodes.slice(size),
    heliconTime: upgrades.heliconTime === undefined ? undefined : Date.parse(upgrades.heliconTime) / 1000,
    secretKey: readFileSync(join(validators[0]?.folder ?? '', 'staking', 'signer.key')),
    async restart(changes) {
      settings = { ...settings, ...changes }
      await stop()
      await startAll()
    },
    stopNode,
    startNode: start,
    stop,
  }
}

/** Waits until Helicon is active; resolves immediately if the node does not know it. */
export async function untilHelicon({ heliconTime }: RealNetwork): Promise<void> {
  // The next block is at least a second later, and therefore certainly after the upgrade.
  const left = heliconTime === undefined ? 0 : heliconTime + 1 - Date.now() / 1000
  if (left > 0) await delay(1000 * left)
}
