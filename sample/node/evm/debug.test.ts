import { toRlp } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Hex } from '../../kernel/hex.ts'
import { answerOf, resultOf } from '../../testing/ask.ts'
import type { TestBlock } from '../../testing/ask.ts'
import { merkleRoot } from '../../testing/merkle.ts'
import type { MerkleLeaf } from '../../testing/merkle.ts'
import { recordedCalls, repeat } from '../../testing/recorded-answers.ts'
import type { RunningSample } from '../../testing/start.ts'
import { startSample } from '../../testing/start.ts'

let sample: RunningSample
let c = ''
let cairn: Hex = '0x'

interface Block extends TestBlock {
  readonly stateRoot: Hex
}

beforeAll(async () => {
  sample = await startSample({ hours: 120 })
  c = sample.chain('C-Chain').rpcUrl
  const found = (await (await fetch(`${sample.url}/sample/addresses`)).json()) as {
    c: { contracts: Record<string, Hex> }
  }
  cairn = found.c.contracts['Cairn'] ?? '0x'
}, 120_000)
afterAll(() => sample.stop())

const recorded = recordedCalls('debug-answers.json')
/** Those that a node answers alike whatever its blocks are. */
const alike = [...recorded.values()].filter(({ name, answer }) => {
  const { error, result } = answer as { error?: unknown; result?: unknown }
  const isOwn = /modH\.un2|mod45|keys\.fill$|fill\.data/.test(name)
  return !isOwn && (error !== undefined || /rawR\.un|rawT\.un|fill\.full|pend/.test(name) || result === null)
})

const block = (number: number): Promise<Block> =>
  resultOf(c, 'eth_getBlockByNumber', `0x${number.toString(16)}`, false)
const head = async (): Promise<number> => Number(await resultOf<string>(c, 'eth_blockNumber'))
const messageOf = async (method: string, ...params: readonly unknown[]): Promise<string | undefined> =>
  (await answerOf(c, method, ...params)).error?.message

