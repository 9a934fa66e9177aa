import type { Locator } from '@playwright/test'
import { pad, type Hex } from 'viem'
import { sampleAddresses } from '../../sample/testing/addresses.ts'
import { test as base } from './fixtures.ts'
import { nodeAt, type NodeLog } from './node.ts'
import { errorsOfPictures } from './parts.ts'
import { chains, rpcUrlOf, sampleUrl } from './stack.ts'

/*
 * Shared parts of the tests of address pages: an account of the sample that holds tokens of every kind, with
 * untrusted
 * names among them, and plain calls to the node.
 */

export type Log = NodeLog & { blockNumber: string; transactionHash: string }

export const c = chains.c
export const node = nodeAt(rpcUrlOf(c))

/** The first topics of the transfers of ERC-20 and ERC-721, and of ERC-1155. */
export const topics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  single: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  batch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
} as const

type Subjects = {
  readonly maker: Hex
  /** A contract by its name in docs/sample.md. */
  contract(name: string): Hex
  /** A height at which lists can end, because the account stays active during the tests. */
  readonly end: number
}

/** The account and the contracts of the running sample. */
async function subjects(): Promise<Subjects> {
  const { contracts, accounts } = (await sampleAddresses(sampleUrl)).c
  const named = (all: Readonly<Record<string, Hex>>, name: string): Hex => {
    const found = all[name]
    if (found === undefined) throw new Error(`the sample has no ${name}`)
    return found
  }
  return {
    maker: named(accounts, 'Maker 4'),
    contract: (name) => named(contracts, name),
    end: (await node.head()) - 1,
  }
}

/** A test of an address page, with the subjects of the running sample. */
export const test = base.extend<object, { subjects: Subjects }>({
  /* oxlint-disable no-empty-pattern -- Playwright reads the names of fixtures from a pattern */
  expectedErrors: async ({}, use) => use([errorsOfPictures]),
  subjects: [async ({}, use) => use(await subjects()), { scope: 'worker' }],
  /* oxlint-enable no-empty-pattern */
})

/** The path of an address page with its state. */
export const addressPath = (address: string, query = ''): string =>
  `/chain/${c.id}/address/${address}${query && `?${query}`}`

/** An address as a word of call data or a topic. */
export const word = (address: Hex): Hex => pad(address)

/** The logs that match a filter, from genesis on. */
export const logsOf = (filter: object): Promise<readonly Log[]> =>
  node.call('eth_getLogs', [{ fromBlock: '0x0', ...filter }])

/** The result of a view function at the head as an integer; undefined if it reverts. */
async function view(to: string, data: string): Promise<bigint | undefined> {
  const answer = await node.call<string>('eth_call', [{ to, data }, 'latest']).catch(() => undefined)
  return answer === undefined || !/^0x[0-9a-f]{64}/.test(answer) ? undefined : BigInt(answer.slice(0, 66))
}

/** `balanceOf` of a contract at the head; 0 if it reverts. */
export const balanceOf = async (token: string, holder: Hex): Promise<bigint> =>
  (await view(token, `0x70a08231${word(holder).slice(2)}`)) ?? 0n

/** The decimals of a token; undefined if the call reverts or the number is too large for a figure. */
export async function decimalsOf(token: string): Promise<number | undefined> {
  const said = await view(token, '0x313ce567')
  return said === undefined || said > 77n ? undefined : Number(said)
}

/** The exact amount of a cell, from its title, without the unit; empty without one. */
export async function figureOf(cell: Locator): Promise<string> {
  const titles = await cell
    .locator('[title]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('title')))
  return titles.at(-1)?.split(' ')[0] ?? ''
}
