import { useMemo } from 'react'
import { useParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import type { Token } from '../../../contract/tokens/tokens.ts'
import { useChainFacts, useProfile } from '../../api/current.ts'
import { tokenKinds, tokensQuery, type Currency, type TokensFilter } from '../../api/tokens/tokens.ts'
import { queryClient } from '../../api/query-client.ts'
import { useStore } from '../../components/hooks.ts'
import { CheckIcon } from '../../components/icons.ts'
import { Lead, PageTitle } from '../../components/page-title.tsx'
import { EmptyState } from '../../components/states.tsx'
import { currency } from '../../api/tokens/balances-currency.ts'
import { CurrencyMenu } from '../shared/currency-menu.tsx'
import { useHeldForm } from '../../components/use-held-form.ts'
import { useSearchState } from '../../components/use-search-state.ts'
import { readSearch } from '../../lib/search-params.ts'
import { paths } from '../../lib/paths.ts'
import { ChainCrumb } from '../shared/crumbs.tsx'
import { Choice } from '../shared/choice.tsx'
import { PagedTable } from '../shared/paged-table.tsx'
import { Button, Input } from '../../components/controls.tsx'
import { tokenColumns } from './token-columns.tsx'

const searchSchema = z.object({
  kind: z.catch(z.optional(z.enum(tokenKinds)), undefined),
  /** A part of the name or symbol. */
  name: z.catch(z.string().check(z.trim(), z.maxLength(64)), ''),
  by: z.catch(z.enum(['holders', 'day', 'newest']), 'holders'),
  spam: z.catch(z.enum(['hidden', 'shown']), 'hidden'),
})

const orders = [
  { id: 'holders', label: 'Holders', sort: 'holderCount' },
  { id: 'day', label: 'Transfers, 24 h', sort: 'lastDayTransferCount' },
  { id: 'newest', label: 'Newest', sort: 'firstBlock' },
] as const

/** The list as the URL narrows it. */
const filterOf = ({ kind, name, by, spam }: z.infer<typeof searchSchema>, money: Currency): TokensFilter => ({
  kind,
  ...(name !== '' && { name }),
  sort: orders.find(({ id }) => id === by)?.sort ?? 'holderCount',
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

/** A field for a part of a token's name; input takes effect after a pause. */
function NameField({ name, onName }: { name: string; onName: (name: string) => void }) {
  const [text, setText] = useHeldForm(
    name,
    (value) => value.trim(),
    (value) => onName(value.trim()),
  )
  return (
    <Input
      type="search"
      aria-label="Name or symbol"
      placeholder="Name or symbol"
      className="h-7 w-44"
      maxLength={64}
      spellCheck={false}
      value={text}
      onChange={setText}
    />
  )
}

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
      <PageTitle document={`Tokens · ${chain.name}`} heading="Tokens" />
      <Lead>Contracts that move tokens by the standards ERC-20, ERC-721 or ERC-1155.</Lead>
      <PagedTable
        tools={
          <>
            <NameField name={search.name} onName={(next) => setSearch({ name: next })} />
            <Choice
              label="Sort by"
              options={orders}
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
              <span className="flex items-center gap-2 text-xs text-muted">
                <CurrencyMenu />
                {priceLabel}
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
