import type { Page } from '@playwright/test'
import { slowShare, watchMainThread } from './browser-page.ts'
import { atMost, type Figure, quantile } from './report.ts'

/**
 * The movement of a page: number of moves per round, and ten rows of pixels per frame, which is a fast flick.
 */
export const pace = { rounds: 3, moves: 240, step: 360 } as const

/**
 * The cost of the frames of a round: 95th percentile in ms, share of slow ones in percent, main thread ms per
 * frame.
 */
export type FrameCost = { readonly p95: number; readonly slow: number; readonly work: number }

/** Watches the main thread of the page while `move` returns its frame times in milliseconds. */
export async function watchFrames(page: Page, move: () => Promise<number[]>): Promise<FrameCost> {
  const worked = await watchMainThread(page)
  const before = await worked()
  const frames = await move()
  const work = ((await worked()) - before) / frames.length
  return { p95: quantile(frames, 0.95), slow: slowShare(frames), work }
}

/** The figures of a movement; `prefix` precedes their names, `anchor` is the same with few items. */
export function frameFigures(
  prefix: string,
  cost: FrameCost,
  anchor: { readonly name: string; readonly cost: FrameCost },
): Figure[] {
  const against = (part: keyof FrameCost) => ({ name: anchor.name, value: anchor.cost[part] })
  return [
    { name: `${prefix}frame p95`, value: cost.p95, unit: 'ms', anchor: against('p95'), budget: atMost(16.7) },
    { name: `${prefix}main thread a frame`, value: cost.work, unit: 'ms', anchor: against('work') },
    { name: `${prefix}slow frames`, value: cost.slow, unit: '%', anchor: against('slow') },
  ]
}
