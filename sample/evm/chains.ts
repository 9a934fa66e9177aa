import type { Hex } from 'viem'
import { hexOfCb58 } from '../../protocol/ids/bare-hex.ts'

/** The effect of an incident on the blocks of its hours. */
export type Effect = {
  /** Blocks without transactions. */
  readonly quiet?: boolean
  /** No blocks until the last hour, then all the missing ones, five minutes apart. */
  readonly halted?: boolean
  readonly feeTimes?: number
  readonly activityTimes?: number
  /** The share of calls that fail, 0 to 1. */
  readonly failing?: number
  /** The number of addresses, most of them new, that each block pays in one transaction. */
  readonly airdrop?: number
}

/** An incident of the history: it starts at a fraction of its length and lasts so many hours of 90 days. */
export type Incident = Effect & {
  readonly name: string
  readonly at: number
  readonly hours: number
  /** Whether an incident of whole days waits for a day from Monday to Friday. */
  readonly onWorkday?: boolean
}

export type ContractName = 'Token' | 'Collectible' | 'Items' | 'Factory' | 'Trouble' | 'Splitter'

/** A contract that the first account deploys at a fraction of the history. */
type Deployment = {
  readonly contract: ContractName
  readonly args: readonly unknown[]
  readonly at: number
}

/** Transaction kinds by relative frequency. */
type Mix = Readonly<Partial<Record<ActionName, number>>>

export type ActionName =
  | 'pay'
  | 'payNobody'
  | 'payOneself'
  | 'sendToken'
  | 'allowToken'
  | 'sendAllowedToken'
  | 'burnToken'
  | 'payAll'
  | 'mintCollectible'
  | 'sendCollectible'
  | 'allowCollectibles'
  | 'mintItem'
  | 'mintItems'
  | 'sendItem'
  | 'sendItems'
  | 'createVault'
  | 'createVaultAtSalt'
  | 'createVaults'
  | 'rehearseVault'
  | 'deployVault'
  | 'split'
  | 'fail'
  | 'failInside'

export type ChainPlan = {
  readonly key: 'c' | 'meridian' | 'harbor'
  readonly name: string
  readonly evmChainId: number
  readonly blockchainId: string
  readonly subnetId: string
  readonly vmId: string
  /** Other names of the chain in a node's paths. */
  readonly aliases: readonly string[]
  readonly token: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly description: string
  /** Blocks of the history for every 2,160 hours. */
  readonly blocks: number
  /** The fraction of the history that the blocks cover: less than 1 for an L1 that started later. */
  readonly span: number
  readonly accounts: number
  /** Whether a manager contract on the chain decides the validators. */
  readonly isL1: boolean
  /** Additional accounts that send the transactions of cases.ts. One more account sends messages. */
  readonly makers: number
  readonly meanTransactions: number
  readonly baseFeeWei: number
  /** The relative activity of an hour of the week, about 1 on average. Hour in UTC, 0 is Sunday. */
  readonly rhythm: (hour: number, weekday: number) => number
  readonly deployments: readonly Deployment[]
  readonly mix: Mix
  readonly incidents: readonly Incident[]
}

// The ids of Meridian and Harbor are those of the transactions that created them (primary/founding.ts).
const subnetEvm = 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'
const weiPerGwei = 1_000_000_000

function bell(hour: number, peak: number, width: number): number {
  const distance = Math.min(Math.abs(hour - peak), 24 - Math.abs(hour - peak))
  return Math.exp(-((distance / width) ** 2))
}

