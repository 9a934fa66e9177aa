import {
  createPublicClient,
  createWalletClient,
  defineChain,
  getAddress,
  http,
  keccak256,
  toHex,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { assemble, deploymentOf, type Step } from './evm-code.ts'

const selector = '0xa9059cbb'
const text = (value: string): Hex => toHex(value, { size: 32 })
const zeroWord: Hex = `0x${'00'.repeat(32)}`
const padded = (address: Address): Hex => `0x${'00'.repeat(12)}${address.slice(2).toLowerCase()}`
const topicOf = (signature: string): Hex => keccak256(toHex(signature))

/** Reverts with a reason, after a log and a call that the revert undoes. */
const refusal = (to: Address): Step[] => [
  { log: { topics: [text('undone')], data: [] } },
  { call: { kind: 'CALL', to, value: 0n, data: selector } },
  { revert: 'not today' },
]

/** Every kind of call, two creations, and logs between them. */
const everyCall = (to: Address, refuses: Address): Step[] => [
  { log: { topics: [text('one topic')], data: [text('some data')] } },
  { call: { kind: 'CALL', to, value: 3n } },
  { call: { kind: 'CALL', to: refuses, value: 0n, data: selector } },
  { call: { kind: 'STATICCALL', to: '0x0000000000000000000000000000000000000004', data: selector } },
  { call: { kind: 'DELEGATECALL', to: refuses, data: selector } },
  { call: { kind: 'CALLCODE', to, value: 0n, data: '0x12345678' } },
  { create: { code: [{ call: { kind: 'CALL', to, value: 1n } }], value: 2n } },
  { create: { code: [{ log: { topics: [], data: [] } }], value: 0n, salt: 7n } },
  { create: { code: [{ revert: '' }], value: 0n } },
  { log: { topics: [], data: [text('no topic')] } },
]

/** A transfer of each standard, a batch, and logs that only resemble transfers. */
const transfers = (from: Address, to: Address): Step[] => {
  const transfer = topicOf('Transfer(address,address,uint256)')
  const parties = [padded(from), padded(to)]
  const operated = [padded(to), ...parties]
  const amount = toHex(1_234_567_890_123_456_789_012n, { size: 32 })
  const [one, two, three] = [1, 2, 3].map((value) => toHex(value, { size: 32 }))
  const [at, then] = [0x40, 0xa0].map((value) => toHex(value, { size: 32 }))
  if (!one || !two || !three || !at || !then) throw new Error('words are made of numbers')
  return [
    { log: { topics: [transfer, ...parties], data: [amount] } },
    { log: { topics: [transfer, ...parties, toHex(42n, { size: 32 })], data: [] } },
    {
      log: {
        topics: [topicOf('TransferSingle(address,address,address,uint256,uint256)'), ...operated],
        data: [two, three],
      },
    },
    {
      log: {
        topics: [topicOf('TransferBatch(address,address,address,uint256[],uint256[])'), ...operated],
        data: [at, then, two, one, three, two, three, one],
      },
    },
    { log: { topics: [transfer, padded(from)], data: [zeroWord] } },
  ]
}

/** The number of senders besides the paying account. */
const companion = privateKeyToAccount(keccak256(toHex('companion of the story')))
const gas = 1_500_000n

type Sent = {
  readonly to?: Address
  readonly data?: Hex
  readonly value?: bigint
}

/**
 * Sends the cases that an explorer must distinguish on an EVM chain: transactions of types 0 to 2, calls of every
 * kind and depth, creations, failures with and without a reason, a self-destruct, logs with zero to four topics,
 * token transfers, and blocks with several logging transactions. `key`, in hex without 0x, pays. Resolves with the
 * accounts that took part.
 */
export async function playEvm(url: string, key: string): Promise<readonly Address[]> {
  const payer = privateKeyToAccount(`0x${key}`)
  const transport = http(url, { timeout: 240_000, retryCount: 0 })
  const client = createPublicClient({ transport, pollingInterval: 100 })
  const chain = defineChain({
    id: await client.getChainId(),
    name: 'real',
    nativeCurrency: { name: 'Coin', symbol: 'COIN', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const walletOf = (account: typeof payer) => createWalletClient({ account, chain, transport })
  const [paying, second] = [walletOf(payer), walletOf(companion)]
  const heir = getAddress(`0x${'11'.repeat(20)}`)

  const mined = (hash: Hex): Promise<TransactionReceipt> =>
    client.waitForTransactionReceipt({ hash, timeout: 240_000 })
  async function send(wanted: TransactionReceipt['status'], hash: Promise<Hex>): Promise<TransactionReceipt> {
    const receipt = await mined(await hash)
    if (receipt.status !== wanted) throw new Error(`${receipt.transactionHash} is ${receipt.status}`)
    return receipt
  }
  const legacy = (sent: Sent): Promise<Hex> =>
    paying.sendTransaction({ ...sent, gas: 700_000n, type: 'legacy' })
  const modern = (sent: Sent): Promise<Hex> => paying.sendTransaction({ ...sent, gas, type: 'eip1559' })
  async function deploy(runtime: readonly Step[]): Promise<Address> {
    const { contractAddress } = await send('success', modern({ data: deploymentOf(runtime) }))
    if (contractAddress == null) throw new Error('the deployment made no contract')
    return contractAddress
  }

  await send('success', legacy({ to: companion.address, value: 5n * 10n ** 18n }))
  const refuses = await deploy(refusal(heir))
  const acts = await deploy(everyCall(heir, refuses))
  await send(
    'success',
    // Chains that restrict creations allow them to the paying account.
    paying.sendTransaction({
      to: acts,
      data: `${selector}${padded(heir).slice(2)}${'00'.repeat(31)}05`,
      value: 9n,
      gas,
      type: 'eip2930',
      accessList: [{ address: acts, storageKeys: [zeroWord] }],
    }),
  )
  await send('reverted', legacy({ to: refuses, data: '0x01' }))
  await send(
    'reverted',
    modern({ data: assemble([...everyCall(heir, refuses), { revert: 'in vain' }]), value: 9n }),
  )
  await send('success', modern({ data: assemble(transfers(payer.address, companion.address)) }))
  await send('success', modern({ data: assemble([{ selfDestruct: heir }]), value: 4n }))
  await send('success', modern({ to: heir, data: '0xdeadbeefcafe' }))
  await send(
    'success',
    second.sendTransaction({
      to: payer.address,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 90n * 10n ** 9n,
      maxPriorityFeePerGas: 2n * 10n ** 9n,
    }),
  )

  // Log indexes within a block differ from those within a transaction only if several transactions log.
  for (let attempt = 0; ; attempt += 1) {
    const nonce = await client.getTransactionCount({ address: payer.address, blockTag: 'pending' })
    const sent = await Promise.all(
      [
        { to: acts, value: 9n },
        { data: assemble(transfers(payer.address, heir)) },
        { to: acts, value: 8n },
      ].map((each, at) => paying.sendTransaction({ ...each, gas, nonce: nonce + at })),
    )
    const receipts = await Promise.all(sent.map(mined))
    if (new Set(receipts.map(({ blockHash }) => blockHash)).size < receipts.length) break
    if (attempt === 10) throw new Error('no block took two transactions')
  }
  return [payer.address, companion.address, heir, refuses, acts]
}
