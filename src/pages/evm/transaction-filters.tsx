import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { useOffers, type ChainFacts } from '../../api/current.ts'
import { methodsRankingQuery } from '../../api/metrics/rankings.ts'
import type { TransactionsFilter } from '../../api/evm/transactions.ts'
import { Button } from '../../components/controls.tsx'
import { useNow } from '../../components/hooks.ts'
import { CheckIcon, ChevronDownIcon } from '../../components/icons.ts'
import { Menu } from '../../components/overlays/menu.tsx'
import type { MenuEntry } from '../../components/overlays/popups.tsx'
import { FilterChip } from '../../components/table/filter-chip.tsx'
import { methodLabel, shorten } from '../../lib/text.ts'
import { DAY, HOUR, periodStart } from '../../../charts/series/periods.ts'
import { AddressField, addressPattern } from '../shared/address-field.tsx'

const address = z.catch(z.optional(z.string().check(z.regex(addressPattern))), undefined)

/** What narrows the list of a chain's transactions, in the URL. */
export const transactionFiltersSchema = z.object({
  status: z.catch(z.optional(z.enum(['failed'])), undefined),
  method: z.catch(z.optional(z.string().check(z.regex(/^0x[0-9a-f]{8}$/))), undefined),
  sender: address,
  to: address,
})
type Filters = z.infer<typeof transactionFiltersSchema>

/** The filters as the query has them. */
export const filterOf = ({ status, method, sender, to }: Filters): TransactionsFilter => ({
  ...(status === 'failed' && { txStatus: '0' }),
  ...(method !== undefined && { methodHash: method }),
  ...(sender !== undefined && { fromAddress: sender }),
  ...(to !== undefined && { toAddress: to }),
})

/** How far back methods are ranked. */
const ranked = 30 * DAY

/** The methods that were called most lately; asked for when it is known that a method matters. */
function useMethods(chain: ChainFacts, enabled: boolean) {
  const until = periodStart(useNow(HOUR), 'hour')
  const range = { startTimestamp: until - ranked, endTimestamp: until }
  return useQuery({ ...methodsRankingQuery(chain.chainId, range, 'transactionCount'), enabled }).data?.methods
}

type Props = {
  chain: ChainFacts
  filters: Filters
  onChange: (filters: Partial<Filters>) => void
}

/** Narrows a list of transactions over the whole chain: failed ones, a method, a sender, a receiver. */
export function TransactionFilters({ chain, filters, onChange }: Props) {
  const ranks = useOffers('rankMethods')
  // A ranking reads a month of transactions: it is asked for when somebody is about to choose.
  const [isAsked, setIsAsked] = useState(filters.method !== undefined)
  const methods = useMethods(chain, isAsked && ranks)
  const ask = (): void => setIsAsked(true)
  const name = methods?.find(({ methodHash }) => methodHash === filters.method)?.methodName
  return (
    <>
      <Button
        small
        aria-pressed={filters.status === 'failed'}
        onClick={() => onChange({ status: filters.status === 'failed' ? undefined : 'failed' })}
      >
        {filters.status === 'failed' && <CheckIcon size={14} />}
        Failed only
      </Button>
      {ranks && (
        <span className="contents" onPointerEnter={ask} onFocus={ask}>
          <Menu
            label="Method"
            align="start"
            className="control control-small"
            entries={() => [
              {
                kind: 'radio',
                label: 'All methods',
                checked: filters.method === undefined,
                onSelect: () => onChange({ method: undefined }),
              },
              { kind: 'heading', label: methods ? 'Most called in 30 days' : 'Loading the methods …' },
              ...(methods ?? []).map(({ methodHash, methodName }): MenuEntry => ({
                kind: 'radio',
                label: methodLabel(methodName, methodHash),
                note: methodName === undefined ? '' : methodHash,
                checked: methodHash === filters.method,
                onSelect: () => onChange({ method: methodHash }),
              })),
            ]}
          >
            Method
            <ChevronDownIcon size={12} className="text-muted" />
          </Menu>
        </span>
      )}
      <AddressField label="From" onChange={(sender) => onChange({ sender })} />
      <AddressField label="To" onChange={(to) => onChange({ to })} />
      {filters.method !== undefined && (
        <FilterChip
          text={`Method ${methodLabel(name, filters.method)}`}
          onRemove={() => onChange({ method: undefined })}
        />
      )}
      {filters.sender !== undefined && (
        <FilterChip
          text={`From ${shorten(filters.sender)}`}
          onRemove={() => onChange({ sender: undefined })}
        />
      )}
      {filters.to !== undefined && (
        <FilterChip text={`To ${shorten(filters.to)}`} onRemove={() => onChange({ to: undefined })} />
      )}
    </>
  )
}
