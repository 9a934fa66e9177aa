import { z } from 'zod'
import {
  alwaysSent,
  commaList,
  endTimestamp,
  nextPageToken,
  openEnum,
  paging,
  record,
  startTimestamp,
  timestamp,
  wideInteger,
} from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { genesisData } from './genesis.ts'
import {
  assetAmount,
  blsCredentials,
  cb58Id,
  chainInfo,
  l1ValidatorManagerDetails,
  primaryChainParams,
  subnetOwnershipInfo,
  utxo,
  utxoCredential,
  validationCycle,
  walletOrEvmAddress,
} from './fields.ts'
import { latestFirst, maxListed, pageBounds } from '../base/query.ts'

/** The transaction types of the P-chain (as in the hosted API), and those added by Helicon. */
export const pTxTypes = [
  'AddValidatorTx',
  'AddSubnetValidatorTx',
  'AddDelegatorTx',
  'CreateChainTx',
  'CreateSubnetTx',
  'ImportTx',
  'ExportTx',
  'AdvanceTimeTx',
  'RewardValidatorTx',
  'RemoveSubnetValidatorTx',
  'TransformSubnetTx',
  'AddPermissionlessValidatorTx',
  'AddPermissionlessDelegatorTx',
  'BaseTx',
  'TransferSubnetOwnershipTx',
  'ConvertSubnetToL1Tx',
  'RegisterL1ValidatorTx',
  'SetL1ValidatorWeightTx',
  'DisableL1ValidatorTx',
  'IncreaseL1ValidatorBalanceTx',
  'AddAutoRenewedValidatorTx',
  'SetAutoRenewedValidatorConfigTx',
  'RewardAutoRenewedValidatorTx',
  'UNKNOWN',
] as const

/** The transaction types of the X-chain (as in the hosted API). */
export const xTxTypes = ['BaseTx', 'CreateAssetTx', 'OperationTx', 'ImportTx', 'ExportTx', 'UNKNOWN'] as const

/** The atomic transaction types of the C-chain (as in the hosted API). */
export const cTxTypes = ['ExportTx', 'ImportTx'] as const

/** PrimaryNetworkTxType: every type of the three chains, once. */
export const primaryTxTypes = [...new Set([...pTxTypes, ...xTxTypes, ...cTxTypes])]
export type PrimaryTxType = (typeof primaryTxTypes)[number]

const txType = z.enum(primaryTxTypes)

/**
 * `txTypes` of a query: repeated, as in the OpenAPI document, or once with commas. Every value must be known,
 * because a mistyped filter that matches nothing would mislead.
 */
export const txTypes = z
  .union([z.string().transform((text) => text.split(',')), z.array(z.string())], {
    error: 'must be one or more transaction types',
  })
  .pipe(z.array(txType).min(1).max(primaryTxTypes.length))
  .meta({ wire: { type: 'array', minItems: 1, items: { type: 'string', enum: primaryTxTypes } } })
  .describe('Only transactions of these types')

/** An L1 validator as a transaction registers or changes it; balances in nAVAX. */
export const l1ValidatorChange = record({
  validationId: z.string(),
  validationIdHex: z.string().optional(),
  nodeId: z.string(),
  subnetId: z.string(),
  weight: wideInteger,
  remainingBalance: wideInteger,
  balanceChange: wideInteger.optional().describe('Negative when the balance is returned'),
  blsCredentials: record({}).optional(),
})

/** The chain that a CreateChainTx made. */
export const blockchainInfo = record({
  chainName: z.string(),
  vmId: z.string(),
  genesisData: genesisData.optional(),
})

const assets = z.array(assetAmount)

/**
 * Primary network transaction (docs/api.md). The fields from `chainFormat` on are those of hosted X-chain and
 * C-chain records (as in the hosted API), which lack the P-chain's block fields.
 */
