import { tmpdir } from 'node:os'
import { FatalError } from '../kernel/errors.ts'
import { openEngine } from './engine.ts'
import { Extractor, type ExtractSource } from './extract-range.ts'
import type { WantedRange, Manifest } from './manifest.ts'

/** What the parent sends: first the source, then ranges, of which two may be under way. */
export type WorkerOrder = { readonly source: ExtractSource } | { readonly range: WantedRange }

/** What the worker answers to a range, which it names by its first block. */
export type WorkerAnswer = { readonly from: number } & (
  | {
      readonly written: Manifest
      readonly milliseconds: number
      /** CPU time of the process since its last answer. */
      readonly cpuMilliseconds: number
    }
  | { readonly failed: string; readonly fatal: boolean }
)

/**
 * The process of one worker: extracts the ranges that its parent sends, and ends with the parent. It holds
 * nothing that is not in its work folder, so it may be killed at any moment.
 */
export function runWorker(): void {
  const opening = openEngine(tmpdir())
  let extractor: Promise<Extractor> | undefined
  process.once('disconnect', () => process.exit(0))
  process.on('message', (order: WorkerOrder) => {
    if ('source' in order) extractor = opening.then((engine) => new Extractor(order.source, engine))
    else if (extractor) void extractRange(extractor, order.range)
  })
}

let reported = process.cpuUsage()

async function extractRange(extractor: Promise<Extractor>, range: WantedRange): Promise<void> {
  const { from } = range
  try {
    const { manifest, milliseconds } = await (await extractor).write(range, new AbortController().signal)
    const { user, system } = process.cpuUsage(reported)
    reported = process.cpuUsage()
    answer({ from, written: manifest, milliseconds, cpuMilliseconds: (user + system) / 1000 })
  } catch (error) {
    // Everything else may pass: a node that fails, a full disk.
    const failed = error instanceof Error ? error.message : String(error)
    answer({ from, failed, fatal: error instanceof FatalError })
  }
}

function answer(message: WorkerAnswer): void {
  if (process.connected) process.send?.(message)
}
