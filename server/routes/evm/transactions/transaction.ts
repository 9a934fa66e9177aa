import { getTransaction, type TransactionDetails } from '../../../../contract/evm/transactions.ts'
import { decodeCall, decodeLog } from '../../../tokens/abi/decode.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import type { AbiBook } from '../../../tokens/abi/operator.ts'
import { tokenTransfers, type TokenTransfer } from '../../../tokens/abi/token-transfers.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { withoutNulls } from '../../../kernel/without-nulls.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { nodeNameReasons, readNodeName } from '../../../store/evm/read-node-name.ts'
import type { StoredTransaction } from '../../../store/evm/read-transaction.ts'
import { createContractBook, describeTransfer, namesOfTransfers, type Names } from '../address-names.ts'
import { describeCall, partiesOfCall } from '../addresses/address-internals.ts'
import { describeTransaction, partiesOf } from '../transaction-fields.ts'
import { findTransaction } from './stored-transaction.ts'
import type { RouteContext } from '../../../http/route-context.ts'

/**
 * `/v1/chains/{chainId}/transactions/{txHash}` (as in the hosted API), with logs, decodings and internal
 * calls.
 */
export function transactionRoute(context: RouteContext): Implementation[] {
  const { abis } = context
  const book = createContractBook(context.config)
  return [
    implement(getTransaction, async ({ params }) => {
      const { chain, database, stored, isIndexed } = await findTransaction(context, params)
      const transfers = stored.logs.flatMap((log) => tokenTransfers(log))
      const names = await namesOfTransfers(database, chain, book, transfers, [
        ...partiesOf(stored),
        ...stored.calls.flatMap(partiesOfCall),
        ...stored.logs.map(({ address }) => address),
      ])
      const given = await readNodeName(database, chain.key, BigInt(stored.blockNumber), stored.blockIndex)
      const known = await withStored(
        abis,
        database,
        chain,
        [stored.to, ...stored.calls.map(({ to }) => to), ...stored.logs.map(({ address }) => address)],
        BigInt(stored.blockNumber),
      )
      return describe(chain, stored, transfers, names, known, {
        ...(given && { hashGivenBy: hashGivers[given.reason] }),
        ...(!isIndexed && { isIndexed: false as const }),
      })
    }),
  ]
}

const hashGivers: Readonly<Record<number, 'IMPERSONATION' | 'SYSTEM' | undefined>> = {
  [nodeNameReasons.impersonated]: 'IMPERSONATION',
  [nodeNameReasons.system]: 'SYSTEM',
}

function describe(
  chain: Chain,
  {
    logs,
    calls,
    untraced,
    tracesFrom,
    logsFrom,
    error: _error,
    output,
    failingCall,
    ...transaction
  }: StoredTransaction,
  transfers: readonly TokenTransfer[],
  names: Names,
  abis: AbiBook,
  marks: Pick<TransactionDetails['nativeTransaction'], 'hashGivenBy' | 'isIndexed'>,
): TransactionDetails {
  const decodedInput =
    transaction.callType === 'CONTRACT_CALL'
      ? decodeCall(transaction.input, abis.functions(transaction.selector, chain.id, transaction.to))
      : undefined
  const of = (standard: TokenTransfer['standard']): TokenTransfer[] =>
    transfers.filter((transfer) => transfer.standard === standard)
  return {
    nativeTransaction: {
      ...withoutNulls(describeTransaction(transaction, names, abis, chain.id)),
      ...marks,
    },
    networkTokenDetails: { networkToken: { ...chain.config.token } },
    ...(logsFrom === null && {
      erc20Transfers: of('ERC-20').map((transfer) => describeTransfer['ERC-20'](transfer, names)),
      erc721Transfers: of('ERC-721').map((transfer) => describeTransfer['ERC-721'](transfer, names)),
      erc1155Transfers: of('ERC-1155').map((transfer) => describeTransfer['ERC-1155'](transfer, names)),
      logs: logs.map((log) => describeLog(log, names, abis, chain)),
    }),
    ...(!untraced && {
      internalTransactions: calls.map((call, ordinal) => {
        const [method] =
          call.method === null ? [] : abis.functions(call.method, chain.id, call.to ?? '').known
        return {
          ...describeCall(call, names),
          ...(method && { methodName: method.signature }),
          ...(ordinal === failingCall && output !== null && { output }),
        }
      }),
    }),
    ...(decodedInput && { decodedInput }),
    ...withoutNulls({ tracesFrom, logsFrom }),
  }
}

function describeLog(
  { index, address, topics, data }: StoredTransaction['logs'][number],
  names: Names,
  abis: AbiBook,
  chain: Chain,
) {
  const event = decodeLog(topics, data, abis.events(topics[0] ?? '', chain.id, address))
  return { logIndex: index, address, contract: names.party(address), topics, data, ...(event && { event }) }
}
