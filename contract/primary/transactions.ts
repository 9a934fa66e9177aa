import * as z from 'zod/mini'
import { oddHistory } from './odd-history.ts'
import {
  alwaysSent,
  commaList,
  nextPageToken,
  openEnum,
  paging,
  record,
  timestamp,
  timeWindow,
  wideInteger,
} from '../base/fields.ts'
import { operationsOf } from '../base/operation.ts'
import { genesisData } from './genesis.ts'
import {
  assetAmount,
  blsCredentials,
  cb58Id,
  chainInfo,
  isIndexed,
  l1BlsCredentials,
  l1ValidatorManagerDetails,
  primaryChainParams,
  subnetOwnershipInfo,
  utxo,
  utxoCredential,
  validationCycle,
  walletOrEvmAddress,
} from './fields.ts'
import { latestFirst, maxListed, pageBounds } from '../base/query.ts'

const operation = operationsOf('Primary network transactions')

/** The transaction types of the P-Chain (as in the hosted API), and those added by Helicon. */
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

/** The transaction types of the X-Chain (as in the hosted API). */
export const xTxTypes = ['BaseTx', 'CreateAssetTx', 'OperationTx', 'ImportTx', 'ExportTx', 'UNKNOWN'] as const

/** The atomic transaction types of the C-Chain (as in the hosted API). */
export const cTxTypes = ['ExportTx', 'ImportTx'] as const

/** PrimaryNetworkTxType: every type of the three chains, once. */
const primaryTxTypes = [...new Set([...pTxTypes, ...xTxTypes, ...cTxTypes])]
export type PrimaryTxType = (typeof primaryTxTypes)[number]

const txType = z.enum(primaryTxTypes)

/**
 * `txTypes` of a query: repeated, as in the OpenAPI document, or once with commas. Every value must be known,
 * because a mistyped filter that matches nothing would mislead.
 */
const txTypes = z
  .pipe(
    z.union(
      [
        z.pipe(
          z.string(),
          z.transform((text) => text.split(',')),
        ),
        z.array(z.string()),
      ],
      {
        error: 'must be one or more transaction types',
      },
    ),
    z.array(txType).check(z.minLength(1), z.maxLength(primaryTxTypes.length)),
  )
  .with(
    z.meta({ wire: { type: 'array', minItems: 1, items: { type: 'string', enum: primaryTxTypes } } }),
    z.describe('Only transactions of these types'),
  )

/** An L1 validator as a transaction registers or changes it; balances in nAVAX. */
export const l1ValidatorChange = record({
  validationId: z.string(),
  validationIdHex: z.optional(z.string()),
  nodeId: z.string(),
  subnetId: z.string(),
  weight: wideInteger,
  remainingBalance: wideInteger,
  balanceChange: z.optional(wideInteger).with(z.describe('Negative when the balance is returned')),
  blsCredentials: z.optional(l1BlsCredentials),
})

/** The chain that a CreateChainTx made. */
const blockchainInfo = record({
  chainName: z.string(),
  vmId: z.string(),
  genesisData: z.optional(genesisData),
})

const assets = z.array(assetAmount)

/**
 * Primary network transaction (docs/api.md). The fields from `chainFormat` on are those of hosted X-Chain and
 * C-Chain records (as in the hosted API), which lack the P-Chain's block fields.
 */
