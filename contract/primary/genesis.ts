import { z } from 'zod'
import { record, timestamp, wideInteger } from '../base/fields.ts'

const precompile = record({
  blockTimestamp: timestamp.optional(),
  adminAddresses: z.array(z.string()).optional(),
  managerAddresses: z.array(z.string()).optional(),
  enabledAddresses: z.array(z.string()).optional(),
}).optional()

const forkBlock = wideInteger.optional()

/** The fees of a Subnet-EVM chain; gas and wei may exceed 2^53. */
export const feeConfig = record({
  baseFeeChangeDenominator: wideInteger.optional(),
  blockGasCostStep: wideInteger.optional(),
  gasLimit: wideInteger.optional(),
  maxBlockGasCost: wideInteger.optional(),
  minBaseFee: wideInteger.optional(),
  minBlockGasCost: wideInteger.optional(),
  targetBlockRate: wideInteger.optional(),
  targetGas: wideInteger.optional(),
})

/** `config` of GenesisData (docs/api.md). */
export const genesisConfig = record({
  berlinBlock: forkBlock,
  byzantiumBlock: forkBlock,
  constantinopleBlock: forkBlock,
  eip150Block: forkBlock,
  eip155Block: forkBlock,
  eip158Block: forkBlock,
  homesteadBlock: forkBlock,
  istanbulBlock: forkBlock,
  londonBlock: forkBlock,
  muirGlacierBlock: forkBlock,
  petersburgBlock: forkBlock,
  chainId: wideInteger.optional(),
  eip150Hash: z.string().optional(),
  subnetEVMTimestamp: timestamp.optional(),
  allowFeeRecipients: z.boolean().optional(),
  feeConfig: feeConfig.optional(),
  warpConfig: record({
    blockTimestamp: timestamp.optional(),
    quorumNumerator: z.number().int().optional(),
    requirePrimaryNetworkSigners: z.boolean().optional(),
  }).optional(),
  txAllowListConfig: precompile,
  contractDeployerAllowListConfig: precompile,
  contractNativeMinterConfig: precompile,
  feeManagerConfig: precompile,
  rewardManagerConfig: precompile,
})

const genesisAccount = record({
  balance: z.string().optional(),
  code: z.string().optional(),
  storage: z.record(z.string(), z.string()).optional(),
})

/** GenesisData (docs/api.md): the genesis of an EVM chain. Numbers outside `config` are hex text. */
export const evmGenesis = record({
  airdropAmount: z.string().nullish(),
  airdropHash: z.string().optional(),
  alloc: z.record(z.string(), genesisAccount).optional(),
  baseFeePerGas: z.string().nullish(),
  blobGasUsed: z.string().nullish(),
  coinbase: z.string().optional(),
  config: genesisConfig.optional(),
  difficulty: z.string().optional(),
  excessBlobGas: z.string().nullish(),
  extraData: z.string().optional(),
  gasLimit: z.string().optional(),
  gasUsed: z.string().optional(),
  mixHash: z.string().optional(),
  nonce: z.string().optional(),
  number: z.string().optional(),
  parentHash: z.string().optional(),
  timestamp: z.string().optional(),
})
export type EvmGenesis = z.infer<typeof evmGenesis>

/**
 * A chain's genesis data: usually `evmGenesis`. The creator of a chain chooses its genesis, so any other
 * object is accepted unchanged, and a chain that is not an EVM has encoded text.
 */
export const genesisData = z.union([evmGenesis, z.record(z.string(), z.unknown()), z.string()])
