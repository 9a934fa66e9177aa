import {
  listContractEvents,
  maxEventBytes,
  type ContractEvent,
} from '../../../../contract/evm/contract-events.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { fillPage, openList } from '../../../http/keyset-list.ts'
import { bytesOf, resolveRange, type RouteContext } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { readContractLogs, type ContractLog } from '../../../store/evm/contracts/read-contract-logs.ts'
import { lastBlock, lastIndex } from '../../../store/read.ts'
import { decodeLog } from '../../../tokens/abi/decode.ts'
import type { AbiBook } from '../../../tokens/abi/operator.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import { readWhereKept } from '../kept.ts'

const cursor = { number: 'bigint', index: 'number' } as const

/** Only in Ridgeline: the logs of a contract, decoded by its ABI (contract/evm/contract-events.ts). */
export function contractEventRoutes(context: RouteContext): Implementation[] {
  const { chains, abis, store } = context
  return [
    implement(listContractEvents, async ({ params, query }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const address = params.address.toLowerCase()
      const list = openList(context, listContractEvents, cursor, { chainId: chain.id, address }, query)
      const { topic0, topic1, topic2, topic3 } = query
      const word = (topic: string | undefined): Buffer | undefined =>
        topic === undefined ? undefined : bytesOf(topic)
      const topics = [word(topic0), word(topic1), word(topic2), word(topic3)] as const
      const range = await resolveRange(database, chain.key, query)
      const { value, fields } = await readWhereKept(database, chain, 'logs', range, (kept) => {
        const end = kept.before === lastBlock ? lastBlock : kept.before - 1n
        return list.walk({ number: end, index: lastIndex }, (after, pageSize) =>
          fillPage(pageSize, after, (past, limit, lookAt) =>
            readContractLogs(database, chain.key, bytesOf(address), kept, topics, past, {
              limit,
              lookAt,
              maxBytes: maxEventBytes,
            }),
          ),
        )
      })
      const { rows, nextPageToken } = value
      const newest = rows[0]?.number
      const book = newest === undefined ? abis : await withStored(abis, database, chain, [address], newest)
      return { nextPageToken, events: rows.map((row) => describe(row, book, chain, address)), ...fields }
    }),
  ]
}

function describe(log: ContractLog, book: AbiBook, chain: Chain, address: string): ContractEvent {
  const { topics, data, isCut } = log
  const event = isCut ? undefined : decodeLog(topics, data, book.events(topics[0] ?? '', chain.id, address))
  return {
    blockNumber: log.number.toString(),
    blockTimestamp: log.ts,
    txHash: log.txHash,
    logIndex: log.index,
    topics,
    data,
    ...(event && { event }),
  }
}