function number(value: bigint): Hex {
  const digits = value.toString(16)
  return value === 0n ? '0x' : `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
}

interface Dumped {
  readonly balance: string
  readonly nonce: number
  readonly root: Hex
  readonly codeHash: Hex
  readonly code?: Hex
  readonly storage?: Readonly<Record<Hex, string>>
  readonly key: Hex
}

/** Every account of a state, page by page. */
async function accountsAt(at: string): Promise<{ root: string; accounts: Dumped[]; pages: number }> {
  const accounts: Dumped[] = []
  let start = '0x'
  for (let pages = 1; ; pages += 1) {
    const page = await resultOf<{ root: string; accounts: Record<string, Dumped>; next?: string }>(
      c,
      'debug_accountRange',
      at,
      start,
      1000,
      true,
      true,
      true,
    )
    accounts.push(...Object.values(page.accounts))
    if (page.next === undefined) return { root: page.root, accounts, pages }
    start = `0x${Buffer.from(page.next, 'base64').toString('hex')}`
  }
}

function leafOf({ key, nonce, balance, root, codeHash }: Dumped): MerkleLeaf {
  return [key.slice(2), toRlp([number(BigInt(nonce)), number(BigInt(balance)), root, codeHash])]
}

describe('what a real node answers to any chain', () => {
  it.each(alike.map((call) => [call.name, call] as const))('%s', async (_, call) => {
    expect(await repeat(sample.url, call)).toEqual({ status: call.status, answer: call.answer })
  })
})

describe('states as tries', () => {
  it('hold the accounts that their roots are of, in pages, now and a few blocks ago', async () => {
    for (const back of [0, 4]) {
      const at = await block((await head()) - back)
      const { root, accounts, pages } = await accountsAt(at.number)
      expect(pages).toBeGreaterThan(1)
      expect(`0x${root}`).toBe(at.stateRoot)
      expect(merkleRoot(accounts.map(leafOf))).toBe(at.stateRoot)
    }
  })

  it('name no address, as a node without preimages, and no slot but the last', async () => {
    const at = await block(await head())
    const root = at.stateRoot.slice(2)
    expect(await resultOf(c, 'debug_accountRange', at.hash, '0x', 5, true, true, false)).toEqual({
      root,
      accounts: {},
    })
    const { codeHash } = await resultOf<{ codeHash: Hex }>(c, 'eth_getProof', cairn, [], at.number)
    const { accounts } = await accountsAt(at.number)
    const key = accounts.find((account) => account.codeHash === codeHash)?.key ?? '0x'
    const { accounts: one } = await resultOf<{ accounts: Record<string, Dumped> }>(
      c,
      'debug_accountRange',
      at.number,
      key,
      1,
      false,
      false,
      true,
    )
    const [[name, account] = []] = Object.entries(one)
    expect(name).toBe(`pre(${key})`)
    expect(account?.code).toBe(await resultOf(c, 'eth_getCode', cairn, at.number))
    expect(Object.keys(account?.storage ?? {})).toEqual([`0x${'0'.repeat(64)}`])
  })

  it('hold the slots of a contract before a block, in pages', async () => {
    const at = await block((await head()) - 1)
    const { storageHash } = await resultOf<{ storageHash: Hex }>(
      c,
      'eth_getProof',
      cairn,
      [],
      `0x${(Number(at.number) - 1).toString(16)}`,
    )
    const slots: [string, Hex][] = []
    let start: Hex | null = '0x'
    let pages = 0
    for (; start !== null; pages += 1) {
      const page: { storage: Record<Hex, { key: null; value: Hex }>; nextKey: Hex | null } = await resultOf(
        c,
        'debug_storageRangeAt',
        at.hash,
        0,
        cairn,
        start,
        40,
      )
      for (const [key, { value }] of Object.entries(page.storage)) slots.push([key, value])
      start = page.nextKey
    }
    expect(pages).toBeGreaterThan(1)
    const leaves = slots.map(([key, value]) => [key.slice(2), toRlp(number(BigInt(value)))] as const)
    expect(merkleRoot(leaves)).toBe(storageHash)
    const nobody = `0x${'11'.repeat(20)}`
    expect(await resultOf(c, 'debug_storageRangeAt', at.hash, 0, nobody, '0x', 9)).toEqual({
      storage: null,
      nextKey: null,
    })
    expect(await messageOf('debug_storageRangeAt', at.hash, 99, cairn, '0x', 9)).toBe(
      `transaction index 99 out of range for block ${at.hash}`,
    )
  })

  it('have a root after each transaction, the last of which is the block’s', async () => {
    const number = await head()
    for (const each of [number, number - 1, number - 2, number - 8]) {
      const { hash, stateRoot, transactions } = await block(each)
      const roots = await resultOf<Hex[]>(c, 'debug_intermediateRoots', hash, {})
      expect(roots).toHaveLength(transactions.length)
      expect(roots.at(-1)).toBe(stateRoot)
    }
    const { head: empty } = await sample.control.mine({ chain: 'c', transactions: 0 })
    expect(await resultOf(c, 'debug_intermediateRoots', empty.hash, {})).toBeNull()
  })

  it('differ first in the account with the lowest hash, which has no name', async () => {
    const number = (await head()) - 1
    const [before, after] = [await block(number - 1), await block(number)]
    const keyed = async ({ number: at }: Block): Promise<Map<string, string>> => {
      const { accounts } = await accountsAt(at)
      return new Map(accounts.map((account) => leafOf(account)))
    }
    const [old, now] = [await keyed(before), await keyed(after)]
    const [first] = [...now].filter(([key, value]) => old.get(key) !== value).map(([key]) => key)
    const words = `no preimage found for hash ${first ?? ''}`
    expect(await messageOf('debug_getModifiedAccountsByNumber', number - 1, number)).toBe(words)
    expect(await messageOf('debug_getModifiedAccountsByHash', after.hash)).toBe(words)
    expect(await messageOf('debug_getModifiedAccountsByNumber', number, number - 1)).toBe(
      `start block height (${number}) must be less than end block height (${number - 1})`,
    )
  })

  it('are told when they are too far back', async () => {
    const old = await block(20)
    expect(await messageOf('debug_storageRangeAt', old.hash, 0, cairn, '0x', 9)).toBe(
      'required historical state unavailable (reexec=0)',
    )
    expect(await resultOf(c, 'debug_getAccessibleState', 'latest', '0x0')).toBe(await head())
  })
})

describe('blocks', () => {
  it('are traced by their bytes as by their hash, and no others are', async () => {
    const { hash, number } = await block((await head()) - 1)
    const bytes = await resultOf<Hex>(c, 'debug_getRawBlock', number)
    const tracer = { tracer: 'callTracer' }
    const traces = await resultOf<unknown[]>(c, 'debug_traceBlock', bytes, tracer)
    expect(traces.length).toBeGreaterThan(0)
    expect(traces).toEqual(await resultOf(c, 'debug_traceBlockByHash', hash, tracer))
    const genesis = await resultOf(c, 'debug_getRawBlock', '0x0')
    expect(await messageOf('debug_traceBlock', genesis, tracer)).toBe('genesis is not traceable')
    const other = bytes.replace(hash.slice(2, 10), '00000000').replace(/.{2}$/, '01')
    expect(await messageOf('debug_traceBlock', other, tracer)).toBe(
      'the block is none of this chain, and no other is traced here',
    )
  })

  it('are printed with all their transactions, on every chain', async () => {
    for (const chain of ['C-Chain', 'Meridian']) {
      const { rpcUrl, evmChainId } = sample.chain(chain)
      const { hash, transactions } = await resultOf<TestBlock>(rpcUrl, 'eth_getBlockByNumber', '0x9', false)
      const text = await resultOf<string>(rpcUrl, 'debug_printBlock', 9)
      expect(text.match(/chainId: \(\*big\.Int\)\(\d+\)/g)).toEqual(
        transactions.map(() => `chainId: (*big.Int)(${evmChainId})`),
      )
      for (const each of [hash, ...transactions])
        expect(text).toContain(`v: (common.Hash) (len=32 cap=32) ${each}`)
    }
  })
})
