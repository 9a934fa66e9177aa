import type { PrimaryChainAlias } from '../../contract/primary-fields.ts'
import { cTxTypes, pTxTypes, xTxTypes, type PrimaryTxType } from '../../contract/primary-transactions.ts'
import { badRequest } from '../errors.ts'

/** The names of the codec's type ids; those past the contract's list are newer than the interface. */
const names = {
  'p-chain': new Map([
    [12, 'AddValidatorTx'],
    [13, 'AddSubnetValidatorTx'],
    [14, 'AddDelegatorTx'],
    [15, 'CreateChainTx'],
    [16, 'CreateSubnetTx'],
    [17, 'ImportTx'],
    [18, 'ExportTx'],
    [19, 'AdvanceTimeTx'],
    [20, 'RewardValidatorTx'],
    [23, 'RemoveSubnetValidatorTx'],
    [24, 'TransformSubnetTx'],
    [25, 'AddPermissionlessValidatorTx'],
    [26, 'AddPermissionlessDelegatorTx'],
    [33, 'TransferSubnetOwnershipTx'],
    [34, 'BaseTx'],
    [35, 'ConvertSubnetToL1Tx'],
    [36, 'RegisterL1ValidatorTx'],
    [37, 'SetL1ValidatorWeightTx'],
    [38, 'IncreaseL1ValidatorBalanceTx'],
    [39, 'DisableL1ValidatorTx'],
    [40, 'AddAutoRenewedValidatorTx'],
    [41, 'SetAutoRenewedValidatorConfigTx'],
    [42, 'RewardAutoRenewedValidatorTx'],
  ]),
  'x-chain': new Map([
    [0, 'BaseTx'],
    [1, 'CreateAssetTx'],
    [2, 'OperationTx'],
    [3, 'ImportTx'],
    [4, 'ExportTx'],
  ]),
  'c-chain': new Map([
    [0, 'ImportTx'],
    [1, 'ExportTx'],
  ]),
} as const satisfies Record<PrimaryChainAlias, ReadonlyMap<number, string>>

const asked = { 'p-chain': pTxTypes, 'x-chain': xTxTypes, 'c-chain': cTxTypes } as const

/** The name of a codec type id on a chain; `UNKNOWN` for one that has none. */
export function txTypeName(alias: PrimaryChainAlias, type: number): string {
  return names[alias].get(type) ?? 'UNKNOWN'
}

/** The type ids that a filter asks for. `others`: also all that are none of `known`. Throws a 400. */
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
