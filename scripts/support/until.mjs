import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits until a probe returns something that is not false, and resolves with it. A probe that throws is asked again too, and
 * what it threw last is named where nothing came within `seconds`: it rejects then.
 */
export async function until(what, probe, { seconds = 90, everyMs = 250 } = {}) {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    let reason = ''
    try {
      const found = await probe()
      if (found) return found
    } catch (error) {
      reason = `: ${error instanceof Error ? error.message : error}`
    }
    if (Date.now() > deadline) throw new Error(`${what}: not within ${seconds} s${reason}`)
    await delay(everyMs)
  }
}
