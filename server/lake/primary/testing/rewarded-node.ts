import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import recorded from '../../../../protocol/fixtures/recorded.json' with { type: 'json' }
import { encode } from '../../../../protocol/codec/schema.ts'
import { sha256 } from '../../../../protocol/native/hashes.ts'
import { encodeVertex } from '../../../../protocol/primary/x-blocks.ts'
import { xTx } from '../../../../protocol/primary/x-transactions.ts'
import { cb58, fromCheckedHex, hexText, idOfText } from '../../../../protocol/ids/text.ts'
import { decodePBlock } from '../../../../protocol/primary/p-blocks.ts'
import { addPBlock, emptyBase, rewardTx, rewardUtxo } from '../../../indexer/primary/testing/own-blocks.ts'
import type { NetworkConfig } from '../../../kernel/settings/config.ts'
import { runPrimaryIndexers } from '../../../indexer/primary/networks.ts'
import { localNetwork } from '../../../indexer/primary/testing/local-network.ts'
import { testPace, until } from '../../../indexer/testing/harness.ts'
import type { Database } from '../../../store/database.ts'
import { RecordedNode } from '../../../indexer/primary/testing/recorded-node.ts'

/** The genesis of the recorded network. */
export const recordedGenesis = fromCheckedHex(recorded.genesis.hex)

/** The validation of the recorded network that ends, when it ends, and what it is paid. */
export const endedStake = '2Hh6zez7NEZQ22WwRSuJB95ynuNHYe5ZqWbYFcRzBdhseFxp9r'
export const plannedEnd = 1_795_336_006
export const reward = 567_306_284n

/**
 * The recorded network, continued: a validation ends. Block 13 proposes it, block 14 commits the reward, and the blocks up
 * to 20 are empty.
 */
export function rewardedNode(paid = reward): RecordedNode {
  const node = new RecordedNode()
  const staking = recorded.pBlocks.flatMap(({ hex }) => decodePBlock(fromCheckedHex(hex)).transactions)
  const validation = staking.find(({ id }) => cb58(id) === endedStake)
  if (validation?.unsigned.type !== 'AddPermissionlessValidatorTx') throw new Error('no validation')
  const { base, stake, rewardsOwner } = validation.unsigned
  const [owner] = rewardsOwner.addresses
  const [first] = stake
  if (!owner || !first) throw new Error('the validation has no owner')
  const index = base.outputs.length + stake.length
  const tx = idOfText(endedStake)
  node.rewards.set(endedStake, [rewardUtxo(tx, index, first.assetId, paid, owner)])
  addPBlock(node, 32, plannedEnd, [])
  addPBlock(node, 29, plannedEnd, [rewardTx(tx)])
  addPBlock(node, 31, plannedEnd, [])
  for (let height = 15; height <= 20; height += 1) addPBlock(node, 32, plannedEnd + height, [])
  return node
}

/**
 * Adds two vertices and the stop vertex to the index of a node: the first makes an asset, the second contains the same
 * transaction again and makes another one. Returns the ids of both.
 */
export function addVertices(node: RecordedNode): string[] {
  const made = ['One', 'Two'].map((name) => {
    const owner = { locktime: 0n, threshold: 1, addresses: [Buffer.alloc(20, 7)] }
    const output = { type: 'TRANSFER', amount: 5n, stakeableLocktime: 0n, owner } as const
    const states = [{ fxIndex: 0, outputs: [output] }]
    const base = { ...emptyBase, blockchainId: idOfText(recorded.genesis.chains[0] ?? '') }
    const unsigned = { type: 'CreateAssetTx', base, name, symbol: 'V', denomination: 0, states } as const
    return encode(xTx, { unsigned, credentials: [] })
  })
  const sorted = made.toSorted((a, b) => Buffer.compare(sha256(a), sha256(b)))
  let parents: Uint8Array[] = []
  for (const transactions of [made.slice(0, 1), sorted, []]) {
    const isStop = transactions.length === 0
    const chainId = recorded.genesis.chains[0] ?? ''
    const height = node.vertices.length
    const bytes = encodeVertex({ isStop, chainId: idOfText(chainId), height, parents, transactions })
    const id = sha256(bytes)
    const hex = hexText(Buffer.concat([bytes, sha256(bytes).subarray(-4)]))
    node.vertices.push({ id: cb58(id), hex })
    parents = [id]
  }
  return made.map((bytes) => cb58(sha256(bytes)))
}

/** The networks of a configuration with the recorded network, its genesis in a file of `folder`. */
export function rewardedNetworks(nodeUrl: string, folder: string): NetworkConfig[] {
  const genesisFile = join(folder, 'genesis.bin')
  writeFileSync(genesisFile, recordedGenesis)
  return localNetwork(nodeUrl).networks.map((network) => ({ ...network, genesisFile }))
}

/** Indexes the P- and X-Chain of the network into a database, to their ends and with a sample of the validators. */
export async function indexRewarded(database: Database, networks: readonly NetworkConfig[]): Promise<void> {
  const abort = new AbortController()
  const quiet = () => undefined
  const indexing = runPrimaryIndexers({
    database,
    networks,
    chains: [],
    logger: { info: quiet, warn: quiet, error: quiet },
    signal: abort.signal,
    pace: testPace,
  })
  await until('the chains and their validators are known', async () => {
    const [row] = await database<{ known: boolean }[]>`
      select (select max(height) from primary_blocks where chain = 11) = 20
        and (select max(height) from primary_blocks where chain = 12) = 4
        and exists (select from uptime_samples) as known`
    return row?.known === true
  })
  abort.abort()
  await indexing
}
