import { readFileSync } from 'node:fs'
import { say } from './paths.ts'

/**
 * The time that the machine below took from the processors of this one since it started, in hundredths of a
 * second; 0 where the system does not tell. What is asked for meanwhile waits for nothing of ours.
 */
function stolenTime(): number {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
    return Number(line.split(/\s+/)[8] ?? 0)
  } catch {
    return 0
  }
}

/**
 * How long each action takes, one after the other, in milliseconds. Those during which time was stolen are left
 * out, which is said. Throws when none is left.
 */
export async function timeEach(actions: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times: number[] = []
  for (const action of actions) {
    const before = stolenTime()
    const started = performance.now()
    await action()
    const taken = performance.now() - started
    if (stolenTime() === before) times.push(taken)
  }
  const stolen = actions.length - times.length
  if (stolen > 0) say(`${stolen} of ${actions.length} left out: the machine below took time away meanwhile`)
  if (times.length === 0 && stolen > 0) throw new Error('the machine below took time away all the time')
  return times
}
