import { useInfiniteQuery } from '@tanstack/react-query'
import type { NetworkName } from '../../../api/current.ts'
import { l1ValidatorsQuery, type L1Filters } from '../../../api/network/validators.ts'
import { useNow, useZone } from '../../../components/hooks.ts'
import { VerdictLine } from '../../../components/verdict.tsx'
import { firstRunOut } from './run-out.ts'

/** Whether L1 validators go on, and when the first of them runs out: what their page begins with. */
export function RunOutVerdict({ network, filters }: { network: NetworkName; filters: L1Filters }) {
  const zone = useZone()
  const now = useNow(60)
  const { data, error, hasNextPage } = useInfiniteQuery(l1ValidatorsQuery(network, filters))
  const rows = data?.pages.flatMap((page) => page.validators)
  if (rows === undefined) return <VerdictLine verdict={error ? null : undefined} />
  return <VerdictLine verdict={rows.length === 0 ? null : firstRunOut(rows, !hasNextPage, now, zone)} />
}
