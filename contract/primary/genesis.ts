import * as z from 'zod/mini'
import { record, timestamp, wideInteger } from '../base/fields.ts'

const precompile = z.optional(
  record({
    blockTimestamp: z.optional(timestamp),
    adminAddresses: z.optional(z.array(z.string())),
    managerAddresses: z.optional(z.array(z.string())),
    enabledAddresses: z.optional(z.array(z.string())),
  }),
)

const forkBlock = z.optional(wideInteger)

/** The fees of a Subnet-EVM chain; gas and wei may exceed 2^53. */
const feeConfig = record({
  baseFeeChangeDenominator: z.optional(wideInteger),
  blockGasCostStep: z.optional(wideInteger),
  gasLimit: z.optional(wideInteger),
  maxBlockGasCost: z.optional(wideInteger),
  minBaseFee: z.optional(wideInteger),
  minBlockGasCost: z.optional(wideInteger),
  targetBlockRate: z.optional(wideInteger),
  targetGas: z.optional(wideInteger),
})

/** `config` of GenesisData (docs/api.md). */
const genesisConfig = record({
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
  chainId: z.optional(wideInteger),
  eip150Hash: z.optional(z.string()),
  subnetEVMTimestamp: z.optional(timestamp),
  allowFeeRecipients: z.optional(z.boolean()),
  feeConfig: z.optional(feeConfig),
  warpConfig: z.optional(
    record({
      blockTimestamp: z.optional(timestamp),
      quorumNumerator: z.optional(z.int()),
      requirePrimaryNetworkSigners: z.optional(z.boolean()),
    }),
  ),
  txAllowListConfig: precompile,
  contractDeployerAllowListConfig: precompile,
  contractNativeMinterConfig: precompile,
  feeManagerConfig: precompile,
  rewardManagerConfig: precompile,
})

const genesisAccount = record({
  balance: z.optional(z.string()),
  code: z.optional(z.string()),
  storage: z.optional(z.record(z.string(), z.string())),
})

/** GenesisData (docs/api.md): the genesis of an EVM chain. Numbers outside `config` are hex text. */
const evmGenesis = record({
  airdropAmount: z.nullish(z.string()),
  airdropHash: z.optional(z.string()),
  alloc: z.optional(z.record(z.string(), genesisAccount)),
  baseFeePerGas: z.nullish(z.string()),
  blobGasUsed: z.nullish(z.string()),
  coinbase: z.optional(z.string()),
  config: z.optional(genesisConfig),
  difficulty: z.optional(z.string()),
  excessBlobGas: z.nullish(z.string()),
  extraData: z.optional(z.string()),
  gasLimit: z.optional(z.string()),
  gasUsed: z.optional(z.string()),
  mixHash: z.optional(z.string()),
  nonce: z.optional(z.string()),
  number: z.optional(z.string()),
  parentHash: z.optional(z.string()),
  timestamp: z.optional(z.string()),
})

/**
 * A chain's genesis data: usually `evmGenesis`. The creator of a chain chooses its genesis, so any other
 * object is accepted unchanged, and a chain that is not an EVM has encoded text.
 */
export const genesisData = z.union([evmGenesis, z.record(z.string(), z.unknown()), z.string()])
