import type { MetricName } from '../../../contract/metrics/catalogue.ts'
import type { TimeInterval } from '../../../contract/metrics/intervals.ts'
import { metricSql } from '../../../contract/sql/metric-sql.ts'
import { Link } from '../../components/link.tsx'
import { paths } from '../../lib/paths.ts'

type AsSqlProps = { metric: MetricName; chainId: string; interval: TimeInterval }

/** A link to the statement that counts a metric of a chain; nothing for a metric without one. */
export function AsSql({ metric, chainId, interval }: AsSqlProps) {
  const statement = metricSql(metric, chainId, interval)
  return (
    statement !== undefined && (
      <Link className="link" to={paths.sql({ q: statement, view: 'chart' })}>
        As SQL
      </Link>
    )
  )
}
