import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  keccak256,
  numberToHex,
} from 'viem'
import { type Node, startAnvil } from './anvil.ts'
import { cacheFolder, root, say } from './paths.ts'
import { type BareRpc, openRpc } from './rpc.ts'

/** The reference chain of docs/performance.md: 90 days of hourly blocks, each with 11 transactions that make 105 token transfers. */
export const referenceChain = {
  chainId: 271_828,
  blocks: 2_160,
  transactions: 11,
  transfers: 105,
} as const

/**
 * The node of a reference chain with its number of blocks after block 0; `version` identifies this chain, for reusing
 * its rows.
 */
export type ReferenceNode = Node & { readonly version: string; readonly blocks: number }

/** A length of the reference chain: its blocks, the cache folder of its file, and the node's options. */
type Length = { readonly blocks: number; readonly folder: string; readonly options: readonly string[] }

const defaultLength: Length = {
  blocks: referenceChain.blocks,
  folder: 'reference-chain',
  // Without old states, the node would trace the blocks that it loads with only one of its two methods.
  options: ['--preserve-historical-states'],
}

/** Four times as long. Its file has no old states, which would make it 3 GB instead of 1. */
const long: Length = {
  blocks: 4 * referenceChain.blocks,
  folder: 'long-reference-chain',
  options: ['--prune-history'],
}

const senders = 11
const holders = 600
const hour = 3_600
/** Maximum age in seconds of the end of a cached chain, because pages show the last 90 days by default. */
const oldest = 7 * 24 * hour

const settingsOf = (genesisTime: number): string[] =>
  [
    `--chain-id ${referenceChain.chainId} --hardfork cancun --no-mining --timestamp ${genesisTime}`,
    `--accounts ${senders} --balance 1000000 --mnemonic-seed-unsafe 7`,
  ].flatMap((line) => line.split(' '))

/**
 * Starts the node of the reference chain, whose last block is at most a week old. The first call of a week
 * mines it, which takes half a minute; later calls load it from `.cache/bench`.
 */
export function startReferenceChain(): Promise<ReferenceNode> {
  return startChain(defaultLength)
}

/**
 * Like `startReferenceChain`, with a chain of four times the blocks, whose contents are alike, and without old states
 * or traces. Mining it takes two minutes.
 */
export function startLongReferenceChain(): Promise<ReferenceNode> {
  return startChain(long)
}

async function startChain({ blocks, folder: name, options: own }: Length): Promise<ReferenceNode> {
  const folder = cacheFolder(name)
  const states = mkdtempSync(join(folder, 'states-'))
  const withoutStates = (node: Node): Node => ({
    ...node,
    async stop() {
      await node.stop()
      rmSync(states, { recursive: true, force: true })
    },
  })
  const start = async (genesisTime: number, options: readonly string[]): Promise<Node> =>
    startAnvil([...settingsOf(genesisTime), ...own, '--cache-path', states, ...options])

  const wanted = Math.floor(Date.now() / 1_000 / hour) * hour - blocks * hour
  let genesisTime = keptGenesis(folder, wanted)
  if (genesisTime === undefined) {
    say(`mining the reference chain: ${blocks} blocks …`)
    genesisTime = wanted
    const unfinished = join(folder, 'unfinished.json')
    const maker = await start(genesisTime, ['--dump-state', unfinished])
    try {
      await mineAll(maker.url, genesisTime, blocks)
    } finally {
      await maker.stop()
    }
    renameSync(unfinished, join(folder, fileOf(genesisTime)))
  }
  const node = await start(genesisTime, ['--load-state', join(folder, fileOf(genesisTime))])
  return { ...withoutStates(node), version: String(genesisTime), blocks }
}

const fileOf = (genesisTime: number): string => `state-${genesisTime}.json`

/** The genesis time of a chain from an earlier run; older chains are deleted. */
function keptGenesis(folder: string, wanted: number): number | undefined {
  let kept: number | undefined
  for (const name of readdirSync(folder)) {
    const found = /^state-(\d+)\.json$/.exec(name)?.[1]
    if (found === undefined) continue
    if (Number(found) >= wanted - oldest) kept = Number(found)
    else rmSync(join(folder, name))
  }
  return kept
}

