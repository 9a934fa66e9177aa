import * as z from 'zod/mini'

/*
 * The parts of a node's answers that the console uses. Numbers may be numbers or text (as in the hosted API), and
 * fields
 * that some releases lack are optional.
 */

const text = z.coerce.string()
const count = z.coerce.number()
const texts = z.array(z.string())
/** A list that Go sends as null when it is empty. */
const textsOrNull = z.pipe(
  z.nullish(texts),
  z.transform((all) => all ?? []),
)
const textMap = z.record(z.string(), z.string())

export const emptyResult = z.unknown()

export const nodeVersion = z.object({
  version: z.string(),
  databaseVersion: z.optional(z.string()),
  rpcProtocolVersion: z.optional(text),
  gitCommit: z.optional(z.string()),
  vmVersions: z.optional(textMap),
})

export const nodeIdentity = z.object({
  nodeID: z.string(),
  nodePOP: z.optional(z.object({ publicKey: z.string(), proofOfPossession: z.string() })),
})

export const networkIdentity = z.object({ networkName: z.string() })

export const nodeUptime = z.object({
  rewardingStakePercentage: text,
  weightedAveragePercentage: text,
})

const healthCheck = z.object({
  message: z.optional(z.unknown()),
  error: z.optional(z.string()),
  timestamp: z.optional(z.string()),
  /** Nanoseconds. */
  duration: z.optional(count),
  contiguousFailures: z.optional(count),
  timeOfFirstFailure: z.optional(z.string()),
})
export const nodeHealth = z.object({ healthy: z.boolean(), checks: z.record(z.string(), healthCheck) })
export type HealthCheck = z.infer<typeof healthCheck>

export const bootstrapped = z.object({ isBootstrapped: z.boolean() })

const peer = z.object({
  ip: z.string(),
  publicIP: z.optional(z.string()),
  nodeID: z.string(),
  version: z.string(),
  lastSent: z.optional(z.string()),
  lastReceived: z.optional(z.string()),
  observedUptime: z.optional(text),
  trackedSubnets: textsOrNull,
  benched: textsOrNull,
})
export const nodePeers = z.object({ numPeers: count, peers: z.nullish(z.array(peer)) })
export type Peer = z.infer<typeof peer>

export const nodeVms = z.object({
  vms: z.record(z.string(), textsOrNull),
  fxs: z.optional(z.record(z.string(), z.string())),
})

const blockchain = z.object({ id: z.string(), name: z.string(), subnetID: z.string(), vmID: z.string() })
export const nodeBlockchains = z.object({ blockchains: z.array(blockchain) })
export type NodeBlockchain = z.infer<typeof blockchain>

const levels = z.object({ logLevel: z.string(), displayLevel: z.string() })
export const loggerLevels = z.object({ loggerLevels: z.record(z.string(), levels) })
export type LoggerLevels = z.infer<typeof levels>

export const chainAliases = z.object({ aliases: textsOrNull })
export const loadedVms = z.object({
  newVMs: z.pipe(
    z.nullish(z.record(z.string(), textsOrNull)),
    z.transform((all) => all ?? {}),
  ),
  failedVMs: z.pipe(
    z.nullish(textMap),
    z.transform((all) => all ?? {}),
  ),
})

export const hexQuantity = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))
export const chainConfig = z.record(z.string(), z.unknown())
export const feeConfig = z.object({
  feeConfig: z.record(z.string(), z.unknown()),
  lastChangedAt: z.optional(count),
})
export const activeRules = z.object({
  ethRules: z.record(z.string(), z.unknown()),
  avalancheRules: z.record(z.string(), z.unknown()),
  precompiles: z.record(z.string(), z.object({ timestamp: count })),
})
export type ActiveRules = z.infer<typeof activeRules>
export const activePrecompiles = z.record(z.string(), z.unknown())
export const vmConfig = z.object({ config: z.optional(z.unknown()) })

const nodeValidator = z.object({
  validationID: z.string(),
  nodeID: z.string(),
  /** An integer; a bigint above 2^53. */
  weight: z.pipe(
    z.union([z.number(), z.bigint(), z.string()]),
    z.transform((value) => BigInt(value)),
  ),
  startTimestamp: count,
  isActive: z.boolean(),
  isL1Validator: z.boolean(),
  isConnected: z.boolean(),
  uptimeSeconds: count,
  uptimePercentage: count,
})
export const currentValidators = z.object({ validators: z.nullish(z.array(nodeValidator)) })
export type NodeValidator = z.infer<typeof nodeValidator>

export const l1Balance = z.object({ balance: text, weight: z.optional(text) })

const utxoIndex = z.object({ address: z.string(), utxo: z.string() })
export const utxoPage = z.object({
  numFetched: count,
  utxos: textsOrNull,
  endIndex: utxoIndex,
  encoding: z.optional(z.string()),
})
export type UtxoIndex = z.infer<typeof utxoIndex>

export const issuedTx = z.object({ txID: z.string() })
export const atomicStatus = z.object({ status: z.string(), blockHeight: z.optional(text) })
export const atomicTx = z.object({
  tx: z.string(),
  encoding: z.optional(z.string()),
  blockHeight: z.optional(text),
})

export const stakingAsset = z.object({ assetID: z.string() })
