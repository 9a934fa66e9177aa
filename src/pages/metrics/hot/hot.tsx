import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams, useSearchParams, type LoaderFunctionArgs } from 'react-router'
import * as z from 'zod/mini'
import { titleOf } from '../../../../contract/pages.ts'
import {
  callOrders,
  tokenOrders,
  type CallOrder,
  type TokenOrder,
} from '../../../../contract/metrics/rankings.ts'
import { useChainFacts, useOffers, type ChainFacts } from '../../../api/current.ts'
import {
  contractsRankingQuery,
  methodsRankingQuery,
  tokensRankingQuery,
  type RankingRange,
} from '../../../api/metrics/rankings.ts'
import { queryClient } from '../../../api/query-client.ts'
import { useNow } from '../../../components/hooks.ts'
import { PageTitle } from '../../../components/page-title.tsx'
import { EmptyState, UnsupportedState } from '../../../components/states.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { WholeTable } from '../../../components/table/whole-table.tsx'
import { useSearchState } from '../../../components/use-search-state.ts'
import { formatInteger } from '../../../lib/amounts.ts'
import { paths } from '../../../lib/paths.ts'
import { readSearch } from '../../../lib/search-params.ts'
import { HOUR, periodStart } from '../../../../charts/series/periods.ts'
import {
  describeRange,
  readRange,
  resolveRange,
  writeRange,
  type RangeChoice,
} from '../../../../charts/series/range.ts'
import { ContractsTabs } from '../../shared/contracts-tabs.tsx'
import { ChainCrumb } from '../../shared/crumbs.tsx'
import { Failed } from '../../shared/failed.tsx'
import { Choice, RangeControl } from '../controls.tsx'
import { contractColumns, methodColumns, tokenColumns } from './columns.tsx'

const subjects = ['contracts', 'methods', 'tokens'] as const
const subjectLabels: Readonly<Record<(typeof subjects)[number], string>> = {
  contracts: 'Contracts',
  methods: 'Methods',
  tokens: 'Tokens',
}
const searchSchema = z.object({
  tab: z.catch(z.enum(subjects), 'contracts'),
  /** The sort order, by default the tab's first one. */
  sort: z.catch(z.optional(z.enum([...callOrders, ...tokenOrders])), undefined),
})
type State = z.output<typeof searchSchema>

/** A week is long enough for quiet chains, and short enough for most busy ones. */
const fallback: RangeChoice = { preset: '7d' }

const callOrderOf = ({ sort }: State): CallOrder => callOrders.find((one) => one === sort) ?? 'gasUsed'
const tokenOrderOf = ({ sort }: State): TokenOrder =>
  tokenOrders.find((one) => one === sort) ?? 'transferCount'

/** The range of the request. Both of its ends are exclusive. */
function rankingRange(choice: RangeChoice, now: number): RankingRange {
  const { from, to } = resolveRange(choice, 'hour', now)
  return { startTimestamp: from === null || from === 0 ? undefined : from - 1, endTimestamp: to }
}

/** Requests the shown ranking. */
export function loader({ params: { chainId = '' }, request }: LoaderFunctionArgs): null {
  const search = new URL(request.url).searchParams
  const state = readSearch(searchSchema, search)
  const range = rankingRange(readRange(search, fallback), periodStart(Date.now() / 1000, 'hour'))
  if (state.tab === 'tokens')
    void queryClient.prefetchQuery(tokensRankingQuery(chainId, range, tokenOrderOf(state)))
  else if (state.tab === 'methods')
    void queryClient.prefetchQuery(methodsRankingQuery(chainId, range, callOrderOf(state)))
  else void queryClient.prefetchQuery(contractsRankingQuery(chainId, range, callOrderOf(state)))
  return null
}

const callLabels: Readonly<Record<CallOrder, string>> = {
  gasUsed: 'Gas used',
  transactionCount: 'Calls',
  callerCount: 'Callers',
}
const tokenLabels: Readonly<Record<TokenOrder, string>> = {
  transferCount: 'Transfers',
  holderCount: 'Active holders',
}

type RankedProps<Row> = {
  readonly chain: ChainFacts
  readonly subject: (typeof subjects)[number]
  readonly noun: string
  readonly loaded: { data: unknown; error: Error | null; refetch: () => unknown }
  readonly rows: readonly Row[] | undefined
  readonly all: string
  readonly columns: readonly Column<Row>[]
  readonly rowKey: (row: Row) => string
  readonly rowHref?: (row: Row) => string
  readonly words: string
}

