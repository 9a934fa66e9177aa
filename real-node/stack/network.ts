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

/** A network of staking validators of the same weight, whose genesis is ours. */
export type RealNetwork = {
  /** The first node; it needs no other to start. */
  readonly node: RealNode
  /** Who validates, whether it runs or not. */
  readonly validators: readonly PreparedNode[]
  /** Nodes beside them; their places follow. They run when they are started one by one. */
  readonly guests: readonly PreparedNode[]
  /** Unix seconds from when the rules of Helicon hold; undefined where the node does not know them. */
  readonly heliconTime: number | undefined
  /** The first validator's BLS key: alone in its network, its signature makes a quorum. */
  readonly secretKey: Uint8Array
  /** Ends all nodes and starts them again with other settings; those left out stay. */
  restart(settings: Partial<NetworkSettings>): Promise<void>
  /** Ends one node, by its place. */
  stopNode(place: number): Promise<void>
  /** Starts one that was stopped, with the keys and the data that it had. The last of equal flags counts. */
  startNode(place: number, flags?: readonly string[]): Promise<void>
  stop(): Promise<void>
}

export type NetworkSettings = {
  /** From 0 to 1: what a validator must have been seen for a vote for its reward. */
  readonly uptimeRequirement: number
  /** The chains that nodes run beside P, X and C: of these subnets, with these settings by blockchain id. */
  readonly subnets: readonly string[]
  readonly chains: Readonly<Record<string, ChainSettings>>
}

type NetworkOptions = {
  readonly program: string
  readonly folder: string
  /** How many validators; one alone makes all blocks at once. */
  readonly size: number
  /** How many nodes beside them; none unless given. */
  readonly guests?: number
  /** In how many seconds Helicon begins; never unless given. A node that does not know it minds nothing. */
  readonly heliconIn?: number
  /** The folder with the virtual machines of further chains. */
  readonly plugins?: string
}

const never = '9999-12-01T00:00:00Z'
// A validator set is known a second after its change instead of a minute.
const flagsFor = (heliconTime: string): string[] => [
  '--min-stake-duration=5s',
  '--proposervm-use-current-height=true',
  upgradesFlag({ heliconTime, epochSeconds: 1 }),
]

/** A time in the node's spelling, in whole seconds. */
const timeIn = (seconds: number): string =>
  new Date(Math.floor(Date.now() / 1000 + seconds) * 1000).toISOString()

/**
 * Starts a network of staking nodes in `folder`. Delegations may be as short as 5 seconds, and so may
 * validations be that begin before Helicon, so that rewards are seen within a test. Its first uptime
 * requirement is 0: every validation is rewarded that begins before Helicon.
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

/** Resolves when the rules of Helicon hold; at once on a node that does not know them. */
export async function untilHelicon({ heliconTime }: RealNetwork): Promise<void> {
  // The next block is a second later at the earliest: its time is past the upgrade's for sure.
  const left = heliconTime === undefined ? 0 : heliconTime + 1 - Date.now() / 1000
  if (left > 0) await delay(1000 * left)
}
