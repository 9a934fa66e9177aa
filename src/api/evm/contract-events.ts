import type { QueryOf } from '../../../contract/base/operation.ts'
import { listContractEvents } from '../../../contract/evm/contract-events.ts'
import { listQuery } from '../list.ts'
import { call } from '../session.ts'

/** What the events of a contract are narrowed to. */
type EventsFilter = Pick<QueryOf<typeof listContractEvents>, 'topic0' | 'topic1' | 'topic2' | 'topic3'>

/** The events of a contract, latest first. */
export const contractEventsQuery = (chainId: string, address: string, filter: EventsFilter) =>
  listQuery({
    key: ['contract-events', chainId, address.toLowerCase(), filter],
    read: (paging, signal) =>
      call(listContractEvents, { params: { chainId, address }, query: { ...paging, ...filter }, signal }),
    rowsOf: (page) => page.events,
    staleTime: 10_000,
  })