function Ranked<Row>({ chain, subject, noun, loaded, rows, all, ...rest }: RankedProps<Row>): ReactNode {
  if (loaded.error !== null && loaded.data === undefined)
    return <Failed title={`The ${subject} could not be ranked.`} query={loaded} />
  if (rows?.length === 0)
    return (
      <EmptyState title={`No ${subject} were used in this range (${rest.words})`}>
        They are ranked here once transactions call them. Choose a longer range.
      </EmptyState>
    )
  return (
    <WholeTable
      id={`hot-${subject}`}
      label={`Most used ${subject} of ${chain.name}`}
      noun={noun}
      columns={rest.columns}
      rows={rows}
      rowKey={rest.rowKey}
      {...(rest.rowHref && { rowHref: rest.rowHref })}
      all
      {...(rows &&
        BigInt(all) > BigInt(rows.length) && {
          tools: (
            <span className="text-xs text-muted">
              {rows.length} of {formatInteger(all)} shown
            </span>
          ),
        })}
      file={`hot-${subject}-${chain.chainId}`}
    />
  )
}

type PartProps = {
  readonly chain: ChainFacts
  readonly range: RankingRange
  readonly state: State
  readonly words: string
}

function Contracts({ chain, range, state, words }: PartProps): ReactNode {
  const query = useQuery(contractsRankingQuery(chain.chainId, range, callOrderOf(state)))
  return (
    <Ranked
      chain={chain}
      subject="contracts"
      noun="contract"
      loaded={query}
      rows={query.data?.contracts}
      all={query.data?.totals.rowCount ?? '0'}
      columns={query.data ? contractColumns(chain, query.data.contracts, query.data.totals) : []}
      rowKey={({ contract }) => contract.address}
      rowHref={({ contract }) => paths.address(chain.chainId, contract.address)}
      words={words}
    />
  )
}

function Methods({ chain, range, state, words }: PartProps): ReactNode {
  const query = useQuery(methodsRankingQuery(chain.chainId, range, callOrderOf(state)))
  return (
    <Ranked
      chain={chain}
      subject="methods"
      noun="method"
      loaded={query}
      rows={query.data?.methods}
      all={query.data?.totals.rowCount ?? '0'}
      columns={query.data ? methodColumns(query.data.methods, query.data.totals) : []}
      rowKey={({ methodHash }) => methodHash}
      words={words}
    />
  )
}

function Tokens({ chain, range, state, words }: PartProps): ReactNode {
  const query = useQuery(tokensRankingQuery(chain.chainId, range, tokenOrderOf(state)))
  return (
    <Ranked
      chain={chain}
      subject="tokens"
      noun="token"
      loaded={query}
      rows={query.data?.tokens}
      all={query.data?.totals.rowCount ?? '0'}
      columns={query.data ? tokenColumns(chain, query.data.tokens, query.data.totals) : []}
      rowKey={({ token, ercType }) => `${token.address} ${ercType}`}
      rowHref={({ token }) => paths.token(chain.chainId, token.address)}
      words={words}
    />
  )
}

const sentences: Readonly<Record<(typeof subjects)[number], string>> = {
  contracts: 'Shares are of all calls in the range.',
  methods: 'Over all contracts; shares are of all calls in the range.',
  tokens: 'A holder is active if a block of the range changed its balance.',
}

/** What a chain is used for most in a range: contracts, methods, tokens. */
export function Component(): ReactNode {
  const { chainId = '' } = useParams()
  const chain = useChainFacts(chainId)
  const now = useNow(HOUR)
  const offered = useOffers('rankContracts')
  const [state, setState] = useSearchState(searchSchema)
  const [search, setSearch] = useSearchParams()
  const choice = readRange(search, fallback)
  const range = rankingRange(choice, periodStart(now, 'hour'))
  const part = { chain, range, state, words: describeRange(choice) }
  return (
    <>
      <ChainCrumb chain={chain} />
      <PageTitle document={titleOf('hot', { chainId: chain.name })} heading="Most used" />
      <ContractsTabs chainId={chain.chainId} current="hot" />
      {offered ? (
        <>
          <div className="flex flex-wrap items-center gap-3 pb-3">
            <Choice
              label="What is ranked"
              options={subjects.map((id) => ({ id, label: subjectLabels[id] }))}
              current={state.tab}
              onChange={(tab) => setState({ tab, sort: undefined })}
            />
            <RangeControl
              range={choice}
              onChange={(next) =>
                setSearch((at) => writeRange(at, next, fallback), { preventScrollReset: true })
              }
            />
            {state.tab === 'tokens' ? (
              <Choice
                label="Ranked by"
                options={tokenOrders.map((id) => ({ id, label: tokenLabels[id] }))}
                current={tokenOrderOf(state)}
                onChange={(sort) => setState({ sort })}
              />
            ) : (
              <Choice
                label="Ranked by"
                options={callOrders.map((id) => ({ id, label: callLabels[id] }))}
                current={callOrderOf(state)}
                onChange={(sort) => setState({ sort })}
              />
            )}
          </div>
          <p className="py-2 text-muted">{sentences[state.tab]}</p>
          {state.tab === 'contracts' && <Contracts {...part} />}
          {state.tab === 'methods' && <Methods {...part} />}
          {state.tab === 'tokens' && <Tokens {...part} />}
        </>
      ) : (
        <UnsupportedState title="This service does not offer rankings">
          A Ridgeline service of your own with this chain in its configuration does.
        </UnsupportedState>
      )}
    </>
  )
}
