import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { build } from 'vite'
import { cacheFolder, root, say } from './support/paths.ts'
import { atMost, type Figure, median, quantile, type Report } from './support/report.ts'
import type { Collected, SignatureAnswer, SignatureCommand } from './support/signature-process.ts'

/** Validators of each case, and rounds of it after the first. */
const cases = [
  { validators: 20, rounds: 200 },
  { validators: 1_000, rounds: 10 },
] as const

/** Builds the bench's process and the thread for BLS as the service is built: the loader of sources is large. */
async function buildProcess(): Promise<string> {
  const folder = cacheFolder('signatures')
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rollupOptions: {
        input: {
          'signature-process': join(root, 'bench/support/signature-process.ts'),
          'bls-worker': join(root, 'server/signatures/bls-worker.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
      },
    },
  })
  return join(folder, 'signature-process.js')
}

/** A process of the bench; it is told one thing and answers once. */
async function start(
  program: string,
  command: SignatureCommand,
): Promise<{ answer: SignatureAnswer; stop(): Promise<void> }> {
  // Not as a child of the loader that reads this.
  const child = fork(program, { execArgv: [] })
  const gone = once(child, 'exit')
  child.send(command)
  const answer = await Promise.race([
    once(child, 'message').then(([message]) => message as SignatureAnswer),
    gone.then(() => {
      throw new Error(`the process that plays ${command.role} ended`)
    }),
  ])
  return {
    answer,
    async stop() {
      child.disconnect()
      await gone
    },
  }
}

async function measure(program: string, validators: number, rounds: number): Promise<Collected> {
  const played = await start(program, { role: 'validators', count: validators })
  try {
    if (played.answer.role !== 'validators') throw new Error('the validators answered something else')
    const { nodeUrl, ports, caller } = played.answer
    const collecting = await start(program, {
      role: 'collect',
      nodeUrl,
      ports,
      caller,
      rounds,
      burst: validators <= 100,
    })
    await collecting.stop()
    if (collecting.answer.role !== 'collect') throw new Error('the collector answered something else')
    return collecting.answer
  } finally {
    await played.stop()
  }
}

const megabytes = (bytes: number): number => bytes / 1_048_576

function figuresOf(validators: number, found: Collected): Figure[] {
  const name = `${validators.toLocaleString('en')} validators, quorum 67`
  const bare = { name: 'as many bare TLS connections', value: found.bareConnections }
  const isLarge = validators > 100
  return [
    { name: `${name}, until the first signature`, value: found.start, unit: 'ms' },
    {
      name: `${name}, first round, all connections opened`,
      value: found.cold,
      unit: 'ms',
      anchor: bare,
      ...(isLarge && { budget: atMost(2_000) }),
    },
    { name: `${name}, processor time of the first round`, value: found.coldProcessor, unit: 'ms' },
    { name: `${name}, p50`, value: median(found.warm), unit: 'ms', budget: atMost(isLarge ? 2_000 : 300) },
    { name: `${name}, p95`, value: quantile(found.warm, 0.95), unit: 'ms' },
    ...found.bursts.map(({ machine, times }) => ({
      name: `${name}, ${times.length} messages at once, ${machine} machine, until the last is signed`,
      value: Math.max(...times),
      unit: 'ms',
    })),
    {
      name: `${name}, memory of the process`,
      value: megabytes(found.mostBytes),
      unit: 'MB',
      anchor: { name: 'before the first round', value: megabytes(found.startedBytes) },
      ...(isLarge && { budget: atMost(200) }),
    },
    { name: `${name}, longest pause of the event loop in it`, value: found.longestPause, unit: 'ms' },
  ]
}

/**
 * Rounds of signatures against real TLS peers on loopback, which sit in a process of their own and sign every
 * message. Every round has another message.
 */
export async function runSignatureBench(): Promise<Report> {
  const figures: Figure[] = []
  const signers: string[] = []
  const program = await buildProcess()
  for (const { validators, rounds } of cases) {
    say(`signatures: ${validators} validators`)
    const found = await measure(program, validators, rounds)
    figures.push(...figuresOf(validators, found))
    signers.push(
      `${found.coldSigners} of ${validators.toLocaleString('en')} by ${found.coldConnections} connections`,
    )
  }
  return {
    title: 'Signatures: a round against real TLS peers on loopback',
    figures,
    notes: [
      `Signed in the first rounds: ${signers.join(', ')}. Until the first signature a certificate is made, the thread ` +
        'for BLS started, and the set read; the first round opens all other connections. The code is built as the ' +
        "service's. The peers share one process and the cores with it, and their side of a connection costs more than " +
        'ours; what they sign in the first round is signed before, as on machines of their own. On the loaded machine ' +
        'one process for each processor spins beside them.',
    ],
  }
}
