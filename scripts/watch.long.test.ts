import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { watchRuleKinds, type WatchKindName } from '../contract/watch/rule-kinds.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../e2e/support/launcher.ts'
import { startSample, type RunningSample } from '../sample/testing/start.ts'

/**
 * Every kind of rule against a service, a node, a receiver of webhooks and a mail server. Nothing waits for the clock:
 * a sample is taken every second, and the P-Chain's time moves on by order.
 */

/** How soon an operator has to be told, in milliseconds. */
const limit = { timeout: 60_000, interval: 200 }
const [minute, hour, day] = [60, 3_600, 86_400]

/** What was told through a way out: the alarm and the event. */
type Told = { readonly alarmId: string; readonly event: string }
const hooked: Told[] = []
const mailed: Told[] = []
/** The kinds of rules by their alarms. */
const kinds = new Map<string, string>()

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const {
      alarmId = '',
      event = '',
      kind = '',
    } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, string>
    kinds.set(alarmId, kind)
    hooked.push({ alarmId, event })
    response.writeHead(204).end()
  })
})
const mail = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, _session, done) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const alarmId = /^X-Ridgeline-Alarm: (\S+)/m.exec(text)?.[1] ?? ''
      mailed.push({ alarmId, event: /^Subject: .*Resolved/m.test(text) ? 'resolved' : 'firing' })
      done()
    })
  },
})

/** The events of each kind of rule that a way out was told, in order. */
function byKind(told: readonly Told[]): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const { alarmId, event } of told) {
    const kind = kinds.get(alarmId) ?? 'unknown'
    found[kind] = [...(found[kind] ?? []), event]
  }
  return found
}

const folder = temporaryFolder()
let sample: RunningSample
let service: Launched
let url = ''
let token = ''

/** Reads something of the watch, with the local token. */
const read = async (path: string): Promise<unknown> =>
  (await fetch(`${url}/v1/watch/${path}`, { headers: { 'x-ridgeline-token': token } })).json()

/** A request to the watch that changes something, with the local token. */
async function change(path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${url}/v1/watch/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-ridgeline-token': token },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: HTTP ${response.status} ${text}`)
  return JSON.parse(text) as Record<string, string>
}