const cChain: ChainPlan = {
  key: 'c',
  name: 'C-Chain',
  evmChainId: 43113,
  blockchainId: 'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
  subnetId: '11111111111111111111111111111111LpoYY',
  vmId: 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6',
  aliases: ['C'],
  token: { name: 'Avalanche', symbol: 'AVAX', decimals: 18 },
  description: 'The contract chain of the sample network: payments, tokens, collectibles and vaults.',
  blocks: 2160,
  span: 1,
  accounts: 240,
  isL1: false,
  makers: 6,
  meanTransactions: 4.4,
  baseFeeWei: 25 * weiPerGwei,
  rhythm: (hour, weekday) =>
    (0.55 + 0.9 * bell(hour, 15, 6)) * (weekday === 0 || weekday === 6 ? 0.68 : 1.13),
  deployments: [
    { contract: 'Token', args: ['Sample Dollar', 'SUSD', 6, 5_000_000_000n], at: 0 },
    { contract: 'Factory', args: [], at: 0 },
    { contract: 'Trouble', args: [], at: 0.01 },
    { contract: 'Token', args: ['Ridge', 'RDG', 18, 250n * 10n ** 18n], at: 0.04 },
    { contract: 'Collectible', args: ['Skyline Prints', 'SKY', 'ipfs://sample/skyline/'], at: 0.1 },
    { contract: 'Splitter', args: [], at: 0.16 },
    { contract: 'Items', args: ['Trail Gear', 'ipfs://sample/gear/'], at: 0.25 },
    { contract: 'Token', args: ['Cairn', 'CRN', 18, 1_000n * 10n ** 18n], at: 0.5 },
    { contract: 'Collectible', args: ['Marmots', 'MRMT', 'ipfs://sample/marmots/'], at: 0.76 },
  ],
  mix: {
    pay: 30,
    payNobody: 1,
    payOneself: 1,
    sendToken: 26,
    allowToken: 4,
    sendAllowedToken: 3,
    burnToken: 1,
    payAll: 0.6,
    mintCollectible: 4,
    sendCollectible: 4,
    allowCollectibles: 1,
    mintItem: 2,
    mintItems: 1,
    sendItem: 3,
    sendItems: 2,
    createVault: 1.4,
    createVaultAtSalt: 1,
    createVaults: 0.3,
    rehearseVault: 0.5,
    deployVault: 0.8,
    split: 2.5,
    fail: 3.5,
    failInside: 0.8,
  },
  incidents: [
    { name: 'Long halt', at: 0.37, hours: 12, halted: true, activityTimes: 0.4 },
    { name: 'Quiet day', at: 0.455, hours: 24, quiet: true },
    { name: 'Fee spike', at: 0.53, hours: 3, feeTimes: 40, activityTimes: 2.5 },
    { name: 'Airdrop', at: 0.64, hours: 5, airdrop: 150, activityTimes: 2 },
    { name: 'Broken release', at: 0.73, hours: 24, failing: 0.6 },
  ],
}

const meridian: ChainPlan = {
  key: 'meridian',
  name: 'Meridian',
  evmChainId: 431_301,
  blockchainId: 'dBYNqGbtpjFH8gKS9hHYLTBtoGk949u6F5udxZiprgornSPVk',
  subnetId: 'dHgMVVoFjZRrBBt1uRH2E38FAQXPkAsUF4MnujN8cYLcTLdcE',
  vmId: subnetEvm,
  aliases: ['meridian'],
  token: { name: 'Meridian', symbol: 'MRD', decimals: 18 },
  description: 'A game: short bursts in the evening and at the weekend.',
  blocks: 720,
  span: 0.4,
  accounts: 110,
  isL1: true,
  makers: 3,
  meanTransactions: 4.2,
  baseFeeWei: weiPerGwei,
  rhythm: (hour, weekday) => {
    const weekend = weekday === 0 || weekday === 6
    return (
      (0.12 + 3.2 * bell(hour, 20, 2.6) + (weekend ? 1.2 * bell(hour, 14, 3.5) : 0)) * (weekend ? 1.6 : 0.8)
    )
  },
  deployments: [
    { contract: 'Token', args: ['Meridian Gold', 'GOLD', 18, 100n * 10n ** 18n], at: 0 },
    { contract: 'Items', args: ['Meridian Armoury', 'ipfs://sample/armoury/'], at: 0 },
    { contract: 'Collectible', args: ['Meridian Heroes', 'HERO', 'ipfs://sample/heroes/'], at: 0.02 },
    { contract: 'Trouble', args: [], at: 0.05 },
    { contract: 'Factory', args: [], at: 0.2 },
  ],
  mix: {
    pay: 10,
    sendToken: 24,
    mintCollectible: 6,
    sendCollectible: 8,
    allowCollectibles: 2,
    mintItem: 12,
    mintItems: 8,
    sendItem: 12,
    sendItems: 6,
    createVault: 1,
    createVaultAtSalt: 2,
    createVaults: 0.5,
    fail: 5,
    failInside: 1,
  },
  incidents: [
    { name: 'Server maintenance', at: 0.32, hours: 36, quiet: true },
    { name: 'Tournament', at: 0.66, hours: 96, activityTimes: 2.2, feeTimes: 3 },
  ],
}

