import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createSecureContext } from 'node:tls'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { createSignatureNetwork } from '../../server/signatures/network.ts'
import { makeIdentity, type StoredIdentity } from '../../server/signatures/peer/identity.ts'
import type { CanonicalSet, RoundOutcome, SignatureNetwork } from '../../server/signatures/round.ts'
import { Rounds } from '../../server/signatures/rounds.ts'
import { quickSettings, startTestNetwork, testNetworkId } from '../../server/signatures/testing/network.ts'

/** The messages to the bench's processes, and their answers. */
export type SignatureCommand =
  | { readonly role: 'validators'; readonly count: number }
  | {
      readonly role: 'collect'
      readonly nodeUrl: string
      readonly ports: readonly number[]
      readonly caller: StoredIdentity
      readonly rounds: number
      /** Whether to time many messages at once. */
      readonly burst: boolean
    }
export type SignatureAnswer =
  | {
      readonly role: 'validators'
      readonly nodeUrl: string
      readonly ports: readonly number[]
      /** Another identity for the connections, because a validator accepts one connection per certificate. */
      readonly caller: StoredIdentity
    }
  | ({ readonly role: 'collect' } & Collected)

/** Milliseconds and bytes of one collecting process. */
export type Collected = {
  readonly startedBytes: number
  readonly mostBytes: number
  readonly bareConnections: number
  /** Until the first signature: the certificate is created, the BLS thread started, the set read. */
  readonly start: number
  /** The first round: every connection is opened. */
  readonly cold: number
  readonly coldSigners: number
  /** Number of open connections after it: the validators that the round asked. */
  readonly coldConnections: number
  readonly warm: readonly number[]
  /** The times until each of many concurrent, distinct messages is signed; then the same under load. */
  readonly bursts: readonly { readonly machine: 'quiet' | 'loaded'; readonly times: readonly number[] }[]
  /** Processor time of all threads in the first round in milliseconds, independent of other load. */
  readonly coldProcessor: number
  /** The longest pause of the event loop in the first round. */
  readonly longestPause: number
}

const quorum = 67
/** Number of distinct messages requested at the same time. */
const burstSize = 50
const primary = '11111111111111111111111111111111LpoYY'

async function startValidators(count: number): Promise<SignatureAnswer> {
  const network = await startTestNetwork(Array.from({ length: count }, () => ({})))
  // In practice, each validator signs on its own machine.
  for (const validator of network.validators) validator.prepare(messageOf(0))
  return {
    role: 'validators',
    nodeUrl: network.node.url,
    ports: network.validators.map(({ port }) => port),
    caller: await makeIdentity(),
  }
}

const messageOf = (round: number): Uint8Array => createHash('sha512').update(String(round)).digest()

async function round(network: SignatureNetwork, set: CanonicalSet, number: number): Promise<RoundOutcome> {
  const outcome = await network.collect({
    message: messageOf(number),
    justification: new Uint8Array(),
    sourceChainId: new Uint8Array(32),
    set,
    quorumPercentage: quorum,
    quorumPercentageBuffer: 0,
    signal: new AbortController().signal,
    onResult: () => undefined,
  })
  if (!outcome.isReached)
    throw new Error(`the quorum was not reached: ${JSON.stringify(outcome.results.slice(0, 3))}`)
  return outcome
}

/** Milliseconds of bare connections with a certificate to as many validators as a round asks at least. */
async function timeBareConnections(ports: readonly number[], caller: StoredIdentity): Promise<number> {
  const secureContext = createSecureContext({ cert: caller.certificate, key: caller.key, ca: [] })
  const began = performance.now()
  const waiting = [...ports]
  const lane = async (): Promise<void> => {
    for (let port = waiting.pop(); port !== undefined; port = waiting.pop()) {
      const socket = connect({ host: '127.0.0.1', port, secureContext, rejectUnauthorized: false })
      await new Promise<void>((resolve, reject) => {
        socket.on('secureConnect', resolve)
        socket.on('error', reject)
      })
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: 48 }, lane))
  return performance.now() - began
}

