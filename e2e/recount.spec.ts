import { intervalsOf, metricNames } from '../contract/metrics/catalogue.ts'
import { getMetric, type MetricPoint } from '../contract/metrics/metrics.ts'
import { expect, test } from './support/fixtures.ts'
import { nodeAt } from './support/node.ts'
import { figureOf, periodAt, readFacts, type Figure } from './support/recount.ts'
import { askAll, chains, rpcUrlOf } from './support/stack.ts'

/** A point as text: all digits of a whole figure, twelve significant ones of any other. */
function textOf({ of, per }: Figure): string {
  if (per === 0n) return '0'
  return of % per === 0n ? String(of / per) : (Number(of) / Number(per)).toPrecision(12)
}

const pointText = ({ value }: MetricPoint): string =>
  typeof value === 'bigint' || Number.isInteger(value) ? String(BigInt(value)) : value.toPrecision(12)

for (const chain of Object.values(chains)) {
  test(`every metric of ${chain.name} at every interval equals a recount over JSON-RPC`, async () => {
    test.setTimeout(180_000)
    // The present day still grows: what is compared has ended.
    const today = periodAt('day', Date.now() / 1000).start
    const facts = await readFacts(nodeAt(rpcUrlOf(chain)), today)
    expect(facts.length).toBeGreaterThan(500)
    for (const metric of metricNames) {
      for (const timeInterval of intervalsOf(metric)) {
        const points = await askAll(getMetric, 'results', {
          params: { chainId: chain.id, metric },
          query: { timeInterval, pageSize: 2160 },
        })
        const ended = points
          .toReversed()
          .filter(({ timestamp }) => periodAt(timeInterval, timestamp).end <= today)
        const expected: string[] = []
        for (
          let at = periodAt(timeInterval, facts[0]?.time ?? 0);
          at.end <= today;
          at = periodAt(timeInterval, at.end)
        )
          expected.push(`${at.start} ${textOf(figureOf(metric, facts, at.start, at.end))}`)
        const shown = ended.map((point) => `${point.timestamp} ${pointText(point)}`)
        expect.soft(shown, `${metric} by ${timeInterval}`).toEqual(expected)
      }
    }
  })
}
