import * as z from 'zod/mini'
import {
  amount,
  commaList,
  networkName,
  networkNames,
  openEnum,
  record,
  timestamp,
  wideInteger,
} from '../base/fields.ts'
import { maxListed } from '../base/query.ts'
import { primaryChainAliases, primaryChainIds } from './chains.ts'

/** `blockchainId` of a primary network chain: one of five ids or three aliases (docs/api.md, Answers). */
const primaryChainId = z
  .enum([
    primaryChainIds.p,
    primaryChainIds.x.mainnet,
    primaryChainIds.x.fuji,
    primaryChainIds.c.mainnet,
    primaryChainIds.c.fuji,
    ...primaryChainAliases,
  ])
  .with(z.describe('The ID or the alias of a primary network chain'))

/** `blockchainId` for operations that only exist on the X-Chain: vertices (docs/api.md, Answers). */
export const xChainId = z
  .enum([primaryChainIds.x.mainnet, primaryChainIds.x.fuji, 'x-chain'])
  .with(z.describe('The ID or the alias of the X-Chain'))

const base58 = '[1-9A-HJ-NP-Za-km-z]'

/** 32 bytes with their checksum in cb58: the id of a transaction, block, vertex, subnet, blockchain or asset. */
export const cb58Id = z
  .string()
  .check(z.regex(new RegExp(`^${base58}{33,52}$`), 'must be an ID in cb58, 33 to 52 characters long'))

/** `NodeID-` and 20 bytes with their checksum in cb58. */
export const nodeId = z
  .string()
  .check(z.regex(new RegExp(`^NodeID-${base58}{24,34}$`), 'must be a node ID: NodeID- and cb58'))

/** A block number or a block hash of a primary network chain; hashes of the C-Chain are 0x text. */
export const primaryBlockId = z
  .string()
  .check(
    z.regex(
      new RegExp(`^(\\d{1,16}|0x[0-9a-fA-F]{64}|${base58}{33,52})$`),
      'must be a block number or a block hash',
    ),
    z.describe('A block number or a block hash'),
  )

// Bech32 is in lower case or in capitals, never in both; its checksum is checked when it is read.
const bech32 = '([PXCpxc]-)?([a-z]{1,16}1[02-9ac-hj-np-z]{38}|[A-Z]{1,16}1[02-9AC-HJ-NP-Z]{38})'

/** A wallet address: the network's prefix in bech32, with or without `P-`, `X-` or `C-` (docs/api.md, Answers). */
export const walletAddress = z
  .string()
  .check(z.regex(new RegExp(`^${bech32}$`), 'must be an address such as fuji1… with or without P-, X- or C-'))

/** A wallet address, or a 0x address of the C-Chain (Primary network operations, rule 1). */
export const walletOrEvmAddress = z
  .string()
  .check(
    z.regex(
      new RegExp(`^(${bech32}|0x[0-9a-fA-F]{40})$`),
      'must be an address such as fuji1… with or without P-, X- or C-, or 0x and 40 hex digits',
    ),
  )

export const walletAddresses = commaList(walletAddress, maxListed).with(
  z.describe(`Wallet addresses, comma separated, at most ${maxListed}`),
)
export const nodeIds = commaList(nodeId, maxListed).with(
  z.describe(`Node IDs, comma separated, at most ${maxListed}`),
)

/** The path parameters of every operation on one primary network chain. */
export const primaryChainParams = { network: networkName, blockchainId: primaryChainId }

/** ChainInfo (docs/api.md, Answers): the chain of a list. */
export const chainInfo = record({
  chainName: openEnum(primaryChainAliases),
  network: openEnum(networkNames),
})

const assetTypes = ['secp256k1', 'nft'] as const

/** AssetAmount (docs/api.md, Answers). `denomination` is the number of decimals. */
export const assetAmount = record({
  assetId: z.string(),
  name: z.string(),
  symbol: z.string(),
  denomination: z.int(),
  type: openEnum(assetTypes),
  amount,
})
export type AssetAmount = z.infer<typeof assetAmount>

/** BlsCredentials (docs/api.md, Answers), in hex. */
export const blsCredentials = record({ publicKey: z.string(), proofOfPossession: z.string() })

