import { readFileSync } from 'node:fs'
import { say } from './paths.ts'

/**
 * The time that the hypervisor took from this machine's processors since boot (steal time), in hundredths of
 * a second; 0 if unknown.
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
 * The duration of each action in milliseconds, one after the other. Actions during which time was stolen are
 * excluded, and their number is reported. Throws if none is left.
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
