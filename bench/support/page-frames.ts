/** In the page: the next frame, by its time in milliseconds. */
const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))

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