async function askNode<Result>(method: string, params: object): Promise<Result> {
  const response = await fetch(`${sample.url}/ext/bc/P`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  return ((await response.json()) as { result: Result }).result
}

type Validator = {
  readonly nodeID: string
  readonly startTime: string
  readonly endTime: string
  readonly weight: string
  readonly delegatorWeight: string
}
const stakeOf = ({ weight, delegatorWeight }: Validator): number => Number(weight) + Number(delegatorWeight)
type L1Validator = { readonly nodeID: string; readonly validationID: string; readonly weight: string }

const nodes: Record<'offline' | 'low' | 'lost' | 'old' | 'fresh' | 'silent' | 'delegated', string> = {
  offline: '',
  low: '',
  lost: '',
  old: '',
  fresh: '',
  silent: '',
  delegated: '',
}
let quarry: readonly L1Validator[] = []

/** The L1 validator without which the quorum is near, and another one. */
const heaviest = (): L1Validator | undefined =>
  quarry.toSorted((left, right) => Number(right.weight) - Number(left.weight))[0]
const drained = (): string =>
  quarry.find(({ validationID }) => validationID !== heaviest()?.validationID)?.validationID ?? ''

async function states(): Promise<Record<string, string[]>> {
  const answer = (await read('states')) as {
    states: { kind: string; state: string }[]
  }
  const found: Record<string, string[]> = {}
  for (const { kind, state } of answer.states) found[kind] = [...(found[kind] ?? []), state].toSorted()
  return found
}

/** Waits until both ways out were told this of a kind, in this order and nothing else. */
async function told(
  kind: WatchKindName,
  events: readonly string[],
  expectHere: typeof expect,
): Promise<void> {
  await expectHere.poll(() => [byKind(hooked)[kind], byKind(mailed)[kind]], limit).toEqual([events, events])
}

/** Chooses a validator for each case, and an L1 of which every validator is active and connected. */
async function chooseSubjects(): Promise<void> {
  const { validators } = await askNode<{ validators: Validator[] }>('platform.getCurrentValidators', {})
  const { subnets } = await askNode<{ subnets: { id: string }[] }>('platform.getSubnets', {})
  for (const { id } of subnets) {
    const { validators: members } = await askNode<{ validators: L1Validator[] }>(
      'platform.getCurrentValidators',
      { subnetID: id },
    )
    const weights = members.map(({ weight, validationID }) => (validationID ? Number(weight) : 0))
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    // One that falls below the margin of 75 % without its heaviest validator.
    if (members.length >= 3 && total > 0 && Math.max(...weights) / total > 0.25) quarry = members
  }
  const now = Date.now() / 1000
  const busy = new Set(quarry.map(({ nodeID }) => nodeID))
  const lasting = validators.filter(
    ({ nodeID, endTime }) => !busy.has(nodeID) && Number(endTime) - now > 15 * day,
  )
  // Older than Helicon: the reward needs 80 %, and can be lost by now.
  const [lost, low] = lasting.filter(({ startTime }) => now - Number(startTime) > 200 * day)
  const [offline, old, ...others] = lasting.filter(({ startTime }) => now - Number(startTime) < 100 * day)
  // The heaviest proposes most often.
  const [silent] = others.toSorted((left, right) => stakeOf(right) - stakeOf(left))
  // A peer that is not listed may validate all the same, depending on the hour.
  const validating = new Set(validators.map(({ nodeID }) => nodeID))
  const [idle, delegated] = (await sample.control.peers()).filter(
    ({ nodeId, address }) => address === undefined && !validating.has(nodeId),
  )
  if (!offline || !low || !lost || !old || !silent || !idle || !delegated || quarry.length === 0)
    throw new Error('the sample lacks validators for the cases')
  Object.assign(nodes, {
    offline: offline.nodeID,
    low: low.nodeID,
    lost: lost.nodeID,
    old: old.nodeID,
    fresh: idle.nodeId,
    silent: silent.nodeID,
    delegated: delegated.nodeId,
  })
  // Too short for the delegations that the sample makes by itself.
  await sample.control.stake({ kind: 'validator', nodeId: nodes.delegated, seconds: 10 * day })
  for (const nodeId of Object.values(nodes))
    await sample.control.node({ nodeId, isConnected: true, uptime: 99 })
  for (const { nodeID, validationID } of quarry) {
    await sample.control.node({ nodeId: nodeID, isConnected: true })
    await sample.control.l1Balance({ validationId: validationID, seconds: 60 * day })
  }
}

/** Who sent the C-Chain's last transaction: an address with a balance. */
async function holderOnC(): Promise<string> {
  const call = async <Result>(method: string, params: unknown[]): Promise<Result> => {
    const response = await fetch(`${sample.url}/ext/bc/C/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await response.json()) as { result: Result }).result
  }
  for (let height = Number(await call<string>('eth_blockNumber', [])); height > 0; height -= 1) {
    const block = await call<{ transactions: { from: string }[] }>('eth_getBlockByNumber', [
      `0x${height.toString(16)}`,
      true,
    ])
    const from = block.transactions[0]?.from
    if (from !== undefined) return from
  }
  throw new Error('nobody has sent a transaction on the C-Chain')
}

const stackFolder = temporaryFolder()
beforeAll(async () => {
  receiver.listen(0, '127.0.0.1')
  mail.listen(0, '127.0.0.1')
  ;[sample] = await Promise.all([
    // A day behind the clock, so that blocks which are not indexed are late, however far the cases move its time on.
    startSample({ hours: 12, now: Math.floor(Date.now() / 1000) - day }),
    once(receiver, 'listening'),
  ])
  await chooseSubjects()
  const ports = [receiver.address() as AddressInfo, mail.server.address() as AddressInfo].map(
    ({ port }) => port,
  )
  const config = writeConfig(stackFolder.path, {
    networks: [
      {
        id: 'fuji',
        name: 'Sample',
        networkId: 5,
        prefix: 'fuji',
        nodeUrl: sample.url,
        genesisFile: join(sample.home, 'genesis.bin'),
        pollSeconds: 0.2,
        sampleSeconds: 1,
        uptimeSeconds: 1,
      },
    ],
    chains: [{ ...sample.chain('C-Chain'), pollSeconds: 0.5 }],
    watch: { roundSeconds: 0.5, hosts: ports.map((port) => `127.0.0.1:${port}`) },
  })
  service = launch({ home: folder.path, args: ['--config', config] })
  url = await service.ready()
  token = readFileSync(join(folder.path, 'token'), 'utf8').trim()
  const hook = await change('channels', {
    name: 'hook',
    kind: 'webhook',
    webhook: { url: `http://127.0.0.1:${ports[0]}/` },
  })
  const smtp = await change('channels', {
    name: 'mail',
    kind: 'smtp',
    smtp: {
      host: '127.0.0.1',
      port: ports[1],
      security: 'none',
      from: 'watch@example.org',
      to: ['me@example.org'],
    },
  })
  const { fleet } = (await change('fleets', {
    network: 'fuji',
    name: 'All',
    members: [...Object.values(nodes), ...quarry.map(({ validationID }) => validationID)].map((memberId) => ({
      memberId,
    })),
  })) as unknown as { fleet: { fleetId: string } }
  const holder = await holderOnC()
  const more: Partial<Record<WatchKindName, object>> = {
    // Some rounds may fall between a new block and its row; a delay lasts.
    indexerLate: { threshold: 2 * minute, samples: 6, network: 'fuji' },
    nodeSilent: { threshold: 15 },
    diskFull: { threshold: 1, hysteresis: 0 },
    notConnected: { memberId: nodes.offline },
    noProposals: { memberId: nodes.silent, threshold: 4, samples: 1 },
    uptimeLow: { memberId: nodes.low },
    stakeEnds: { memberId: nodes.fresh },
    delegationAdded: { memberId: nodes.delegated },
    delegationEnded: { memberId: nodes.delegated },
    versionBehind: { memberId: nodes.old },
    l1BalanceLow: { memberId: drained() },
    quorumNear: { memberId: heaviest()?.validationID ?? '' },
    chainQuiet: { threshold: 30 * day, chainId: '43113' },
    addressBalanceLow: { threshold: 0.000001, chainId: '43113', address: holder },
    addressBalanceHigh: { threshold: 1e9, chainId: '43113', address: holder },
  }
  for (const { kind, scope } of watchRuleKinds) {
    if (!isTried(kind)) continue
    await change('rules', {
      kind,
      name: kind,
      samples: 2,
      ...(scope === 'fleet' && { fleetId: fleet.fleetId }),
      channelIds: [hook['channelId'], smtp['channelId']],
      ...more[kind],
    })
  }
  // Every subject can be evaluated, and none is in trouble.
  await vi.waitFor(
    async () =>
      expect(Object.entries(await states()).filter(([, all]) => all.some((state) => state !== 'ok'))).toEqual(
        [],
      ),
    limit,
  )
})

