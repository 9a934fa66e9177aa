import type { MetricName } from '../metrics/catalogue.ts'
import type { TimeInterval } from '../metrics/intervals.ts'

/** How metrics are counted from the rows of one table; other metrics are read from the table `metrics`. */
const counted: Partial<Record<MetricName, { readonly value: string; readonly table: string }>> = {
  txCount: { value: 'count(*)', table: 'transactions' },
  gasUsed: { value: 'sum(gas_used)', table: 'blocks' },
  activeSenders: { value: 'count(distinct sender)', table: 'transactions' },
  contracts: { value: 'count(*)', table: 'contracts' },
  maxGasPrice: { value: 'max(gas_price)', table: 'transactions' },
}

/**
 * The statement that gives a metric of a chain by hour, day, week or month (docs/sql.md). Undefined where there is none:
 * the table `metrics` is by day.
 */
export function metricSql(metric: MetricName, chainId: string, interval: TimeInterval): string | undefined {
  if (!/^\d+$/.test(chainId)) return undefined
  const rows = counted[metric]
  if (rows)
    return `select date_trunc('${interval}', time) as ${interval}, ${rows.value} as value
from ${rows.table} where chain = ${chainId}
group by ${interval} order by ${interval}`
  if (interval !== 'day') return undefined
  return `select day, value from metrics
where chain = ${chainId} and metric = '${metric}'
order by day`
}
