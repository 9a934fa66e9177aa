import type { NodeClient } from '../../../node/client.ts'
import type { ProxyTarget } from '../../../node/proxy.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import type { Database } from '../../../store/database.ts'
import { powerTopic, type PowerEvent } from '../../../store/evm/contracts/power-logs.ts'
import { readPowerLogs, type PowerLog } from '../../../store/evm/contracts/read-power-logs.ts'
import type { AbiBook } from '../../../tokens/abi/operator.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import { askAddress, holderOf, type PowerHolder } from './powers.ts'

/** The upgrades that are told. */
const maxUpgrades = 100

const upgradeEvents: readonly PowerEvent[] = [
  'upgraded',
  'beaconUpgraded',
  'newImplementation',
  'changedMasterCopy',
  'diamondCut',
]
const upgradeTopics = new Set(upgradeEvents.map((event) => `0x${powerTopic(event)}`))

/**
 * When the implementation of a proxy was set and by whom, by the events of the proxy and its beacon; who can set it; and
 * the names of implementations whose sources are verified.
 */
export async function describeProxy(
  proxy: ProxyTarget,
  contract: { readonly chain: Chain; readonly address: string },
  { database, client, abis }: { database: Database; client: NodeClient; abis: AbiBook },
) {
  const { chain, address } = contract
  const emitters = [address, ...(proxy.beacon === undefined ? [] : [proxy.beacon])]
  const logs = await readPowerLogs(database, chain.key, emitters, 1_000)
  const upgrades = logs.filter(({ topic0 }) => upgradeTopics.has(topic0)).slice(0, maxUpgrades)
  const targets = upgrades.map((log) => targetOf(log))
  const named = await withStored(abis, database, chain, [
    proxy.implementation,
    ...targets.map((each) => each ?? ''),
  ])
  const nameOf = (target: string): { name?: string } => {
    const name = named.of(chain.id, target)?.name
    return name === undefined ? {} : { name }
  }
  const { name } = nameOf(proxy.implementation)
  return {
    ...(name !== undefined && { implementationName: name }),
    changeableBy: await changersOf(proxy, address, client),
    upgrades: upgrades.map((log, index) => {
      const implementation = targets[index]
      return {
        ...(implementation !== undefined && { implementation, ...nameOf(implementation) }),
        blockNumber: log.number.toString(),
        blockTimestamp: log.ts,
        txHash: log.txHash,
        sender: log.sender,
      }
    }),
  }
}

/** The implementation, or the beacon, that an event names; undefined for a change of some facets of a diamond. */
function targetOf({ topic0, topic1, data }: PowerLog): string | undefined {
  const is = (event: PowerEvent): boolean => topic0 === `0x${powerTopic(event)}`
  if (is('upgraded') || is('beaconUpgraded')) return addressIn(topic1 ?? data.slice(0, 66))
  if (is('newImplementation')) return addressIn(`0x${data.slice(66, 130)}`)
  return is('changedMasterCopy') ? addressIn(data.slice(0, 66)) : undefined
}

const addressIn = (word: string): string | undefined =>
  /^0x0{24}[0-9a-f]{40}$/.test(word) ? `0x${word.slice(26)}` : undefined

/**
 * Who can replace the code of a proxy: the admin of EIP-1967, and the owner of that contract if it is one; else the owner of
 * the beacon, or of the proxy itself. Minimal proxies can't be changed.
 */
async function changersOf(proxy: ProxyTarget, address: string, client: NodeClient): Promise<PowerHolder[]> {
  if (proxy.kind === 'EIP-1167') return []
  if (proxy.kind === 'EIP-7702') return [await holderOf(client, 'account', address)]
  // A Safe changes itself, by a transaction of its owners.
  if (proxy.kind === 'Safe') return [await holderOf(client, 'itself', address)]
  if (proxy.admin !== undefined) {
    const owner = await askAddress(client, proxy.admin, 'owner()')
    return [
      await holderOf(client, 'admin', proxy.admin),
      ...(owner === undefined ? [] : [await holderOf(client, 'owner of the admin', owner)]),
    ]
  }
  if (proxy.beacon !== undefined) {
    const owner = await askAddress(client, proxy.beacon, 'owner()')
    return owner === undefined ? [] : [await holderOf(client, 'owner of the beacon', owner)]
  }
  for (const power of ['owner', 'admin']) {
    const holder = await askAddress(client, address, `${power}()`)
    if (holder !== undefined) return [await holderOf(client, power, holder)]
  }
  return []
}
