/** In the page: the next frame, by its time in milliseconds. */
export const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))

/** In the page: frame times in milliseconds while something moves once a frame. */
export async function framesWhile(moves: number, move: (at: number) => void): Promise<number[]> {
  const frames: number[] = []
  let before = await nextFrame()
  for (let at = 0; at < moves; at += 1) {
    move(at)
    const now = await nextFrame()
    frames.push(now - before)
    before = now
  }
  return frames
}

/** In the page: frame times while it scrolls by `step` pixels a frame from `from`, a share of its height. */
export async function scrollFrames(from: number, step: number, moves: number): Promise<number[]> {
  window.scrollTo(0, document.body.scrollHeight * from)
  for (let wait = 0; wait < 10; wait += 1) await nextFrame()
  return framesWhile(moves, () => window.scrollBy(0, step))
}

/** In the page: waits until a list of so many rows stands. */
export async function rowsDrawn(rows: number): Promise<void> {
  while (document.body.scrollHeight < rows * 20 || document.querySelectorAll('tbody tr').length === 0)
    await nextFrame()
}

/** In the page: how many rows of a list are on the screen. */
export function rowsSeen(): number {
  return [...document.querySelectorAll('tbody tr')].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return bottom > 0 && top < window.innerHeight
  }).length
}
