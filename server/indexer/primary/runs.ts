/** Blocks and bytes of one transaction while catching up: larger ones spend most UTXOs before they are written. */
export const runBlocks = 4_096
export const runBytes = 4 * 1024 * 1024
/** Milliseconds after which a run is written though a slow node has not filled it. */
export const runTime = 1_000

/**
 * Writes runs in order, each while the next one is gathered. `gather` gives undefined at the end. Throws what
 * either throws, and leaves nothing under way.
 */
export async function writeRuns<Run>(
  gather: () => Promise<Run | undefined>,
  write: (run: Run) => Promise<void>,
): Promise<void> {
  let writing = Promise.resolve()
  try {
    for (;;) {
      const run = await gather()
      await writing
      if (run === undefined) return
      writing = write(run)
      // Heard of when the next run is gathered.
      writing.catch(() => undefined)
    }
  } finally {
    await Promise.allSettled([writing])
  }
}

/**
 * Hands items on as they come until a run is full, a second has passed, or there are no more. Returns how many
 * there were.
 */
export async function fillRun<Item>(
  take: (limit: number, maxBytes: number) => Promise<readonly Item[]>,
  sizeOf: (item: Item) => number,
  apply: (items: readonly Item[]) => Promise<void>,
): Promise<number> {
  const deadline = performance.now() + runTime
  let count = 0
  let bytes = 0
  do {
    const items = await take(runBlocks - count, runBytes - bytes)
    if (items.length === 0) break
    await apply(items)
    count += items.length
    bytes += items.reduce((sum, item) => sum + sizeOf(item), 0)
  } while (count < runBlocks && bytes < runBytes && performance.now() < deadline)
  return count
}
