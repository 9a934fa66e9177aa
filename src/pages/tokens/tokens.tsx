import { useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../contract/pages.ts'
import type { Token } from '../../../contract/tokens/tokens.ts'
import { useChainFacts, useProfile } from '../../api/current.ts'
import { tokenKinds, tokensQuery, type Currency, type TokensFilter } from '../../api/tokens/tokens.ts'
import { queryClient } from '../../api/query-client.ts'
import { useStore } from '../../components/hooks.ts'
import { CheckIcon } from '../../components/icons.ts'
import { PageTitle } from '../../components/page-title.tsx'
import { EmptyState } from '../../components/states.tsx'
import { currency } from '../../api/tokens/balances-currency.ts'
import { CurrencyMenu } from '../shared/currency-menu.tsx'
import { useSearchState } from '../../components/use-search-state.ts'
import { readSearch } from '../../lib/search-params.ts'
import { paths } from '../../lib/paths.ts'
import { ChainCrumb } from '../shared/crumbs.tsx'
import { Choice } from '../shared/choice.tsx'
import { PagedTable } from '../shared/paged-table.tsx'
import { Button } from '../../components/controls.tsx'
import { NameField, tokenOrders } from './list-tools.tsx'
import { tokenColumns } from './token-columns.tsx'
import { TokensTabs } from './tokens-tabs.tsx'

const searchSchema = z.object({
  kind: z.catch(z.optional(z.enum(tokenKinds)), undefined),
  /** A part of the name or symbol. */
  name: z.catch(z.string().check(z.trim(), z.maxLength(64)), ''),
  by: z.catch(z.enum(['holders', 'day', 'newest']), 'holders'),
  spam: z.catch(z.enum(['hidden', 'shown']), 'hidden'),
})

/** The list as the URL narrows it. */
const filterOf = ({ kind, name, by, spam }: z.infer<typeof searchSchema>, money: Currency): TokensFilter => ({
  kind,
  ...(name !== '' && { name }),
  sort: tokenOrders.find(({ id }) => id === by)?.sort ?? 'holderCount',
  spam: spam === 'shown',
  currency: money,
})

/** The first page of the tokens. */
export function loader({ params: { chainId = '' }, request }: LoaderFunctionArgs): null {
  const search = readSearch(searchSchema, new URL(request.url).searchParams)
  void queryClient.prefetchInfiniteQuery(tokensQuery(chainId, filterOf(search, currency.get())))
  return null
}

// A contract that emits two shapes of transfer is a token of either kind.
const rowKey = (token: Token): string => `${token.address}/${token.ercType}`

const kinds = [{ id: 'all', label: 'All' }, ...tokenKinds.map((kind) => ({ id: kind, label: kind }))] as const

/** The token contracts of a chain, by default those with the most holders first; spam is hidden until asked for. */
export function Component() {
  const { chainId = '' } = useParams()
  const chain = useChainFacts(chainId)
  const [search, setSearch] = useSearchState(searchSchema)
  const { kind } = search
  const priceLabel = useProfile()?.priceLabel
  const filter = filterOf(search, useStore(currency))
  const list = tokensQuery(chainId, filter)
  const columns = useMemo(() => tokenColumns(chain, priceLabel), [chain, priceLabel])

  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={titleOf('tokens', { chainId: chain.name })} heading="Tokens" />
      <TokensTabs chainId={chain.chainId} current="tokens" />
      <PagedTable
        tools={
          <>
            <NameField name={search.name} onName={(next) => setSearch({ name: next })} />
            <Choice
              label="Sort by"
              options={tokenOrders}
              current={search.by}
              onChange={(by) => setSearch({ by }, { push: true })}
            />
            <Choice
              label="Kind of token"
              options={kinds}
              current={kind ?? 'all'}
              onChange={(next) => setSearch({ kind: next === 'all' ? undefined : next }, { push: true })}
            />
            <Button
              aria-pressed={filter.spam}
              small
              title="Tokens that the rules of the service call malicious"
              onClick={() => setSearch({ spam: filter.spam ? 'hidden' : 'shown' }, { push: true })}
            >
              {filter.spam && <CheckIcon size={14} />}
              Show spam
            </Button>
            {priceLabel !== undefined && (
              <span title={priceLabel}>
                <CurrencyMenu />
              </span>
            )}
          </>
        }
        id="tokens"
        label={`Tokens of ${chain.name}`}
        noun="token"
        list={list}
        columns={columns}
        rowKey={rowKey}
        rowHref={(token) => paths.token(chain.chainId, token.address)}
        file={`tokens-${chain.chainId}`}
        empty={
          <EmptyState title="No tokens">
            {search.name !== ''
              ? `No token has “${search.name}” in its name or symbol`
              : kind === undefined
                ? 'No contract of this chain has moved a token yet'
                : `No ${kind} token of this chain has moved yet`}
            {filter.spam ? '.' : ', or all of them are hidden as spam.'}
          </EmptyState>
        }
      />
    </>
  )
}
