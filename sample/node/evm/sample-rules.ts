import type { ChainPlan } from '../../evm/chains.ts'
import type { Timeline } from '../../evm/story.ts'
import { foundingsOf } from '../../primary/founding.ts'
import fuji from '../../primary/fuji-genesis.json' with { type: 'json' }
import { keyOf } from '../../primary/keys.ts'
import type { Upgrades } from '../../primary/ledger.ts'
import type { ChainRules } from './extras.ts'
import { type GenesisConfig, subnetRules, type UpgradeConfig } from './rules.ts'

type Ages = Omit<Upgrades, 'stopVertexId'>

const hour = 3600
const day = 24 * hour
const admin = (name: string): string => `0x${keyOf(name).account}`

/** A fraction of the chain's history as a time, rounded to the hour. */
function at({ start, end }: Timeline, part: number): number {
  return start + Math.round(((end - start) * part) / hour) * hour
}

/** The upgrades that the chain's operators agreed on after the genesis, past and future. */
function upgradesOf(
  key: 'meridian' | 'harbor',
  timeline: Timeline,
  { feeConfig }: GenesisConfig,
): UpgradeConfig {
  if (key === 'meridian') {
    return {
      precompileUpgrades: [
        { feeManagerConfig: { blockTimestamp: at(timeline, 0.25), disable: true } },
        {
          feeManagerConfig: {
            blockTimestamp: at(timeline, 0.3),
            adminAddresses: [admin('meridian/admin')],
            initialFeeConfig: { ...feeConfig, gasLimit: 30_000_000, targetGas: 30_000_000 },
          },
        },
        { contractNativeMinterConfig: { blockTimestamp: at(timeline, 0.7), disable: true } },
        {
          txAllowListConfig: {
            blockTimestamp: timeline.end + 30 * day,
            adminAddresses: [admin('meridian/admin')],
          },
        },
      ],
    }
  }
  return {
    precompileUpgrades: [
      // From the first block on anyone may send and deploy, which the genesis does not allow.
      { txAllowListConfig: { blockTimestamp: timeline.start, disable: true } },
      { contractDeployerAllowListConfig: { blockTimestamp: timeline.start, disable: true } },
      {
        rewardManagerConfig: {
          blockTimestamp: at(timeline, 0.4),
          adminAddresses: [admin('harbor/admin')],
          initialRewardConfig: { rewardAddress: admin('harbor/firm/0') },
        },
      },
      { feeManagerConfig: { blockTimestamp: at(timeline, 0.6), disable: true } },
      { rewardManagerConfig: { blockTimestamp: timeline.end + 14 * day, disable: true } },
    ],
  }
}

/** The C-Chain's configuration: the test network's genesis and the network's upgrade times. */
function cConfig(ages: Ages): Readonly<Record<string, unknown>> {
  const { config } = JSON.parse(fuji.cChain) as { config: Readonly<Record<string, unknown>> }
  const { eip150Hash: _eip150Hash, ...forks } = config
  const { apricotPhase4: apricot, banff, cortina, durango, etna, granite } = ages
  const found = {
    ...forks,
    berlinBlock: 0,
    londonBlock: 0,
    apricotPhase1BlockTimestamp: apricot,
    apricotPhase2BlockTimestamp: apricot,
    apricotPhase3BlockTimestamp: apricot,
    apricotPhase4BlockTimestamp: apricot,
    apricotPhase5BlockTimestamp: apricot,
    apricotPhasePre6BlockTimestamp: apricot,
    apricotPhase6BlockTimestamp: apricot,
    apricotPhasePost6BlockTimestamp: apricot,
    banffBlockTimestamp: banff,
    cortinaBlockTimestamp: cortina,
    durangoBlockTimestamp: durango,
    shanghaiTime: durango,
    etnaTimestamp: etna,
    cancunTime: etna,
    fortunaTimestamp: etna,
    graniteTimestamp: granite,
  }
  return Object.fromEntries(Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The configuration of a sample chain: a subnet's follows from the genesis in its CreateChainTx. */
export function rulesOf({ key }: ChainPlan, timeline: Timeline, ages: Ages): ChainRules {
  if (key === 'c') return { kind: 'c', config: cConfig(ages) }
  const { unsigned } = foundingsOf()[key].chain.tx
  if (unsigned.type !== 'CreateChainTx') throw new Error(`${key} has no genesis`)
  const { config } = JSON.parse(Buffer.from(unsigned.genesis, 'hex').toString('utf8')) as {
    config: GenesisConfig
  }
  return { kind: 'subnet', rules: subnetRules(config, upgradesOf(key, timeline, config), ages) }
}
