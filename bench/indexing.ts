import { copyCeiling, readCeiling, type TraceMethod } from './support/ceilings.ts'
import { say } from './support/paths.ts'
import { type BenchPostgres, withDatabase, withPostgres } from './support/postgres.ts'
import { referenceChain, startReferenceChain, type ReferenceNode } from './support/reference-chain.ts'
import { type Indexing, indexReferenceChain } from './support/reference-service.ts'
import { atLeast, atMost, type Figure, formatNumber, median, type Report } from './support/report.ts'

const servicePort = 18_810
const rounds = 3
/** Milliseconds after which no further round starts. */
const longest = 90_000
const megabyte = 1_000_000

/**
 * Measures the built service on the reference chain from an empty database, and both ceilings of
 * docs/performance.md, alternately. Events are logs.
 */
export async function runIndexingBench(): Promise<Report> {
  return withPostgres(async (postgres) => {
    const node = await startReferenceChain()
    try {
      return await measure(node, postgres)
    } finally {
      await node.stop()
    }
  })
}

type Round = Omit<Indexing, 'service'> & {
  readonly reader: number
  readonly copy: number
  readonly rowsPerBlock: number
  readonly traces: TraceMethod
}

async function measure(node: ReferenceNode, postgres: BenchPostgres): Promise<Report> {
  // The node's first answers use cold caches.
  await readCeiling(node, 'none')
  const plain = await measureRounds(node, postgres, 'off')
  const traced = await measureRounds(node, postgres, 'auto')
  const method = traced[0]?.traces ?? 'none'
  return {
    title: `Indexing ${referenceChain.blocks} blocks of ${referenceChain.transactions} transactions and ${referenceChain.transfers} token transfers`,
    figures: [...describe('traces off', plain), ...describe('traces on', traced)],
    notes: [
      `Medians of ${plain.length} rounds with traces off, ${traced.length} with traces on. The ceilings are a bare reader of the same node (block and receipts; with traces on ` +
        `also ${method}) and a bare COPY of the same rows into the same tables. Without traces a block has ` +
        `${rowsOf(plain)} rows, with traces ${rowsOf(traced)}.`,
      `CPU seconds of the service's process: ${cpuOf(plain)} with traces off, ${cpuOf(traced)} with traces on.`,
    ],
  }
}

const middle = (all: readonly Round[], pick: (round: Round) => number): number => median(all.map(pick))
const rowsOf = (all: readonly Round[]): string => middle(all, (round) => round.rowsPerBlock).toFixed(0)
const cpuOf = (all: readonly Round[]): string => middle(all, (round) => round.cpuSeconds).toFixed(1)

async function measureRounds(
  node: ReferenceNode,
  postgres: BenchPostgres,
  traces: 'auto' | 'off',
): Promise<Round[]> {
  const all: Round[] = []
  const began = performance.now()
  // A node may take a hundred times as long for a trace as for a block; then one round must suffice.
  while (all.length < rounds && performance.now() - began < longest) {
    say(`round ${all.length + 1} of ${rounds}, traces ${traces} …`)
    all.push(await measureRound(node, postgres, traces))
  }
  return all
}

async function measureRound(
  node: ReferenceNode,
  postgres: BenchPostgres,
  traces: 'auto' | 'off',
): Promise<Round> {
  const { service, ...indexing } = await indexReferenceChain(node, postgres, 'reference', {
    name: 'indexing',
    port: servicePort,
    traces,
  })
  await service.stop()
  say(`${formatNumber(indexing.blocksPerSecond)} blocks/s; now the ceilings …`)
  await postgres.create('copied')
  return withDatabase(postgres.urlOf('reference'), (from) =>
    withDatabase(postgres.urlOf('copied'), async (to) => {
      const [row] = await from<{ source: string }[]>`select trace_source as source from chains`
      const method: TraceMethod =
        traces === 'off' || row?.source === 'none' || row === undefined
          ? 'none'
          : row.source === 'debug'
            ? 'debug_traceBlockByNumber'
            : 'trace_block'
      const { blocksPerSecond, rowsPerBlock } = await copyCeiling(from, to)
      const reader = await readCeiling(node, method)
      return { ...indexing, reader, copy: blocksPerSecond, rowsPerBlock, traces: method }
    }),
  )
}

function describe(name: string, all: readonly Round[]): Figure[] {
  const reader = middle(all, (round) => round.reader)
  const copy = middle(all, (round) => round.copy)
  const blocks = middle(all, (round) => round.blocksPerSecond)
  const lower = reader < copy ? { name: 'bare reader', value: reader } : { name: 'bare COPY', value: copy }
  const higher = reader < copy ? { name: 'bare COPY', value: copy } : { name: 'bare reader', value: reader }
  return [
    {
      name: `${name}: blocks`,
      value: blocks,
      unit: '/s',
      anchor: lower,
      budget: { of: 'ratio', bound: 'at least', limit: 0.6 },
    },
    { name: `${name}: blocks, the higher ceiling`, value: blocks, unit: '/s', anchor: higher },
    {
      name: `${name}: events`,
      value: blocks * referenceChain.transfers,
      unit: '/s',
      anchor: { name: lower.name, value: lower.value * referenceChain.transfers },
      budget: atLeast(12_000),
    },
    {
      name: `${name}: peak memory of the service`,
      value: middle(all, (round) => round.peakMemory) / megabyte,
      unit: 'MB',
      budget: atMost(300),
    },
    { name: `${name}: whole chain`, value: middle(all, (round) => round.seconds), unit: 's' },
  ]
}