export const primaryTransaction = record({
  txHash: z.string(),
  txType: openEnum(primaryTxTypes),
  blockTimestamp: timestamp.optional(),
  blockNumber: z.string().optional(),
  blockHash: z.string().optional(),
  consumedUtxos: alwaysSent(z.array(utxo)),
  emittedUtxos: alwaysSent(z.array(utxo)),
  sourceChain: z.string().optional(),
  destinationChain: z.string().optional(),
  value: alwaysSent(assets),
  amountBurned: alwaysSent(assets),
  amountStaked: alwaysSent(assets),
  amountL1ValidatorBalanceBurned: alwaysSent(assets),
  startTimestamp: timestamp.optional(),
  endTimestamp: timestamp.optional(),
  delegationFeePercent: z.string().optional(),
  nodeId: z.string().optional(),
  subnetId: z.string().optional(),
  l1ValidatorManagerDetails: l1ValidatorManagerDetails.optional(),
  l1ValidatorDetails: alwaysSent(z.array(l1ValidatorChange)),
  estimatedReward: z.string().optional(),
  rewardTxHash: z.string().optional(),
  memo: z.string().optional(),
  stakingTxHash: z.string().optional(),
  rewardAddresses: alwaysSent(z.array(z.string())),
  subnetOwnershipInfo: subnetOwnershipInfo.optional(),
  blsCredentials: blsCredentials.optional(),
  blockchainInfo: blockchainInfo.optional(),
  chainFormat: openEnum(['linear', 'non-linear']).optional(),
  timestamp: timestamp.optional(),
  blockHeight: z.number().int().optional(),
  amountUnlocked: assets.optional(),
  amountCreated: assets.optional(),
  assetCreated: assetAmount
    .omit({ amount: true })
    .extend({ createdAtTimestamp: timestamp.optional(), cap: openEnum(['fixed', 'variable']).optional() })
    .optional(),
  vertices: z.array(record({ hash: z.string(), height: z.number().int(), timestamp })).optional(),
  evmInputs: z
    .array(
      record({
        fromAddress: z.string(),
        asset: assetAmount,
        credentials: z.array(utxoCredential).optional(),
      }),
    )
    .optional(),
  evmOutputs: z.array(record({ toAddress: z.string(), asset: assetAmount })).optional(),
  autoRenewalTerms: record({
    autoCompoundPercentage: z.string(),
    periodSeconds: wideInteger.describe('0: it leaves at the end of the period that runs'),
    authorityAddresses: z.array(z.string()).optional(),
  })
    .optional()
    .describe("Ridgeline's own: what the transaction sets for a validator that renews itself"),
  validationCycle: validationCycle
    .optional()
    .describe("Ridgeline's own: the period that the transaction ended"),
})
export type PrimaryTransaction = z.infer<typeof primaryTransaction>

/**
 * `/v1/networks/{network}/blockchains/{blockchainId}/transactions` (docs/api.md, Primary network). The rule
 * that `l1ValidationId` is only for the P-chain involves path and query, so the service checks it.
 */
export const listPrimaryTransactions = operation({
  id: 'listPrimaryTransactions',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions',
  summary: 'List the transactions of a primary network chain, latest first',
  description:
    'Filters by type and time need `addresses` or, on the P-chain, `l1ValidationId`. A page may hold ' +
    'fewer items than `pageSize` when its transactions have very many UTXOs.',
  tag: 'Primary network transactions',
  params: z.object(primaryChainParams),
  query: z
    .object({
      addresses: commaList(walletOrEvmAddress, maxListed)
        .describe(
          `Wallet addresses, or 0x addresses for C-chain atomic transactions, comma separated, at most ${maxListed}`,
        )
        .optional(),
      l1ValidationId: cb58Id.describe('Only transactions of this L1 validation; P-chain only').optional(),
      txTypes: txTypes.optional(),
      startTimestamp: startTimestamp.optional(),
      endTimestamp: endTimestamp.optional(),
      ...paging(pageBounds.activity),
      sortOrder: latestFirst,
    })
    .superRefine((query, context) => {
      if (query.addresses !== undefined || query.l1ValidationId !== undefined) return
      for (const filter of ['txTypes', 'startTimestamp', 'endTimestamp'] as const) {
        if (query[filter] === undefined) continue
        context.addIssue({
          code: 'custom',
          path: [filter],
          message: `${filter} is supported only with addresses or l1ValidationId`,
        })
      }
    }),
  response: record({ nextPageToken, transactions: z.array(primaryTransaction), chainInfo }),
})

/** `/v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}` (as in the hosted API). */
export const getPrimaryTransaction = operation({
  id: 'getPrimaryTransaction',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}',
  summary: 'Get one transaction of a primary network chain',
  tag: 'Primary network transactions',
  params: z.object({ ...primaryChainParams, txHash: cb58Id }),
  response: primaryTransaction.extend({
    txBytes: z.string().optional().describe("Ridgeline's own: the signed transaction, 0x and hex"),
  }),
})