async function mineAll(url: string, genesisTime: number, blocks: number): Promise<void> {
  const rpc = openRpc(url, 1)
  try {
    const began = Date.now()
    const mine = async (height: number): Promise<unknown> =>
      rpc.call('evm_mine', [genesisTime + height * hour])
    const send = await deployToken(rpc)
    await mine(1)
    for (let height = 2; height <= blocks; height += 1) {
      await rpc.batch(transactionsOf(height, send))
      await mine(height)
      if (height % 540 === 0) say(`${height} blocks after ${Math.round((Date.now() - began) / 1000)} s`)
    }
    await checkBlock(rpc, blocks)
  } finally {
    rpc.close()
  }
}

type Send = {
  readonly senders: readonly `0x${string}`[]
  readonly token: `0x${string}`
  readonly abi: Abi
}

/** Sends the contents of block 1: the token's creation and its first holders, which are the later senders. */
async function deployToken(rpc: BareRpc): Promise<Send> {
  const accounts = (await rpc.call('eth_accounts', [])) as `0x${string}`[]
  const owner = accounts[0]
  if (owner === undefined) throw new Error('the node has no accounts')
  const compiled = JSON.parse(readFileSync(join(root, 'sample/contracts/contracts.json'), 'utf8')) as {
    contracts: { Token: { abi: Abi; bytecode: `0x${string}` } }
  }
  const { abi, bytecode } = compiled.contracts.Token
  const token = getContractAddress({ from: owner, nonce: 0n })
  const args = ['Reference', 'REF', 18, 10n ** 24n]
  await rpc.call('eth_sendTransaction', [
    transaction(owner, 0, { data: encodeDeployData({ abi, bytecode, args }), gas: numberToHex(4_000_000) }),
  ])
  const fund = encodeFunctionData({ abi, functionName: 'payAll', args: [accounts, 10n ** 24n] })
  await rpc.call('eth_sendTransaction', [transaction(owner, 1, { to: token, data: fund })])
  return { senders: accounts, token, abi }
}

function transaction(from: string, nonce: number, rest: Record<string, string>): Record<string, string> {
  const maxFeePerGas = numberToHex(2_000_000_000)
  const maxPriorityFeePerGas = numberToHex(1_000_000_000)
  const gas = numberToHex(1_200_000)
  return { from, nonce: numberToHex(nonce), gas, maxFeePerGas, maxPriorityFeePerGas, ...rest }
}

/** A holder's address; the holders paid by a block are derived from its height alone. */
function holder(height: number, position: number): `0x${string}` {
  const draw = (height * 7_919 + position * 104_729 + (height % 13) * position) % holders
  return `0x${keccak256(numberToHex(draw, { size: 32 })).slice(26)}`
}

/** Five payments to 20 holders each, five single transfers and one of the native token: 11 and 105. */
function transactionsOf(height: number, { senders, token, abi }: Send): [string, unknown[]][] {
  return senders.map((from, position) => {
    const nonce = height - 2 + (position === 0 ? 2 : 0)
    if (position === 10) {
      const value = numberToHex(10n ** 15n)
      return [
        'eth_sendTransaction',
        [transaction(from, nonce, { to: holder(height, 999), value, data: '0x' })],
      ]
    }
    const many = position < 5
    const recipients = Array.from({ length: many ? 20 : 1 }, (_, index) =>
      holder(height, position * 20 + index),
    )
    const data = many
      ? encodeFunctionData({ abi, functionName: 'payAll', args: [recipients, 10n ** 15n] })
      : encodeFunctionData({ abi, functionName: 'transfer', args: [recipients[0], 10n ** 16n] })
    return ['eth_sendTransaction', [transaction(from, nonce, { to: token, data })]]
  })
}

/** A chain that lost transactions would improve every figure. */
async function checkBlock(rpc: BareRpc, height: number): Promise<void> {
  const receipts = (await rpc.call('eth_getBlockReceipts', [numberToHex(height)])) as {
    status: string
    logs: unknown[]
  }[]
  const logs = receipts.reduce((sum, receipt) => sum + receipt.logs.length, 0)
  const failed = receipts.filter((receipt) => receipt.status !== '0x1').length
  if (receipts.length !== referenceChain.transactions || logs !== referenceChain.transfers || failed > 0)
    throw new Error(`block ${height} has ${receipts.length} transactions, ${failed} failed, ${logs} logs`)
}