export const primaryTransaction = record({
  txHash: z.string(),
  txType: openEnum(primaryTxTypes),
  blockTimestamp: z.optional(timestamp),
  blockNumber: z.optional(z.string()),
  blockHash: z.optional(z.string()),
  consumedUtxos: alwaysSent(z.array(utxo)),
  emittedUtxos: alwaysSent(z.array(utxo)),
  sourceChain: z.optional(z.string()),
  destinationChain: z.optional(z.string()),
  value: alwaysSent(assets),
  amountBurned: alwaysSent(assets),
  amountStaked: alwaysSent(assets),
  amountL1ValidatorBalanceBurned: alwaysSent(assets),
  startTimestamp: z.optional(timestamp),
  endTimestamp: z.optional(timestamp),
  delegationFeePercent: z.optional(z.string()),
  nodeId: z.optional(z.string()),
  subnetId: z.optional(z.string()),
  l1ValidatorManagerDetails: z.optional(l1ValidatorManagerDetails),
  l1ValidatorDetails: alwaysSent(z.array(l1ValidatorChange)),
  estimatedReward: z.optional(z.string()),
  rewardTxHash: z.optional(z.string()),
  memo: z.optional(z.string()),
  stakingTxHash: z.optional(z.string()),
  rewardAddresses: alwaysSent(z.array(z.string())),
  subnetOwnershipInfo: z.optional(subnetOwnershipInfo),
  blsCredentials: z.optional(blsCredentials),
  blockchainInfo: z.optional(blockchainInfo),
  chainFormat: z.optional(openEnum(['linear', 'non-linear'])),
  timestamp: z.optional(timestamp),
  blockHeight: z.optional(z.int()),
  amountUnlocked: z.optional(assets),
  amountCreated: z.optional(assets),
  assetCreated: z.optional(
    z.extend(z.omit(assetAmount, { amount: true }), {
      createdAtTimestamp: z.optional(timestamp),
      cap: z.optional(openEnum(['fixed', 'variable'])),
    }),
  ),
  vertices: z.optional(z.array(record({ hash: z.string(), height: z.int(), timestamp }))),
  evmInputs: z.optional(
    z.array(
      record({
        fromAddress: z.string(),
        asset: assetAmount,
        credentials: z.optional(z.array(utxoCredential)),
      }),
    ),
  ),
  evmOutputs: z.optional(z.array(record({ toAddress: z.string(), asset: assetAmount }))),
  autoRenewalTerms: z
    .optional(
      record({
        autoCompoundPercentage: z.string(),
        periodSeconds: wideInteger.with(z.describe('0 if it leaves at the end of the current period')),
        authorityAddresses: z.optional(z.array(z.string())),
      }),
    )
    .with(z.describe("Ridgeline's own: the settings of an auto-renewed validator")),
  validationCycle: z
    .optional(validationCycle)
    .with(z.describe("Ridgeline's own: the period that the transaction ended")),
  oddHistory,
})
export type PrimaryTransaction = z.infer<typeof primaryTransaction>

/**
 * `/v1/networks/{network}/blockchains/{blockchainId}/transactions` (docs/api.md, Primary network). The rule
 * that `l1ValidationId` is only for the P-Chain involves path and query, so the service checks it.
 */
export const listPrimaryTransactions = operation({
  id: 'listPrimaryTransactions',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions',
  summary: 'List the transactions of a primary network chain, latest first',
  description:
    'Filters by type and time need `addresses` or, on the P-Chain, `l1ValidationId`. A page may hold ' +
    'fewer items than `pageSize` when its transactions have very many UTXOs.',
  params: z.object(primaryChainParams),
  query: z
    .object({
      addresses: z.optional(
        commaList(walletOrEvmAddress, maxListed).with(
          z.describe(
            `Wallet addresses, or 0x addresses for C-Chain atomic transactions, comma separated, at most ${maxListed}`,
          ),
        ),
      ),
      l1ValidationId: z.optional(
        cb58Id.with(z.describe('Only transactions of this L1 validation; P-Chain only')),
      ),
      txTypes: z.optional(txTypes),
      ...timeWindow,
      ...paging(pageBounds.activity),
      sortOrder: latestFirst,
    })
    .check(
      z.superRefine((query, context) => {
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
    ),
  response: record({ nextPageToken, transactions: z.array(primaryTransaction), chainInfo }),
})

/**
 * Only in Ridgeline: the same list by type and time over the whole chain, which the interface does not offer without an
 * address.
 */
export const listPrimaryTransactionsByType = operation({
  id: 'listPrimaryTransactionsByType',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions:listByType',
  summary: 'List the transactions of a primary network chain by type, time and subnet, latest first',
  description:
    'A page may be short or empty when few of the transactions that were read fit: continue with its page token.',
  params: z.object(primaryChainParams),
  query: z.object({
    txTypes: z.optional(txTypes),
    ...timeWindow,
    subnetId: z.optional(
      cb58Id.with(
        z.describe(
          'Only transactions that created or changed this subnet, its chains or its validators; P-Chain only, not for the Primary Network',
        ),
      ),
    ),
    ...paging(pageBounds.activity),
    sortOrder: latestFirst,
  }),
  response: record({ nextPageToken, transactions: z.array(primaryTransaction), chainInfo }),
})

export const getPrimaryTransaction = operation({
  id: 'getPrimaryTransaction',
  api: 'data',
  path: '/v1/networks/{network}/blockchains/{blockchainId}/transactions/{txHash}',
  summary: 'Get one transaction of a primary network chain',
  params: z.object({ ...primaryChainParams, txHash: cb58Id }),
  response: z.extend(primaryTransaction, {
    isIndexed,
    txBytes: z.optional(z.string()).with(z.describe("Ridgeline's own: the signed transaction, 0x and hex")),
  }),
})
