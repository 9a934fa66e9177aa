import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import type { ContractEvent } from '../../../../contract/evm/contract-events.ts'
import type { Decoded } from '../../../../contract/evm/transactions.ts'
import { contractCodeQuery } from '../../../api/evm/contract-code.ts'
import { contractEventsQuery } from '../../../api/evm/contract-events.ts'
import { Address } from '../../../components/address.tsx'
import { Hash } from '../../../components/hash.tsx'
import { EmptyState } from '../../../components/states.tsx'
import type { Column } from '../../../components/table/columns.ts'
import { useSearchState } from '../../../components/use-search-state.ts'
import { paths } from '../../../lib/paths.ts'
import { safeText } from '../../../lib/text.ts'
import { InfiniteTable, rowsOfPages } from '../../shared/infinite-table.tsx'
import { NotKept } from '../../shared/not-kept.tsx'
import { addressIn, valueText } from '../abi-text.ts'
import { EventFilters } from '../events/event-filters.tsx'
import { indexedOf, topicOf, type DeclaredEvent } from '../events/topics.ts'
import { logColumn, placeBlockColumn, placeTimeColumn, placeTxColumn } from '../place-columns.tsx'
import type { Subject } from './activity.tsx'

const typed = z.catch(z.optional(z.string()), undefined)
const schema = z.object({
  event: z.catch(z.optional(z.string().check(z.regex(/^0x[0-9a-f]{64}$/))), undefined),
  arg1: typed,
  arg2: typed,
  arg3: typed,
})

/** The longest text of an argument in a row. */
const maxText = 200

function Argument({ argument, chainId }: { argument: Decoded['args'][number]; chainId: string }) {
  const address = addressIn(argument)
  if (address !== undefined) return <Address address={address} chainId={chainId} />
  const text = safeText(valueText(argument, maxText), maxText)
  return (
    <span className="min-w-0 truncate font-mono text-mono" title={text}>
      {text}
    </span>
  )
}

function Arguments({ event, chainId }: { event: Decoded; chainId: string }) {
  return (
    <span className="flex min-w-0 items-center gap-x-3 overflow-hidden">
      {event.args.map((argument, index) => (
        <span key={`${index} ${argument.name}`} className="inline-flex min-w-0 items-center gap-x-1.5">
          <span className="text-muted">{safeText(argument.name, 24) || index + 1}</span>
          <Argument argument={argument} chainId={chainId} />
        </span>
      ))}
    </span>
  )
}

const plain = ({ event, data }: ContractEvent): string =>
  event ? event.args.map((each) => `${each.name}=${JSON.stringify(each.value)}`).join(' ') : data

const columnsOf = (chainId: string): Column<ContractEvent>[] => [
  {
    id: 'event',
    header: 'Event',
    always: true,
    width: '180px',
    narrow: 'title',
    cell: ({ event, topics }) =>
      event ? (
        <span className="truncate font-mono text-mono" title={event.signature}>
          {safeText(event.name, 60)}
        </span>
      ) : topics[0] === undefined ? (
        <span className="text-muted">anonymous</span>
      ) : (
        <Hash value={topics[0]} name="topic" />
      ),
    text: ({ event, topics }) => event?.signature ?? topics[0] ?? '',
  },
  {
    id: 'arguments',
    header: 'Arguments',
    narrow: 'below',
    cell: (row) =>
      row.event ? (
        <Arguments event={row.event} chainId={chainId} />
      ) : (
        <span className="truncate font-mono text-mono text-muted">{row.data.slice(0, 200)}</span>
      ),
    text: plain,
  },
  placeTxColumn(chainId),
  placeBlockColumn(chainId, { hidden: true }),
  placeTimeColumn({ align: 'right' }),
  logColumn(),
]

const none: readonly DeclaredEvent[] = []

/** The events that a contract emitted, latest first, narrowed to one of them and to the values of its arguments. */
export function EventsTab({ address, chain }: Subject) {
  const [{ event: wanted, arg1, arg2, arg3 }, setSearch] = useSearchState(schema)
  const events = useQuery(contractCodeQuery(chain.chainId, address)).data?.events ?? none
  const event = events.find(({ topic0 }) => topic0 === wanted)
  const values = [arg1, arg2, arg3]
  const topics = event
    ? indexedOf(event).map(({ type }, index) => {
        const text = values[index]
        const topic = text === undefined ? undefined : topicOf(text, type)
        return topic && 'word' in topic ? topic.word : undefined
      })
    : []
  const list = contractEventsQuery(chain.chainId, address, {
    topic0: wanted,
    topic1: topics[0],
    topic2: topics[1],
    topic3: topics[2],
  })
  // What a link says of arguments is known with the ABI.
  const isKnown = wanted === undefined || values.every((value) => value === undefined) || event !== undefined
  const query = useInfiniteQuery({ ...list, enabled: isKnown })
  const columns = useMemo(() => columnsOf(chain.chainId), [chain.chainId])
  const kept = query.data?.pages.at(-1)
  return (
    <>
      <NotKept kept={kept} />
      <InfiniteTable
        id="contract-events"
        label={`Events of ${address}`}
        noun="event"
        nouns="events"
        query={query}
        columns={columns}
        rows={rowsOfPages(query.data, list.rowsOf)}
        rowKey={(row) => `${row.blockNumber} ${row.logIndex}`}
        rowHref={(row) => paths.transaction(chain.chainId, row.txHash)}
        tools={
          events.length > 0 && (
            <EventFilters
              events={events}
              wanted={{ event: wanted, typed: values }}
              onChange={({ event: next, typed: [first, second, third] }) =>
                setSearch({ event: next, arg1: first, arg2: second, arg3: third }, { push: true })
              }
            />
          )
        }
        source={{ name: `events-${address}-${chain.chainId}`, pages: list.all }}
        empty={
          <EmptyState title="No events">
            {wanted === undefined
              ? 'No indexed block has a log of this contract.'
              : 'No indexed block has such a log. Remove the filter to see all.'}
          </EmptyState>
        }
      />
    </>
  )
}