const harbor: ChainPlan = {
  key: 'harbor',
  name: 'Harbor',
  evmChainId: 431_302,
  blockchainId: 'rDxtcJvFup8DgLtmTzfCs9v9qU3ybATHg3eKYrzJm32mnP9kX',
  subnetId: 'G9mEn3oyGjMz4NPR7GZRawoZRXV761eQL1xs7Jv7a81M3CLag',
  vmId: subnetEvm,
  aliases: ['harbor'],
  token: { name: 'Harbor', symbol: 'HBR', decimals: 18 },
  description: 'Payments between firms: office hours, quiet weekends.',
  blocks: 720,
  span: 0.45,
  accounts: 80,
  isL1: false,
  makers: 0,
  meanTransactions: 3.8,
  baseFeeWei: 2 * weiPerGwei,
  rhythm: (hour, weekday) => {
    const weekend = weekday === 0 || weekday === 6
    const office = bell(hour, 10, 2.5) + bell(hour, 15, 2.5)
    return weekend ? 0.08 + 0.1 * office : 0.12 + 2.8 * office
  },
  deployments: [
    { contract: 'Token', args: ['Harbor Dollar', 'HUSD', 6, 50_000_000_000n], at: 0 },
    { contract: 'Splitter', args: [], at: 0 },
    { contract: 'Factory', args: [], at: 0.03 },
    { contract: 'Trouble', args: [], at: 0.1 },
    { contract: 'Token', args: ['Harbor Euro', 'HEUR', 6, 50_000_000_000n], at: 0.3 },
  ],
  mix: {
    pay: 14,
    payNobody: 1,
    sendToken: 46,
    allowToken: 8,
    sendAllowedToken: 7,
    burnToken: 1,
    payAll: 3,
    createVault: 2,
    createVaultAtSalt: 2,
    rehearseVault: 1,
    deployVault: 1,
    split: 8,
    fail: 2,
    failInside: 1,
  },
  incidents: [
    { name: 'Ledger freeze', at: 0.5, hours: 24, failing: 0.7, onWorkday: true },
    { name: 'Payroll', at: 0.78, hours: 24, airdrop: 14, activityTimes: 1.5, onWorkday: true },
  ],
}

/** A chain's id as its contracts use it: 32 bytes. */
export function blockchainIdOf({ blockchainId }: Pick<ChainPlan, 'blockchainId'>): Hex {
  const hex = hexOfCb58(blockchainId)
  if (hex === undefined) throw new Error(`${blockchainId} is not an id`)
  return `0x${hex}`
}

/** The number of accounts of a chain's node: those of the plan, the script's, and the one that sends messages. */
export function accountsOf({ accounts, makers }: ChainPlan): number {
  return accounts + makers + 1
}

/** The EVM chains of the sample network, the C-Chain first. */
export const chainPlans: readonly ChainPlan[] = [cChain, meridian, harbor]
