import { utils } from '@avalabs/avalanchejs'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask, freePorts, startNode, type RealNode } from './node.ts'

/** A network of one validator, whose genesis is ours. */
export interface RealNetwork {
  readonly node: RealNode
  /** The validator's BLS key: it holds nearly all the weight, so its signature makes a quorum. */
  readonly secretKey: Uint8Array
  /**
   * Ends the node and starts it again with another uptime requirement, from 0 to 1: what a validator must
   * have been seen for a vote for its reward.
   */
  restart(uptimeRequirement: number): Promise<RealNode>
  stop(): Promise<void>
}

export const networkId = 1337
/** The prefix that every network without a name of its own has. */
export const addressPrefix = 'custom'
export const evmChainId = 43_112

const year = 365 * 86_400
const avax = 1_000_000_000n

interface GenesisOptions {
  readonly node: { nodeID: string; nodePOP: unknown }
  readonly funded: Uint8Array
  readonly fundedEvm: string
  readonly now: number
}

/**
 * A genesis with what balances must tell apart: unlocked money, money under locks that end soon, later and
 * never within the test, and a validator whose stake is locked.
 */
function genesisOf({ node, funded, fundedEvm, now }: GenesisOptions): unknown {
  const address = (bytes: Uint8Array): string => `X-${utils.formatBech32(addressPrefix, bytes)}`
  const staked = address(Buffer.alloc(20, 0x51))
  const allocation = (
    avaxAddr: string,
    initialAmount: bigint,
    unlockSchedule: { amount: bigint; locktime: number }[],
  ) => ({ ethAddr: `0x${'00'.repeat(20)}`, avaxAddr, initialAmount, unlockSchedule })
  return {
    networkID: networkId,
    allocations: [
      // All together 360 million AVAX, as on every network that has a name: rewards depend on it.
      allocation(address(funded), 319_999_850n * avax, [
        { amount: 30_000_000n * avax, locktime: 0 },
        { amount: 70n * avax, locktime: now + year },
        { amount: 80n * avax, locktime: now + 20 },
      ]),
      allocation(staked, 0n, [{ amount: 10_000_000n * avax, locktime: now + 2 * year }]),
    ],
    startTime: now - 60,
    initialStakeDuration: year,
    initialStakeDurationOffset: 5_400,
    initialStakedFunds: [staked],
    initialStakers: [
      { nodeID: node.nodeID, rewardAddress: staked, delegationFee: 20_000, signer: node.nodePOP },
    ],
    cChainGenesis: JSON.stringify({
      config: { chainId: evmChainId },
      nonce: '0x0',
      // When all upgrades of a network without a name became active: earlier blocks obey older rules.
      timestamp: '0x5FCB13D0',
      extraData: '0x00',
      gasLimit: '0x5f5e100',
      difficulty: '0x0',
      mixHash: `0x${'00'.repeat(32)}`,
      coinbase: `0x${'00'.repeat(20)}`,
      alloc: { [fundedEvm.slice(2)]: { balance: '0x295BE96E64066972000000' } },
      number: '0x0',
      gasUsed: '0x0',
      parentHash: `0x${'00'.repeat(32)}`,
    }),
    message: 'a network for a test',
  }
}

const json = (value: unknown): string =>
  // Amounts have 64 bits and are numbers in this file.
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `#${each}#` : each)).replaceAll(
    /"#(\d+)#"/g,
    '$1',
  )

/**
 * Starts a network of one staking node in `folder`. Stakes may be as short as 15 seconds, so that rewards
 * are seen within a test. Its first uptime requirement is 0: every validation is rewarded.
 */
export async function startNetwork(options: {
  readonly program: string
  readonly folder: string
  readonly funded: Uint8Array
  readonly fundedEvm: string
}): Promise<RealNetwork> {
  const { program, folder, funded, fundedEvm } = options
  const [httpPort = 0, stakingPort = 0] = await freePorts(2)
  const base = { program, folder, httpPort, stakingPort }
  // A node makes its keys at its first start; the genesis names them.
  const first = await startNode({
    ...base,
    flags: ['--network-id=local', '--sybil-protection-enabled=false'],
  })
  const self = await ask<{ nodeID: string; nodePOP: unknown }>(`${first.url}/ext/info`, 'info.getNodeID')
  await first.stop()
  const genesis = join(folder, 'genesis.json')
  const now = Math.floor(Date.now() / 1000)
  writeFileSync(genesis, json(genesisOf({ node: self, funded, fundedEvm, now })))
  const secretKey = readFileSync(join(folder, 'staking', 'signer.key'))
  const start = (uptimeRequirement: number): Promise<RealNode> =>
    startNode({
      ...base,
      flags: [
        `--network-id=${networkId}`,
        `--genesis-file=${genesis}`,
        '--min-stake-duration=15s',
        `--uptime-requirement=${uptimeRequirement}`,
        '--network-health-min-conn-peers=0',
      ],
    })
  let node = await start(0)
  return {
    get node() {
      return node
    },
    secretKey,
    async restart(uptimeRequirement) {
      await node.stop()
      node = await start(uptimeRequirement)
      return node
    },
    stop: () => node.stop(),
  }
}