/** Milliseconds until each of many concurrent, distinct messages is signed. */
async function timeBurst(network: SignatureNetwork, firstNumber: number): Promise<number[]> {
  const rounds = new Rounds({ mostRounds: 32, cacheSeconds: 0, deadlineSeconds: 30 }, () => 0)
  const began = performance.now()
  return Promise.all(
    Array.from({ length: burstSize }, async (_, at) => {
      const share = rounds.join(network, {
        networkId: 'bench',
        message: messageOf(firstNumber + at),
        justification: new Uint8Array(),
        sourceChainId: new Uint8Array(32),
        set: await network.canonicalSet(primary, 0),
        quorumPercentage: quorum,
        quorumPercentageBuffer: 0,
      })
      if (!(await share.outcome).isReached) throw new Error('a round of the burst did not reach its quorum')
      return performance.now() - began
    }),
  )
}

/** Runs `work` while one process per processor is busy. */
async function whileLoaded<Result>(work: () => Promise<Result>): Promise<Result> {
  const spinners = cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }))
  try {
    return await work()
  } finally {
    for (const spinner of spinners) spinner.kill('SIGKILL')
  }
}

async function collect({
  nodeUrl,
  ports,
  caller,
  rounds,
  burst,
}: Extract<SignatureCommand, { role: 'collect' }>): Promise<SignatureAnswer> {
  const bareConnections = await timeBareConnections(
    ports.slice(0, Math.ceil((ports.length * quorum) / 100)),
    caller,
  )
  const home = await mkdtemp(join(tmpdir(), 'ridgeline-bench-'))
  const silent = { debug: () => undefined, warn: () => undefined }
  const startedBytes = process.memoryUsage.rss()
  const network = createSignatureNetwork({
    network: { name: 'Bench', networkId: testNetworkId, nodeUrl, requestSeconds: 20 },
    settings: { ...quickSettings, deadlineSeconds: 30, answerSeconds: 10 },
    home,
    logger: silent,
    clock: () => Math.floor(Date.now() / 1_000),
  })
  try {
    const pauses = monitorEventLoopDelay({ resolution: 1 })
    const began = performance.now()
    const set = await network.canonicalSet(primary, 0)
    const [first] = set.signers
    await round(network, { ...set, signers: first ? [first] : [], totalWeight: first?.weight ?? 0n }, -1)
    const start = performance.now() - began
    pauses.enable()
    const used = process.cpuUsage()
    const { signers } = await round(network, set, 0)
    const cold = performance.now() - began - start
    const { user, system } = process.cpuUsage(used)
    pauses.disable()
    const coldConnections = set.signers.filter(({ nodeIds }) => nodeIds.some(network.isConnected)).length
    const warm: number[] = []
    for (let number = 1; number <= rounds; number += 1) {
      const start = performance.now()
      await round(network, await network.canonicalSet(primary, 0), number)
      warm.push(performance.now() - start)
    }
    const bursts: Collected['bursts'] = !burst
      ? []
      : [
          { machine: 'quiet', times: await timeBurst(network, rounds + 1) },
          { machine: 'loaded', times: await whileLoaded(() => timeBurst(network, rounds + 1 + burstSize)) },
        ]
    return {
      role: 'collect',
      startedBytes,
      mostBytes: process.resourceUsage().maxRSS * 1_024,
      bareConnections,
      start,
      cold,
      coldProcessor: (user + system) / 1_000,
      coldSigners: signers.length,
      coldConnections,
      warm,
      bursts,
      longestPause: pauses.max / 1e6,
    }
  } finally {
    await network.close()
    await rm(home, { recursive: true, force: true })
  }
}

process.on('message', (command: SignatureCommand) => {
  const work = command.role === 'validators' ? startValidators(command.count) : collect(command)
  work.then(
    (answer) => process.send?.(answer),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
// Ends with the bench.
process.on('disconnect', () => process.exit(0))
