import { parseArgs } from 'node:util'
import { openBuild, runBytesBench } from './bytes.ts'
import { runChartBench } from './charts/run.ts'
import { endOnSignals } from './support/endings.ts'
import { runHttpBench } from './http.ts'
import { runIndexingBench } from './indexing.ts'
import { runExtractionBench } from './lake-extraction.ts'
import { runLakeLoadBench } from './lake-load.ts'
import { runLoadBench } from './load.ts'
import { say } from './support/paths.ts'
import { runPictureBench } from './pictures.ts'
import { runPrimaryBench } from './primary.ts'
import { runPrimaryIndexingBench } from './primary-indexing.ts'
import { runProofBench } from './proofs.ts'
import { type Figure, formatReport, isMet, type Report } from './support/report.ts'
import { buildShell } from './support/shell-server.ts'
import { runScaleBench } from './scale/run.ts'
import { runSearchBench } from './search.ts'
import { runUpgradeBench } from './upgrade.ts'

const sizes = [10_000, 1_000_000]
const largest = 10_000_000

type Bench = (flags: {
  readonly full: boolean
  readonly transactions: string
}) => Promise<Report | readonly Report[]>

/** All benches in the order of a complete run, each for a promise of docs/performance.md. */
const benches = new Map<string, Bench>([
  ['bytes', async () => runBytesBench(openBuild(), await buildShell())],
  ['load', runLoadBench],
  ['charts', () => runChartBench()],
  ['indexing', runIndexingBench],
  ['http', ({ full }) => runHttpBench(full ? [...sizes, largest] : sizes)],
  ['search', runSearchBench],
  ['pictures', runPictureBench],
  ['primary', runPrimaryBench],
  ['primary-indexing', runPrimaryIndexingBench],
  ['upgrade', ({ full }) => runUpgradeBench(full ? largest : 1_000_000)],
  ['proofs', () => runProofBench()],
  ['lake-extraction', runExtractionBench],
  ['lake-load', runLakeLoadBench],
  ['scale', ({ transactions }) => runScaleBench(Number(transactions))],
])

const { flags, names } = readFlags()
const unknown = names.filter((name) => !benches.has(name))
if (unknown.length > 0) refuse(`${unknown.join(', ')}: unknown`)
if (!/^[1-9]\d{3,9}$/.test(flags.transactions)) refuse(`--transactions=${flags.transactions}: not a size`)

endOnSignals()
const figures: Figure[] = []
for (const [name, bench] of benches) {
  if (names.length > 0 && !names.includes(name)) continue
  say(`${name} …`)
  for (const report of [await bench(flags)].flat()) {
    console.log(`\n${formatReport(report)}`)
    figures.push(...report.figures)
  }
}
const missed = figures.filter((figure) => isMet(figure) === false).length
say(`${figures.filter((figure) => isMet(figure) === true).length} budgets met, ${missed} missed`)

function readFlags() {
  try {
    const options = {
      full: { type: 'boolean', default: false },
      transactions: { type: 'string', default: '1000000' },
    } as const
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    return { flags: values, names: positionals }
  } catch (error) {
    return refuse((error as Error).message.split('. ')[0] ?? '')
  }
}

function refuse(problem: string): never {
  console.error(`bench  ${problem}; allowed: ${[...benches.keys()].join(', ')}, --full, --transactions=N`)
  process.exit(2)
}
