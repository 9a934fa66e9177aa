import type { PrimaryChainAlias } from '../../contract/primary/chains.ts'
import { cTxTypes, pTxTypes, xTxTypes, type PrimaryTxType } from '../../contract/primary/transactions.ts'
import { cTxTypeIds, namesById, pTxTypeIds, xTxTypeIds } from '../../protocol/primary/transaction-types.ts'
import { badRequest } from '../kernel/http-errors.ts'

/** The names of the codec's type ids. The contract's list omits those newer than the hosted API. */
const names: Record<PrimaryChainAlias, ReadonlyMap<number, string>> = {
  'p-chain': namesById(pTxTypeIds),
  'x-chain': namesById(xTxTypeIds),
  'c-chain': namesById(cTxTypeIds),
}

const asked = { 'p-chain': pTxTypes, 'x-chain': xTxTypes, 'c-chain': cTxTypes } as const

/** The name of a codec type id on a chain; `UNKNOWN` if there is none. */
export function txTypeName(alias: PrimaryChainAlias, type: number): string {
  return names[alias].get(type) ?? 'UNKNOWN'
}

/** The type ids of a filter. `others`: also all types that are not in `known`. Throws a 400. */
export function txTypeFilter(alias: PrimaryChainAlias, types: readonly PrimaryTxType[] | undefined) {
  const listed: readonly string[] = asked[alias]
  const known = [...names[alias]].filter(([, name]) => listed.includes(name))
  const foreign = types?.filter((type) => !listed.includes(type)) ?? []
  if (foreign.length > 0) {
    throw badRequest(foreign.map((type) => `txTypes: the ${alias} has no ${type}`))
  }
  return {
    known: known.map(([id]) => id),
    types: types && {
      ids: known.filter(([, name]) => types.some((type) => type === name)).map(([id]) => id),
      others: types.includes('UNKNOWN'),
    },
  }
}
