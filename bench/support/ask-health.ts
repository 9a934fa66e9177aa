import { setTimeout as delay } from 'node:timers/promises'

/**
 * A process of its own, because the clients of the bench keep its event loop busy: asks each URL given, one request at
 * a time, for eight seconds, and sends a message when it begins, then the milliseconds of every answer by URL.
 */
process.send?.('begun')
const until = performance.now() + 8_000
const times = await Promise.all(
  process.argv.slice(2).map(async (url) => {
    const taken: number[] = []
    while (performance.now() < until) {
      const asked = performance.now()
      const answer = await fetch(url)
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
      taken.push(performance.now() - asked)
      await delay(20)
    }
    return taken
  }),
)
process.send?.(times, () => process.disconnect())