/** Those of an L1 validator, whose fields the interface leaves open. */
export const l1BlsCredentials = record({})

/** Who may act on a subnet: `threshold` of the addresses, after `locktime`. */
export const subnetOwnershipInfo = record({
  locktime: wideInteger,
  threshold: z.int(),
  addresses: z.array(z.string()),
})

/** The contract that manages the validators of an L1. */
export const l1ValidatorManagerDetails = record({ blockchainId: z.string(), contractAddress: z.string() })

export const rewardTypes = ['VALIDATOR', 'DELEGATOR', 'VALIDATOR_FEE'] as const
/** The kinds of rewards in a query. */
export const rewardTypeList = commaList(z.enum(rewardTypes), rewardTypes.length).with(
  z.describe(`Ridgeline's own: only rewards of these kinds, of ${rewardTypes.join(', ')}, comma separated`),
)
const utxoTypes = ['STAKE', 'TRANSFER'] as const

/** An index, which hosted X-Chain and C-Chain records send as text. */
const textOrInteger = z
  .union([z.int(), z.pipe(z.string().check(z.regex(/^\d+$/)), z.transform(Number))])
  .with(z.meta({ wire: { type: 'integer' } }))

/** The signer of an input, in hosted X-Chain and C-Chain records. */
export const utxoCredential = record({ signature: z.optional(z.string()), publicKey: z.optional(z.string()) })

/**
 * Utxo (docs/api.md). A locktime is a 64-bit Unix time. The fields from `consumingTxTimestamp` on are those
 * of hosted X-Chain and C-Chain records, which use other names for times and hashes.
 */
export const utxo = record({
  addresses: z.array(z.string()),
  asset: assetAmount,
  consumedOnChainId: z.string(),
  consumingTxHash: z.optional(z.string()),
  createdOnChainId: z.string(),
  utxoId: z.string(),
  utxoBytes: z.optional(z.string()),
  amount: z.optional(amount),
  assetId: z.optional(z.string()),
  blockNumber: z.optional(z.string()),
  blockTimestamp: z.optional(timestamp),
  consumingBlockNumber: z.optional(z.string()),
  consumingBlockTimestamp: z.optional(timestamp),
  platformLocktime: z.optional(wideInteger),
  outputIndex: textOrInteger,
  rewardType: z.optional(openEnum(rewardTypes)),
  stakeableLocktime: z.optional(wideInteger),
  staked: z.optional(z.boolean()),
  threshold: z.optional(z.int()),
  txHash: z.optional(z.string()),
  utxoEndTimestamp: z.optional(timestamp),
  utxoStartTimestamp: z.optional(timestamp),
  utxoType: openEnum(utxoTypes),
  consumingTxTimestamp: z.optional(timestamp),
  creationTxHash: z.optional(z.string()),
  credentials: z.optional(z.array(utxoCredential)),
  groupId: z.optional(z.int()),
  locktime: z.optional(wideInteger),
  payload: z.optional(z.string()),
  timestamp: z.optional(timestamp),
})
export type Utxo = z.infer<typeof utxo>

/** Only in Ridgeline: whether an answer is of the index; absent if it is. */
export const isIndexed = z
  .optional(z.literal(false))
  .with(
    z.describe(
      'False if the index is behind the chain, so that the node’s own data are the answer: as of now, without their history. Absent otherwise',
    ),
  )

/** A finished period of an auto-renewed validator. Amounts in nAVAX. */
export const validationCycle = record({
  txHash: z.string().with(z.describe('The transaction that added the validator')),
  startTimestamp: timestamp,
  endTimestamp: timestamp,
  amountStaked: amount,
  outcome: openEnum(['renewed', 'rewarded', 'unrewarded']).with(
    z.describe('`renewed` if it continues, otherwise it has left'),
  ),
  rewardTxHash: z.string(),
  potentialRewardAmount: amount,
  validationRewardAmount: amount.with(z.describe('The amount paid')),
  delegationRewardAmount: amount.with(z.describe('The amount paid')),
  restakedValidationRewardAmount: amount,
  restakedDelegationRewardAmount: amount,
})
export type ValidationCycle = z.infer<typeof validationCycle>
