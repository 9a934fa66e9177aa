import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { launch, temporaryFolder, writeConfig, type Launched } from '../e2e/support/launcher.ts'
import { followGuide, guided, startPhone } from '../e2e/support/watch-guide.ts'
import { loopbackFlags } from '../scripts/support/staking-network.mjs'
import { ask, bytesOf, freePorts, startNode, type RealNode } from './stack/node.ts'

/*
 * `--network mainnet` with a node that has mainnet's genesis and rules but no peers (real-node/public-node). It ends the
 * first validations, whose time has come, and has a P-Chain of some hundred blocks then.
 */

const folder = temporaryFolder()
const home = join(folder.path, '.ridgeline')
const patient = { timeout: 240_000, interval: 500 }
let node: RealNode
let phone: Awaited<ReturnType<typeof startPhone>>
let stack: Launched
let url: string

type Validator = {
  readonly nodeId: string
  /** Of the transaction that began the validation, and of the one that ended it. */
  readonly txHash: string
  readonly rewards?: { readonly rewardTxHash?: string }
}
type Utxo = { readonly utxoBytes: string; readonly rewardType?: string }

/** An answer of the service. */
async function read<T>(path: string): Promise<T> {
  const answer = await fetch(`${url}/v1/networks/mainnet/${path}`)
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

const platform = <T>(method: string, params = {}): Promise<T> =>
  ask<T>(`${node.url}/ext/bc/P`, `platform.${method}`, params)

beforeAll(async () => {
  if (inject('publicNode') === '') return
  const [httpPort = 0, stakingPort = 0] = await freePorts(2)
  const place = { folder: join(folder.path, 'node'), httpPort, stakingPort }
  mkdirSync(place.folder)
  node = await startNode({
    program: inject('publicNode'),
    prepared: { ...place, url: `http://127.0.0.1:${httpPort}` },
    flags: [
      ...loopbackFlags(place),
      '--network-id=mainnet',
      '--network-health-min-conn-peers=0',
      '--bootstrap-ips=',
      '--bootstrap-ids=',
    ],
  })
  // No first validator is left once all of them are rewarded or not.
  await vi.waitFor(
    async () =>
      expect((await platform<{ validators: object[] }>('getCurrentValidators')).validators).toEqual([]),
    patient,
  )
  phone = await startPhone()
  const added = writeConfig(folder.path, { watch: { hosts: [phone.host] } })
  const args = guided(/npm start -- (--network mainnet --node \S+)/)
    .replace('http://127.0.0.1:9650', node.url)
    .split(' ')
  stack = launch({ home, args: [...args, '--network-config', added] })
  url = await stack.ready()
})
afterAll(async () => {
  await stack?.stop()
  phone?.stop()
  await node?.stop()
  folder.remove()
})

describe.skipIf(inject('publicNode') === '')('mainnet', () => {
  test('is indexed from its genesis, with what its first validators were paid', async () => {
    const { height } = await platform<{ height: string }>('getHeight')
    const { block } = await platform<{ block: { id: string } }>('getBlockByHeight', {
      height,
      encoding: 'json',
    })
    expect(await read(`blockchains/p-chain/blocks/${height}`)).toMatchObject({ blockHash: block.id })
    const { supply } = await platform<{ supply: string }>('getCurrentSupply')
    expect(await read('overview')).toMatchObject({ currentSupply: supply })

    const { validators } = await read<{ validators: Validator[] }>('validators?pageSize=100')
    expect(validators.length).toBeGreaterThan(50)
    // The bytes of each reward, by the transaction that began the validation.
    const indexed = validators.map(async ({ txHash, rewards: { rewardTxHash = '' } = {} }) => {
      const path = `blockchains/p-chain/transactions/${rewardTxHash}`
      const { emittedUtxos } = await read<{ emittedUtxos: Utxo[] }>(path)
      const paidOut = emittedUtxos.filter(({ rewardType }) => rewardType !== undefined)
      return [txHash, paidOut.map(({ utxoBytes }) => utxoBytes.slice(2))]
    })
    const paid = validators.map(async ({ txHash }) => {
      const { utxos } = await platform<{ utxos: string[] }>('getRewardUTXOs', {
        txID: txHash,
        encoding: 'hex',
      })
      return [txHash, utxos.map((utxo) => bytesOf(utxo).toString('hex'))]
    })
    expect(await Promise.all(indexed)).toEqual(await Promise.all(paid))
  })

  test('rings the phone: for the test, for a node that is frozen, and for its return', async () => {
    const { validators } = await read<{ validators: Validator[] }>('validators?pageSize=1')
    const [{ nodeId } = { nodeId: '' }] = validators
    await followGuide({ network: 'mainnet', url, folder: folder.path, phone }, nodeId)
    node.freeze(true)
    try {
      await phone.rings(/Node silent/)
    } finally {
      node.freeze(false)
    }
    await phone.rings(/Resolved.*Node silent/)
  })
})
