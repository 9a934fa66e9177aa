import { keccak256, toRlp } from 'viem'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../../kernel/hex.ts'
import { merkleRoot } from '../../testing/merkle.ts'
import type { Recorded } from '../../testing/recorded-answers.ts'
import { recordedCalls } from '../../testing/recorded-answers.ts'
import type { Entry } from './feed.ts'
import { unsigned } from './orders.ts'
import { printed } from './print.ts'
import { firstChanged, intermediateRoots } from './roots.ts'
import type { Difference, Proof, States } from './state.ts'
import { hashed } from './state.ts'

// What a real node of release 1.14 said of its own blocks, proofs and states.
const recorded = recordedCalls('debug-answers.json')
const CHAIN_ID = 43_112
/** What coreth has in an account besides: it holds no other coins. */
const MORE = ['0x'] as const

function found(name: string): Recorded {
  const call = recorded.get(name)
  if (call === undefined) throw new Error(`${name} has not been recorded`)
  return call
}

function said<T>(name: string): T {
  return (found(name).answer as { readonly result: T }).result
}

interface Proven extends Proof {
  readonly address: Hex
}

/** The proofs of the accounts that block 5 changed, by height. */
const proofs: Readonly<Record<number, readonly Proven[]>> = {
  4: [said('state.proof4'), said('state.proof4.me'), said('state.proof4.coin')],
  5: [said('state.proof.52c8'), said('state.proof.8db9'), said('state.proof.0100')],
}

function proofAt(height: number, address: Hex): Promise<Proof> {
  const proof = proofs[height]?.find((each) => each.address === address)
  if (proof === undefined) throw new Error(`no proof of ${address} at ${height} has been recorded`)
  return Promise.resolve(proof)
}

const states: States = {
  accounts: () =>
    Promise.resolve(
      (proofs[5] ?? [])
        .map(({ address }) => hashed(address))
        .toSorted((a, b) => (a.digits < b.digits ? -1 : 1)),
    ),
  proof: proofAt,
  provenAt: (height, _root, address) => proofAt(height, address),
  differences: () =>
    Promise.resolve(
      said<{ result: Difference }[]>('state.diff5').map(({ result }) => ({
        ...result,
        loaded: {},
        unborn: [],
      })),
    ),
  slots: () => Promise.resolve([]),
  knownSlots: () => Promise.resolve([]),
  isKept: () => Promise.resolve(true),
}

const rootAt = (height: number): Hex => keccak256(proofs[height]?.[0]?.accountProof[0] ?? '0x')

describe('the recorded states of a real node', () => {
  it('have the recorded roots between the transactions of a block', async () => {
    const roots = await intermediateRoots(states, { height: 5, root: rootAt(5) })
    expect(roots).toEqual(said('state.roots5'))
  })

  it('differ first where the real node found it', async () => {
    const { message } = (found('state.mod45').answer as { error: { message: string } }).error
    const first = await firstChanged(states, { height: 4, root: rootAt(4) }, { height: 5, root: rootAt(5) })
    expect(message).toBe(`no preimage found for hash ${first ?? ''}`)
  })

  it('are those that the tests’ own tries give', () => {
    const { root, accounts } = said<{
      root: string
      accounts: Record<string, { balance: string; nonce: number; root: Hex; codeHash: Hex; key: Hex }>
    }>('state.range5')
    const number = (value: bigint): Hex => {
      const digits = value.toString(16)
      return value === 0n ? '0x' : `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`
    }
    const leaves = Object.values(accounts).map(
      ({ key, nonce, balance, root: storage, codeHash }) =>
        [
          key.slice(2),
          toRlp([number(BigInt(nonce)), number(BigInt(balance)), storage, codeHash, ...MORE]),
        ] as const,
    )
    expect(merkleRoot(leaves)).toBe(`0x${root}`)
  })
})

describe('a printed block', () => {
  it.each([
    ['genesis', 'block0', 'print.0', 'rawg'],
    ['with a creation', 'block1', 'print1', 'raw1'],
    ['with two calls', 'block5', 'print5', 'raw5'],
  ])('%s, is that of a real node without its addresses and clock', (_, block, print, raw) => {
    // Addresses in memory, and when the node first saw a transaction.
    const wanted = said<string>(`state.${print}`)
      .replace(/\(0x[0-9a-f]{8,12}\)(?=\()/g, '')
      .replace(/(?<= {3}time: ).*/g, '')
    const entry = said<Entry>(`state.${block}`)
    const sizes = [
      ...said<string>(`state.${print}`).matchAll(/size: \(atomic\.Value\) \{\s+v: \(uint64\) (\d+)/g),
    ]
    const size = (said<string>(`state.${raw}`).length - 2) / 2
    const text = printed(
      entry,
      sizes.map((match) => Number(match[1])),
      { kind: 'c', chainId: CHAIN_ID, size },
    )
    expect(text.replace(/(?<= {3}time: ).*/g, '')).toBe(wanted)
  })
})

describe('a filled-in transaction', () => {
  it.each(['keys.fill', 'keys.fill.full', 'keys.fill.data'])('%s', (name) => {
    const [given] = (found(name).body as { params: [{ from: Hex; to: Hex; value?: Hex; input?: Hex }] })
      .params
    const { tx } = said<{ tx: Record<string, Hex | null> }>(name)
    const fees = tx['gasPrice'] === null ? ['maxFeePerGas', 'maxPriorityFeePerGas'] : ['gasPrice']
    const settled = Object.fromEntries(['nonce', 'gas', ...fees].map((part) => [part, tx[part]]))
    const order = {
      ...given,
      to: given.to.toLowerCase() as Hex,
      nonce: '0x' as Hex,
      gas: '0x' as Hex,
      ...settled,
    }
    expect(unsigned(order, CHAIN_ID)).toEqual(said(name))
  })
})
