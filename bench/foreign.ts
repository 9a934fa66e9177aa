// Sends transactions from ten of the sample's own accounts for a while: `npx tsx bench/foreign.ts --url
// http://127.0.0.1:4401 --seconds 600`. The sample may be restarted meanwhile. Prints what became of them.
import { parseArgs } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import type { PrivateKeyAccount } from 'viem/accounts'
import { sampleAccounts } from '../sample/testing/keys.ts'

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:4401' },
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: '1' },
    pause: { type: 'string', default: '250' },
  },
})

type Answer = {
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

const GWEI = 1_000_000_000n
const chains = [
  { name: 'C', id: 43_113 },
  { name: 'meridian', id: 431_301 },
  { name: 'harbor', id: 431_302 },
] as const
const figures = { sent: 0, refused: 0, unreachable: 0, included: 0, failed: 0, neverIncluded: 0 }
const refusals = new Map<string, number>()
const accepted: { readonly chain: string; readonly hash: string }[] = []

/** The answer to a call; undefined while the sample is unreachable or its chain is starting. */
async function ask(
  chain: string,
  method: string,
  ...params: readonly unknown[]
): Promise<Answer | undefined> {
  try {
    const response = await fetch(`${values.url}/ext/bc/${chain}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return response.ok ? ((await response.json()) as Answer) : undefined
  } catch {
    return undefined
  }
}

/** Of the kinds that a chain takes, with a nonce that is right, far ahead, used, or one that replaces another. */
async function signed(
  account: PrivateKeyAccount,
  chainId: number,
  next: number,
  turn: number,
): Promise<string> {
  const nonce = turn % 11 === 0 ? next + 2 : turn % 13 === 0 ? Math.max(0, next - 1) : next
  const gas = 120_000n
  const price = (150n + BigInt((turn * 37) % 90)) * GWEI
  const to = account.address
  const fees = { maxFeePerGas: price, maxPriorityFeePerGas: GWEI }
  switch (turn % 5) {
    case 0:
      return account.signTransaction({ type: 'legacy', chainId, nonce, gas, gasPrice: price, to, value: 1n })
    case 1:
      return account.signTransaction({
        type: 'eip2930',
        chainId,
        nonce,
        gas,
        gasPrice: price,
        to,
        accessList: [],
      })
    case 2: {
      const data = '0x600a600c600039600a6000f3602a60005260206000f3'
      return account.signTransaction({ type: 'eip1559', chainId, nonce, gas, ...fees, data })
    }
    case 3:
      return account.signTransaction({ type: 'eip1559', chainId, nonce, gas, ...fees, data: '0xfe' })
    default:
      return account.signTransaction({ type: 'eip1559', chainId, nonce, gas, ...fees, to, value: 5n })
  }
}

async function sendOne(account: PrivateKeyAccount, turn: number): Promise<void> {
  const chain = chains[turn % chains.length] ?? chains[0]
  const count = await ask(chain.name, 'eth_getTransactionCount', account.address, 'pending')
  if (count?.result === undefined) {
    figures.unreachable += 1
    return
  }
  const raw = await signed(account, chain.id, Number(count.result), turn)
  const answer = await ask(chain.name, 'eth_sendRawTransaction', raw)
  if (answer === undefined) figures.unreachable += 1
  else if (answer.error === undefined) {
    figures.sent += 1
    accepted.push({ chain: chain.name, hash: String(answer.result) })
  } else {
    figures.refused += 1
    const [words = ''] = answer.error.message.split(':')
    refusals.set(words, (refusals.get(words) ?? 0) + 1)
  }
}

const accounts = await sampleAccounts(Number(values.seed), 10)
const end = Date.now() + Number(values.seconds) * 1000
for (let turn = 0; Date.now() < end; turn += 1) {
  const account = accounts[Math.floor(turn / chains.length) % accounts.length]
  if (account !== undefined) await sendOne(account, turn)
  await delay(Number(values.pause))
}
// The last transactions wait for their blocks.
await delay(20_000)
for (const { chain, hash } of accepted) {
  const receipt = (await ask(chain, 'eth_getTransactionReceipt', hash))?.result as { status: string } | null
  if (receipt === null || receipt === undefined) figures.neverIncluded += 1
  else if (receipt.status === '0x1') figures.included += 1
  else figures.failed += 1
}
process.stdout.write(`${JSON.stringify({ ...figures, refusals: Object.fromEntries(refusals) }, null, 2)}\n`)
