/** The codec's type ids of P-Chain transactions. */
export const pTxTypeIds = {
  AddValidatorTx: 12,
  AddSubnetValidatorTx: 13,
  AddDelegatorTx: 14,
  CreateChainTx: 15,
  CreateSubnetTx: 16,
  ImportTx: 17,
  ExportTx: 18,
  AdvanceTimeTx: 19,
  RewardValidatorTx: 20,
  RemoveSubnetValidatorTx: 23,
  TransformSubnetTx: 24,
  AddPermissionlessValidatorTx: 25,
  AddPermissionlessDelegatorTx: 26,
  TransferSubnetOwnershipTx: 33,
  BaseTx: 34,
  ConvertSubnetToL1Tx: 35,
  RegisterL1ValidatorTx: 36,
  SetL1ValidatorWeightTx: 37,
  IncreaseL1ValidatorBalanceTx: 38,
  DisableL1ValidatorTx: 39,
  AddAutoRenewedValidatorTx: 40,
  SetAutoRenewedValidatorConfigTx: 41,
  RewardAutoRenewedValidatorTx: 42,
} as const

/** The codec's type ids of X-Chain transactions. */
export const xTxTypeIds = {
  BaseTx: 0,
  CreateAssetTx: 1,
  OperationTx: 2,
  ImportTx: 3,
  ExportTx: 4,
} as const

/** The codec's type ids of the C-Chain's atomic transactions. */
export const cTxTypeIds = { ImportTx: 0, ExportTx: 1 } as const

/** The codec's type ids of P-Chain blocks; those since Banff contain their time. */
export const pBlockTypeIds = {
  ApricotProposalBlock: 0,
  ApricotAbortBlock: 1,
  ApricotCommitBlock: 2,
  ApricotStandardBlock: 3,
  ApricotAtomicBlock: 4,
  BanffProposalBlock: 29,
  BanffAbortBlock: 30,
  BanffCommitBlock: 31,
  BanffStandardBlock: 32,
} as const

/** The codec's type ids of X-Chain blocks. */
export const xBlockTypeIds = { StandardBlock: 20 } as const

/** The names of type ids. */
export function namesById(typeIds: Readonly<Record<string, number>>): ReadonlyMap<number, string> {
  return new Map(Object.entries(typeIds).map(([name, id]) => [id, name]))
}
