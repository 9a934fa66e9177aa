/** A precompile in a configuration: its activation time and its parameters. Times in Unix seconds. */
type PrecompileConfig = {
  readonly blockTimestamp?: number
  readonly disable?: boolean
  readonly adminAddresses?: readonly string[]
  readonly managerAddresses?: readonly string[]
  readonly enabledAddresses?: readonly string[]
  readonly initialFeeConfig?: FeeConfig
  readonly [more: string]: unknown
}

/** The fee configuration of a subnet EVM chain. Prices in wei, the block rate in seconds. */
type FeeConfig = {
  readonly gasLimit: number
  readonly targetBlockRate: number
  readonly minBaseFee: number
  readonly targetGas: number
  readonly baseFeeChangeDenominator: number
  readonly minBlockGasCost: number
  readonly maxBlockGasCost: number
  readonly blockGasCostStep: number
}

/** The members of a subnet EVM genesis `config` that the rules depend on. */
export type GenesisConfig = {
  readonly chainId: number
  readonly feeConfig: FeeConfig
  readonly allowFeeRecipients?: boolean
  readonly [precompile: string]: unknown
}

/** The upgrade file that a chain's operators agree on. Upgrades of one precompile are in order of time. */
export type UpgradeConfig = {
  readonly precompileUpgrades?: readonly Readonly<Record<string, PrecompileConfig>>[]
  readonly stateUpgrades?: readonly unknown[]
}

/** When the network's upgrades apply to the chain. */
type NetworkAges = {
  readonly durango: number
  readonly etna: number
  readonly granite: number
}

type Entry = Readonly<Record<string, unknown>>

/** The rules of a subnet's chain at any time. */
export type SubnetRules = {
  /** The result of eth_getChainConfig. */
  chainConfig(): Entry
  /** The result of eth_getActivePrecompilesAt: configurations by precompile name. */
  precompilesAt(time: number): Readonly<Record<string, Entry>>
  /** The result of eth_getActiveRulesAt. */
  rulesAt(time: number): Entry
  /**
   * The fees at `time`; `since` is the time at which the fee manager set them, undefined for those of the genesis.
   */
  feesAt(time: number): { readonly feeConfig: FeeConfig; readonly since: number | undefined }
}

const precompileNames = [
  'contractDeployerAllowListConfig',
  'contractNativeMinterConfig',
  'feeManagerConfig',
  'rewardManagerConfig',
  'txAllowListConfig',
  'warpConfig',
] as const
type Precompile = (typeof precompileNames)[number]

/** Ethereum's forks that every such chain has from its start. */
const forks = [
  'homesteadBlock',
  'eip150Block',
  'eip155Block',
  'eip158Block',
  'byzantiumBlock',
  'constantinopleBlock',
  'petersburgBlock',
  'istanbulBlock',
  'muirGlacierBlock',
  'berlinBlock',
  'londonBlock',
] as const

/** Addresses in lower case, as the node writes them, in values and in member names. */
function lowered(value: unknown): unknown {
  if (typeof value === 'string') return /^0x[0-9a-fA-F]{40}$/.test(value) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map(lowered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [lowered(name) as string, lowered(member)]),
  )
}

function shown(config: PrecompileConfig): Entry {
  const { adminAddresses, managerAddresses, enabledAddresses, blockTimestamp, ...rest } = lowered(
    config,
  ) as PrecompileConfig
  const { initialRewardConfig, ...others } = rest
  const rewards =
    initialRewardConfig === undefined
      ? {}
      : { initialRewardConfig: { allowFeeRecipients: false, ...(initialRewardConfig as Entry) } }
  return { adminAddresses, managerAddresses, enabledAddresses, blockTimestamp, ...others, ...rewards }
}

function sorted(entry: Entry): Entry {
  return Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function startOf({ blockTimestamp }: PrecompileConfig): number {
  return blockTimestamp ?? 0
}

/** The rules of a chain with this genesis and these upgrades. */
export function subnetRules(genesis: GenesisConfig, upgrades: UpgradeConfig, ages: NetworkAges): SubnetRules {
  const stages = new Map<Precompile, readonly PrecompileConfig[]>(
    precompileNames.map((name) => [
      name,
      [
        genesis[name] as PrecompileConfig | undefined,
        ...(upgrades.precompileUpgrades ?? []).map((upgrade) => upgrade[name]),
      ].filter((config) => config !== undefined),
    ]),
  )

  /** A precompile's configuration at `time`; undefined while it is inactive. */
  function activeAt(name: Precompile, time: number): PrecompileConfig | undefined {
    const last = stages.get(name)?.findLast((config) => startOf(config) <= time)
    return last?.disable === true ? undefined : last
  }

  function allAt(time: number): (readonly [Precompile, PrecompileConfig])[] {
    return precompileNames.flatMap((name) => {
      const config = activeAt(name, time)
      return config === undefined ? [] : [[name, config] as const]
    })
  }

  return {
    chainConfig() {
      const founding = precompileNames.flatMap((name) => {
        const config = genesis[name] as PrecompileConfig | undefined
        return config === undefined ? [] : [[name, shown(config)] as const]
      })
      const flat = sorted({
        ...Object.fromEntries(forks.map((fork) => [fork, 0])),
        allowFeeRecipients: genesis.allowFeeRecipients,
        chainId: genesis.chainId,
        feeConfig: genesis.feeConfig,
        subnetEVMTimestamp: 0,
        durangoTimestamp: ages.durango,
        shanghaiTime: ages.durango,
        etnaTimestamp: ages.etna,
        cancunTime: ages.etna,
        graniteTimestamp: ages.granite,
        ...Object.fromEntries(founding),
      })
      const { stateUpgrades, precompileUpgrades } = upgrades
      return {
        ...flat,
        upgrades: {
          stateUpgrades,
          precompileUpgrades: precompileUpgrades?.map((upgrade) =>
            Object.fromEntries(Object.entries(upgrade).map(([name, config]) => [name, shown(config)])),
          ),
        },
      }
    },
    precompilesAt: (time) => Object.fromEntries(allAt(time).map(([name, config]) => [name, shown(config)])),
    rulesAt: (time) => ({
      ethRules: {
        ChainID: genesis.chainId,
        IsHomestead: true,
        IsEIP150: true,
        IsEIP155: true,
        IsEIP158: true,
        IsByzantium: true,
        IsConstantinople: true,
        IsPetersburg: true,
        IsIstanbul: true,
        IsBerlin: true,
        IsLondon: true,
        IsMerge: true,
        IsShanghai: time >= ages.durango,
        IsCancun: time >= ages.etna,
        IsPrague: false,
        IsVerkle: false,
      },
      avalancheRules: {
        IsSubnetEVM: true,
        IsDurango: time >= ages.durango,
        IsEtna: time >= ages.etna,
        IsFortuna: false,
        IsGranite: time >= ages.granite,
      },
      precompiles: Object.fromEntries(
        allAt(time).map(([name, config]) => [name, { timestamp: startOf(config) }]),
      ),
    }),
    feesAt(time) {
      const manager = activeAt('feeManagerConfig', time)
      const { feeConfig } = genesis
      if (manager === undefined) return { feeConfig, since: undefined }
      return { feeConfig: manager.initialFeeConfig ?? feeConfig, since: startOf(manager) }
    },
  }
}