afterAll(async () => {
  await service?.stop()
  await sample?.stop()
  receiver.closeAllConnections()
  receiver.close()
  await new Promise<void>((resolve) => mail.close(resolve))
  stackFolder.remove()
  folder.remove()
})

/** What happens to a kind's subject, and what ends it. */
type Case = { readonly breach: () => Promise<unknown>; readonly mend?: () => Promise<unknown> }

const seen = (nodeId: () => string, breach: object): Case => ({
  breach: () => sample.control.node({ nodeId: nodeId(), isConnected: true, uptime: 99, ...breach }),
  mend: () => sample.control.node({ nodeId: nodeId(), isConnected: true, uptime: 99 }),
})

/** The transactions of an address are tested by rows (server/watch/address-rules.test.ts): nobody has keys of the sample. */
type TriedKind = Exclude<WatchKindName, 'addressSends' | 'addressReceives'>
const isTried = (kind: WatchKindName): kind is TriedKind =>
  kind !== 'addressSends' && kind !== 'addressReceives'
const tried = watchRuleKinds.map(({ kind }) => kind).filter(isTried)

const cases: Record<TriedKind, Case> = {
  notConnected: seen(() => nodes.offline, { isConnected: false }),
  uptimeLow: seen(() => nodes.low, { uptime: 82 }),
  rewardUnreachable: seen(() => nodes.lost, { uptime: 1 }),
  versionBehind: seen(() => nodes.old, { version: 'avalanchego/1.0.0' }),
  quorumNear: seen(() => heaviest()?.nodeID ?? '', { isConnected: false }),
  l1BalanceLow: {
    breach: () => sample.control.l1Balance({ validationId: drained(), seconds: day }),
    mend: () => sample.control.l1Balance({ validationId: drained(), seconds: 60 * day }),
  },
  stakeEnds: {
    breach: () => sample.control.stake({ kind: 'validator', nodeId: nodes.fresh, seconds: hour }),
    mend: () => sample.control.advance({ seconds: hour + 1 }),
  },
  delegationAdded: {
    breach: () => sample.control.stake({ kind: 'delegator', nodeId: nodes.delegated, seconds: minute }),
  },
  delegationEnded: { breach: () => sample.control.advance({ seconds: minute + 1 }) },
  noProposals: {
    async breach() {
      await sample.control.node({ nodeId: nodes.silent, isConnected: false, uptime: 99 })
      await mine(400)
    },
    async mend() {
      await sample.control.node({ nodeId: nodes.silent, isConnected: true, uptime: 99 })
      await mine(400)
    },
  },
  indexerLate: {
    // The node goes on, but gives no more blocks.
    async breach() {
      await sample.control.addFault({ chain: 'index', kind: '503' })
      await sample.control.addFault({
        chain: 'P',
        kind: '503',
        match: { method: 'platform.getBlockByHeight' },
      })
      await sample.control.advance({ seconds: 1 })
    },
    mend: () => sample.control.clearFaults(),
  },
  nodeSilent: {
    breach: () => sample.control.addFault({ chain: 'P', kind: '503' }),
    mend: () => sample.control.clearFaults(),
  },
  // No test fills a disk: the limit moves instead.
  diskFull: { breach: () => setLimit('diskFull', 100), mend: () => setLimit('diskFull', 1) },
  // The sample is a day behind the clock, and nothing spends what the address holds.
  chainQuiet: { breach: () => setLimit('chainQuiet', hour), mend: () => setLimit('chainQuiet', 30 * day) },
  addressBalanceLow: {
    breach: () => setLimit('addressBalanceLow', 1e9),
    mend: () => setLimit('addressBalanceLow', 0.000001),
  },
  addressBalanceHigh: {
    breach: () => setLimit('addressBalanceHigh', 0.000001),
    mend: () => setLimit('addressBalanceHigh', 1e9),
  },
}

