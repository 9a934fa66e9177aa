import { intervalsOf, metricNames } from '../../contract/metrics/catalogue.ts'
import { getMetric } from '../../contract/metrics/metrics.ts'
import type { MetricPoint } from '../../contract/metrics/series.ts'
import { NodeReader } from '../../server/verify/node.ts'
import { Recount, type Figure } from '../../server/verify/recount.ts'
import { expect, test } from '../support/fixtures.ts'
import { nodeAt } from '../support/node.ts'
import { askAll, chains, rpcUrlOf } from '../support/stack.ts'

/** All blocks of a chain, counted from its node's answers. */
async function recountOf(url: string): Promise<Recount> {
  const recount = new Recount()
  const reader = new NodeReader(url)
  const head = await nodeAt(url).head()
  for (let height = 0; height <= head; height += 16) {
    const heights = Array.from({ length: Math.min(16, head - height + 1) }, (_, index) => height + index)
    for (const block of await Promise.all(heights.map((one) => reader.block(one, true)))) recount.add(block)
  }
  return recount
}

/** A point as text: all digits of an integer, twelve significant digits of other figures. */
function textOf({ amount, per }: Figure): string {
  if (per === 0n) return '0'
  return amount % per === 0n ? String(amount / per) : (Number(amount) / Number(per)).toPrecision(12)
}

const pointText = ({ value }: MetricPoint): string =>
  typeof value === 'bigint' || Number.isInteger(value) ? String(BigInt(value)) : value.toPrecision(12)

for (const chain of Object.values(chains)) {
  test(`every metric of ${chain.name} at every interval equals a recount over JSON-RPC`, async () => {
    const recount = await recountOf(rpcUrlOf(chain))
    // The current day is incomplete, so only finished periods are compared.
    const today = recount.periods('day').at(-1) ?? 0
    expect(recount.periods('day').length).toBeGreaterThan(30)
    for (const metric of metricNames) {
      for (const timeInterval of intervalsOf(metric)) {
        const points = await askAll(getMetric, 'results', {
          params: { chainId: chain.id, metric },
          query: { timeInterval, pageSize: 2160 },
        })
        // A period has ended if the next one began before today or with it.
        const starts = [...recount.periods(timeInterval)]
        const ended = starts.findLastIndex((start) => start <= today)
        const expected = recount
          .series(metric, timeInterval)
          .slice(0, ended)
          .map(({ start, figure }) => `${start} ${textOf(figure)}`)
        const shown = points
          .toReversed()
          .slice(0, ended)
          .map((point) => `${point.timestamp} ${pointText(point)}`)
        expect.soft(shown, `${metric} by ${timeInterval}`).toEqual(expected)
      }
    }
  })
}
