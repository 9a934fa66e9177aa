import { expect } from 'vitest'
import { intervalsOf, metricEntry, metricNames } from '../../contract/metrics/catalogue.ts'
import { getMetric } from '../../contract/metrics/metrics.ts'
import { Recount } from '../../server/verify/recount.ts'
import type { ContractReader } from '../stack/contract-reader.ts'
import type { CallFrame, ChainOfNode, MinedBlock } from './evm-node.ts'

/** The number of compared periods of each metric, newest first. */
const periods = 10

/**
 * Compares the newest periods of every metric at every interval with a brute-force count from the node's blocks
 * (docs/metrics.md).
 */
export async function compareMetrics(chain: ChainOfNode, service: ContractReader): Promise<void> {
  const recount = recountOf(chain.blocks)
  for (const metric of metricNames) {
    if (!chain.isTraced && metricEntry(metric).traced) continue
    for (const timeInterval of intervalsOf(metric)) {
      const { results } = await service.get(
        getMetric,
        { chainId: chain.id, metric },
        { timeInterval, pageSize: periods },
      )
      const expected = recount.series(metric, timeInterval).slice(-periods).reverse()
      expect(
        results.map(({ timestamp }) => timestamp),
        `${metric} by ${timeInterval}`,
      ).toEqual(expected.map(({ start }) => start))
      for (const [index, { start, figure }] of expected.entries()) {
        const wanted = figure.per === 0n ? 0 : Number(figure.amount) / Number(figure.per)
        const title = `${metric} of the ${timeInterval} at ${start}`
        expect(Number(results[index]?.value), title).toBeCloseTo(wanted, wanted > 1e9 ? 0 : 9)
      }
    }
  }
}

function recountOf(blocks: readonly MinedBlock[]): Recount {
  const recount = new Recount()
  for (const { block, mined } of blocks) {
    recount.add({
      ts: Number(block.timestamp),
      // The header of a C-Chain block has the most gas that its transactions may use.
      gasUsed: mined.reduce((sum, { receipt }) => sum + BigInt(receipt.gasUsed), 0n),
      gasLimit: BigInt(block.gasLimit),
      baseFee: BigInt(block.baseFeePerGas ?? 0),
      transactions: mined.map(({ transaction, receipt }) => ({
        from: transaction.from,
        to: transaction.to,
        value: BigInt(transaction.value),
        input: transaction.input,
        gasUsed: BigInt(receipt.gasUsed),
        gasPrice: BigInt(receipt.effectiveGasPrice),
        succeeded: Number(receipt.status) === 1,
        logs: receipt.logs,
      })),
      creations: mined.flatMap(({ trace }) => creationsIn(trace)),
    })
  }
  return recount
}

/** The lasting creations of a call and of its inner calls. */
function creationsIn({ type, from, error, calls = [] }: CallFrame): { deployer: string }[] {
  if (error !== undefined) return []
  return [...(type.startsWith('CREATE') ? [{ deployer: from }] : []), ...calls.flatMap(creationsIn)]
}