/** Makes P-Chain blocks, of which each validator proposes its share. */
async function mine(blocks: number): Promise<void> {
  // A second in which the sample has no transaction to make has no block.
  const { height } = await sample.control.advance({ seconds: 1 })
  for (let head = height; head < height + blocks;)
    head = (await sample.control.advance({ seconds: 1 })).height
}

/** Gives the rule of a kind another limit, and leaves it as it is otherwise. */
async function setLimit(kind: TriedKind, threshold: number): Promise<void> {
  const { rules } = (await read('rules')) as {
    rules: Record<string, unknown>[]
  }
  const rule = rules.find((each) => each['kind'] === kind)
  const { name, samples, channelIds, chainId, address } = rule ?? {}
  await change(`rules/${String(rule?.['ruleId'])}`, {
    kind,
    name,
    samples,
    channelIds,
    chainId,
    address,
    threshold,
    hysteresis: 0,
  })
}

async function fireAndResolve(kind: TriedKind, expectHere: typeof expect): Promise<void> {
  const { breach, mend } = cases[kind]
  await breach()
  await told(kind, ['firing'], expectHere)
  if (!mend) return
  await mend()
  await told(kind, ['firing', 'resolved'], expectHere)
}

/** Kinds whose cases change what others are evaluated by: the time of the P-Chain, or what the node answers. */
const alone: readonly TriedKind[] = [
  'quorumNear',
  'stakeEnds',
  'delegationAdded',
  'delegationEnded',
  'noProposals',
  'indexerLate',
  'nodeSilent',
]
const together = tried.filter((kind) => !alone.includes(kind))

test.concurrent.for(together)(
  '%s fires within a minute, once, and resolves once',
  (kind, { expect: expectHere }) => fireAndResolve(kind, expectHere),
)

test.for(alone)('%s fires within a minute, once, and resolves once', (kind) => fireAndResolve(kind, expect))

test('nothing else fired', async () => {
  const expected = Object.fromEntries(
    tried.map((kind) => [kind, cases[kind].mend ? ['firing', 'resolved'] : ['firing']]),
  )
  expect(byKind(hooked)).toEqual(expected)
  expect(byKind(mailed)).toEqual(expected)
  const { alarms } = (await read('alarms?isOpen=true')) as {
    alarms: unknown[]
  }
  expect(alarms).toEqual([])
})
