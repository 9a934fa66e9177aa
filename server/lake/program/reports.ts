import type { ExtractReports } from '../extract.ts'
import { rangeName, type BlockRange } from '../manifest.ts'
import type { Published } from '../s3/on-folder.ts'
import type { LakeCommand } from './command-line.ts'

export const say = (line: string): boolean => process.stdout.write(`${line}\n`)

export type OptionsOf<Name> = Extract<LakeCommand, { name: Name; options: unknown }>['options']

/** What extraction and sealing print. `program` is that of their workers. */
export const reportsTo = (program: string, published: Published): ExtractReports => ({
  program,
  onStarted: ({ pid }) => say(`worker ${pid} started`),
  onWritten: ({ manifest: { chain, from, to, files }, milliseconds, cpuMilliseconds }) => {
    const counts = `${files.transactions.rows} transactions, ${files.logs.rows} logs`
    const took = `${(milliseconds / 1000).toFixed(1)} s, ${(cpuMilliseconds / 1000).toFixed(1)} s of CPU`
    say(`blocks ${from} to ${to}: ${counts}; ${took}`)
    published({ chain, name: rangeName({ from, to }) })
  },
  onRetry: ({ range, reason }) => say(`blocks ${range.from} to ${range.to}: again: ${reason}`),
})

export function sayExtracted(ranges: number, left: BlockRange | undefined): void {
  say(`${ranges} ranges written`)
  if (left) say(`blocks ${left.from} to ${left.to} do not fill a range yet`)
}
