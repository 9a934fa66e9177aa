import { readFileSync } from 'node:fs'
import path from 'node:path'
import { encodeFunctionData } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { artefacts } from './contracts/artefacts.ts'
import { sampleAddresses } from './testing/addresses.ts'
import { answerOf, resultOf } from './testing/ask.ts'
import { sampleAccounts } from './testing/keys.ts'
import type { RunningSample } from './testing/start.ts'
import { allHashes, noticesOf, withHome } from './testing/with-home.ts'

const home = withHome(24)
// Includes live blocks and several starts.
vi.setConfig({ testTimeout: 180_000 })
const cChainId = 43_113
const weiPerGwei = 1_000_000_000n

type Draft = Partial<Parameters<PrivateKeyAccount['signTransaction']>[0]>

/** Signs and sends transactions of one account with consecutive nonces. */
function senderOf(url: string, account: PrivateKeyAccount) {
  const nonceNow = async (): Promise<number> =>
    Number(await resultOf<string>(url, 'eth_getTransactionCount', account.address, 'latest'))
  async function send(nonce: number, gwei: bigint, draft: Draft): ReturnType<typeof answerOf> {
    const price =
      draft.type === 'legacy' || draft.type === 'eip2930'
        ? { gasPrice: gwei * weiPerGwei }
        : { maxFeePerGas: gwei * weiPerGwei, maxPriorityFeePerGas: weiPerGwei }
    const order = { chainId: cChainId, nonce, gas: 200_000n, ...price, ...draft }
    const raw = await account.signTransaction(order as Parameters<typeof account.signTransaction>[0])
    return answerOf(url, 'eth_sendRawTransaction', raw)
  }
  return { account, nonceNow, send }
}

async function minedOf(url: string, hashes: readonly unknown[]): Promise<string[]> {
  const receipts = hashes.map((hash) =>
    resultOf<{ status: string } | null>(url, 'eth_getTransactionReceipt', hash),
  )
  return (await Promise.all(receipts)).map((receipt) => receipt?.status ?? 'missing')
}

/** Makes blocks with transactions of many of the network's own accounts. */
async function mine(sample: RunningSample, blocks: number): Promise<void> {
  await sample.control.mine({ chain: 'c', blocks, transactions: 40 })
}

/** Waits for a number of new blocks of the C-Chain, and returns the height. */
async function newBlocks(sample: RunningSample, count: number): Promise<number> {
  const socket = new WebSocket(sample.chain('C-Chain').wsUrl)
  let seen = 0
  const found = new Promise<number>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the socket was closed')))
    socket.on('message', (data: Buffer) => {
      const { params } = JSON.parse(data.toString('utf8')) as { params?: { result: { number: string } } }
      if (params !== undefined) seen += 1
      if (params !== undefined && seen === count) resolve(Number(params.result.number))
    })
  })
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  try {
    return await found
  } finally {
    socket.terminate()
  }
}

function journalOf(key: string): { readonly hash: string }[] {
  const lines = readFileSync(path.join(home.folder, key, 'journal.jsonl'), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as { hash: string })
}

