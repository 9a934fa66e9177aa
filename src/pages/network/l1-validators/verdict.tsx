import { useInfiniteQuery } from '@tanstack/react-query'
import type { NetworkName } from '../../../api/current.ts'
import { l1ValidatorsQuery, type L1Filters } from '../../../api/network/validators.ts'
import { useNow, useZone } from '../../../components/hooks.ts'
import { Pill } from '../../../components/pill.tsx'
import { firstRunOut } from './run-out.ts'

/** Whether L1 validators go on, and when the first of them runs out: what their page begins with. */
export function RunOutVerdict({ network, filters }: { network: NetworkName; filters: L1Filters }) {
  const zone = useZone()
  const now = useNow(60)
  const { data, error, hasNextPage } = useInfiniteQuery(l1ValidatorsQuery(network, filters))
  if (!data) return error ? null : <div className="min-h-7 pb-4 max-md:min-h-12" />
  const rows = data.pages.flatMap((page) => page.validators)
  if (rows.length === 0) return null
  const { state, word, text } = firstRunOut(rows, !hasNextPage, now, zone)
  return (
    <p
      className="flex min-h-7 flex-wrap items-center gap-x-2.5 gap-y-1 pb-4 max-md:min-h-12"
      aria-label="Verdict"
    >
      <Pill state={state}>{word}</Pill>
      <span className="min-w-0">{text}</span>
    </p>
  )
}
