import { z } from 'zod'

/*
 * What nodes answer, as far as the console reads it. Numbers come as numbers or as text (as the hosted API), and
 * fields that a release lacks may be absent: what is not needed is left loose.
 */

const text = z.coerce.string()
const count = z.coerce.number()
const texts = z.array(z.string())
/** A list that Go sends as null when it is empty. */
const textsOrNull = texts.nullish().transform((all) => all ?? [])
const textMap = z.record(z.string(), z.string())

export const emptyResult = z.unknown()

export const nodeVersion = z.object({
  version: z.string(),
  databaseVersion: z.string().optional(),
  rpcProtocolVersion: text.optional(),
  gitCommit: z.string().optional(),
  vmVersions: textMap.optional(),
})

export const nodeIdentity = z.object({
  nodeID: z.string(),
  nodePOP: z.object({ publicKey: z.string(), proofOfPossession: z.string() }).optional(),
})

export const networkIdentity = z.object({ networkName: z.string() })

export const nodeUptime = z.object({
  rewardingStakePercentage: text,
  weightedAveragePercentage: text,
})

const healthCheck = z.object({
  message: z.unknown().optional(),
  error: z.string().optional(),
  timestamp: z.string().optional(),
  /** Nanoseconds. */
  duration: count.optional(),
  contiguousFailures: count.optional(),
  timeOfFirstFailure: z.string().optional(),
})
export const nodeHealth = z.object({ healthy: z.boolean(), checks: z.record(z.string(), healthCheck) })
export type HealthCheck = z.infer<typeof healthCheck>

export const bootstrapped = z.object({ isBootstrapped: z.boolean() })

const peer = z.object({
  ip: z.string(),
  publicIP: z.string().optional(),
  nodeID: z.string(),
  version: z.string(),
  lastSent: z.string().optional(),
  lastReceived: z.string().optional(),
  observedUptime: text.optional(),
  trackedSubnets: textsOrNull,
  benched: textsOrNull,
})
export const nodePeers = z.object({ numPeers: count, peers: z.array(peer).nullish() })
export type Peer = z.infer<typeof peer>

export const nodeVms = z.object({
  vms: z.record(z.string(), textsOrNull),
  fxs: z.record(z.string(), z.string()).optional(),
})

const blockchain = z.object({ id: z.string(), name: z.string(), subnetID: z.string(), vmID: z.string() })
export const nodeBlockchains = z.object({ blockchains: z.array(blockchain) })
export type NodeBlockchain = z.infer<typeof blockchain>

const levels = z.object({ logLevel: z.string(), displayLevel: z.string() })
export const loggerLevels = z.object({ loggerLevels: z.record(z.string(), levels) })
export type LoggerLevels = z.infer<typeof levels>

export const chainAliases = z.object({ aliases: textsOrNull })
export const loadedVms = z.object({
  newVMs: z
    .record(z.string(), textsOrNull)
    .nullish()
    .transform((all) => all ?? {}),
  failedVMs: textMap.nullish().transform((all) => all ?? {}),
})

export const hexQuantity = z.string().regex(/^0x[0-9a-fA-F]{1,64}$/)
export const chainConfig = z.record(z.string(), z.unknown())
export const feeConfig = z.object({
  feeConfig: z.record(z.string(), z.unknown()),
  lastChangedAt: count.optional(),
})
export const activeRules = z.object({
  ethRules: z.record(z.string(), z.unknown()),
  avalancheRules: z.record(z.string(), z.unknown()),
  precompiles: z.record(z.string(), z.object({ timestamp: count })),
})
export type ActiveRules = z.infer<typeof activeRules>
export const activePrecompiles = z.record(z.string(), z.unknown())
export const vmConfig = z.object({ config: z.unknown().optional() })

const nodeValidator = z.object({
  validationID: z.string(),
  nodeID: z.string(),
  /** A whole number, bigint past 2^53. */
  weight: z.union([z.number(), z.bigint(), z.string()]).transform((value) => BigInt(value)),
  startTimestamp: count,
  isActive: z.boolean(),
  isL1Validator: z.boolean(),
  isConnected: z.boolean(),
  uptimeSeconds: count,
  uptimePercentage: count,
})
export const currentValidators = z.object({ validators: z.array(nodeValidator).nullish() })
export type NodeValidator = z.infer<typeof nodeValidator>

export const l1Balance = z.object({ balance: text, weight: text.optional() })

const utxoIndex = z.object({ address: z.string(), utxo: z.string() })
export const utxoPage = z.object({
  numFetched: count,
  utxos: textsOrNull,
  endIndex: utxoIndex,
  encoding: z.string().optional(),
})
export type UtxoIndex = z.infer<typeof utxoIndex>

export const issuedTx = z.object({ txID: z.string() })
export const atomicStatus = z.object({ status: z.string(), blockHeight: text.optional() })
export const atomicTx = z.object({
  tx: z.string(),
  encoding: z.string().optional(),
  blockHeight: text.optional(),
})

export const stakingAsset = z.object({ assetID: z.string() })