describe('users’ transactions from the sample’s accounts', () => {
  test('are included, fifty of ten accounts, and a restart reproduces the same blocks', async () => {
    const accounts = await sampleAccounts(1, 10)
    const first = await home.start()
    const { rpcUrl } = first.chain('C-Chain')
    const { contracts } = (await sampleAddresses(first.url)).c
    const token = contracts['Sample Dollar'] as `0x${string}`
    const [c0] = accounts
    if (c0 === undefined) throw new Error('no account')
    const transfer = encodeFunctionData({
      abi: artefacts.Token.abi,
      functionName: 'transfer',
      args: [c0.address, 1n],
    })
    const drafts: readonly Draft[] = [
      { type: 'legacy', to: c0.address, value: 5n },
      { type: 'eip2930', to: c0.address, value: 5n, accessList: [{ address: c0.address, storageKeys: [] }] },
      { type: 'eip1559', data: '0x600a600c600039600a6000f3602a60005260206000f3' },
      // Transfers more than most of them have, so it fails in a block.
      { type: 'eip1559', to: token, data: transfer },
      { type: 'eip1559', data: '0xfe' },
    ]
    const hashes: unknown[] = []
    for (const [index, account] of accounts.entries()) {
      const sender = senderOf(rpcUrl, account)
      const nonce = await sender.nonceNow()
      for (const [place, draft] of drafts.entries()) {
        // Rising, falling and equal fees; every third account sends its last transaction first.
        const gwei = [100n, 120n + BigInt(place), 140n - BigInt(place)][index % 3] ?? 100n
        const offset = index % 3 === 0 ? drafts.length - 1 - place : place
        const { result, error } = await sender.send(nonce + offset, gwei, draft)
        expect(error).toBeUndefined()
        hashes.push(result)
      }
      await mine(first, 1)
    }
    await mine(first, 3)
    const statuses = await minedOf(rpcUrl, hashes)
    expect(statuses).toHaveLength(50)
    expect(statuses.filter((status) => status === '0x1').length).toBeGreaterThanOrEqual(30)
    expect(statuses.filter((status) => status === '0x0').length).toBeGreaterThanOrEqual(10)
    expect(statuses).not.toContain('missing')

    const expected = await allHashes(first)
    await first.stop()
    const second = await home.start()
    expect(await allHashes(second)).toEqual(expected)
    const { head } = await second.control.mine({ chain: 'c', blocks: 7, transactions: 40 })
    expect(head.number).toBe((expected['C-Chain']?.length ?? 0) + 6)
  })

  test('are in the journal: a killed chain reproduces the same blocks', async () => {
    const [account] = await sampleAccounts(1, 1)
    if (account === undefined) throw new Error('no account')
    const first = await home.start({ live: true, testControls: false })
    const { rpcUrl } = first.chain('C-Chain')
    const sender = senderOf(rpcUrl, account)
    const { Trouble } = (await sampleAddresses(first.url)).c.contracts
    const nonce = await sender.nonceNow()
    // The last one reads an empty slot of a contract of the history and fails: anvil hashes the slot or does not.
    const data = encodeFunctionData({ abi: artefacts.Trouble.abi, functionName: 'withIndex', args: [3n] })
    const hashes = [
      (await sender.send(nonce, 200n, { to: account.address, value: 1n })).result,
      (await sender.send(nonce + 1, 300n, { data: '0x600a600c600039600a6000f3602a60005260206000f3' })).result,
      (await sender.send(nonce + 2, 400n, { to: Trouble as `0x${string}`, data })).result,
    ]
    const blocks = await newBlocks(first, 2)
    expect(blocks).toBeGreaterThan(24)
    expect(await minedOf(rpcUrl, hashes)).toEqual(['0x1', '0x1', '0x0'])
    await first.kill()
    const expected = journalOf('c').map(({ hash }) => hash)
    const second = await home.start({ live: true, testControls: false })
    expect(noticesOf(second)).not.toContain('could not be made again')
    const all = (await allHashes(second))['C-Chain'] ?? []
    expect(all.slice(25, 25 + expected.length)).toEqual(expected)
  })

  test('may replace each other, leave gaps, empty an account or be refused', async () => {
    const accounts = await sampleAccounts(1, 4)
    const first = await home.start()
    const { rpcUrl } = first.chain('C-Chain')
    const [a, b, c, d] = accounts.map((account) => senderOf(rpcUrl, account))
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('four')
    const to = a.account.address

    const nonce = await b.nonceNow()
    const replaced = (await b.send(nonce, 60n, { to })).result
    const next = (await b.send(nonce + 1, 60n, { to })).result
    const replacing = (await b.send(nonce, 90n, { to, value: 7n })).result
    const gap = (await c.send((await c.nonceNow()) + 3, 90n, { to })).result
    const whole = BigInt(await resultOf<string>(rpcUrl, 'eth_getBalance', d.account.address, 'latest'))
    const emptying = await d.send(await d.nonceNow(), 60n, {
      to,
      gas: 21_000n,
      value: whole - 21_000n * 60n * weiPerGwei,
    })
    expect(emptying.error).toBeUndefined()
    expect((await b.send(0, 60n, { to })).error?.message).toMatch(/^nonce too low/)
    // The chain does not support blobs and delegations.
    for (const type of ['03', '04']) {
      const { error } = await answerOf(rpcUrl, 'eth_sendRawTransaction', `0x${type}c0`)
      expect(error?.message).toBe('transaction type not supported')
    }
    await mine(first, 12)
    expect(await minedOf(rpcUrl, [replaced, next, replacing, emptying.result])).toEqual([
      'missing',
      '0x1',
      '0x1',
      '0x1',
    ])
    // The account's own transaction fills its gap.
    expect(await minedOf(rpcUrl, [gap])).toEqual(['0x1'])

    const expected = await allHashes(first)
    await first.stop()
    const second = await home.start()
    expect(await allHashes(second)).toEqual(expected)
  })
})
