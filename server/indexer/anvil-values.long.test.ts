import {
  createTestClient,
  createWalletClient,
  getContractAddress,
  http,
  publicActions,
  sha256,
  type Hex,
} from 'viem'
import type { HDAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anvilAccount } from '../node/testing/anvil.ts'
import { testConfig } from '../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { startTestService, type TestService } from '../testing/service.ts'
import { verifyChain } from '../verify/chain.ts'
import { startAnvil, type AnvilNode } from './testing/anvil.ts'
import { chainConfig, startIndexer, storedHead, until } from './testing/harness.ts'

const chainId = 43_114
const account = anvilAccount()
const stranger = anvilAccount(1).address.toLowerCase() as Hex
/** A blob of zeros: commitment and proof are the point at infinity (EIP-4844). */
const blob: Hex = `0x${'00'.repeat(131_072)}`
const infinity: Hex = `0xc0${'00'.repeat(47)}`
const versionedHash: Hex = `0x01${sha256(infinity).slice(4)}`

/** Code that calls an address with a type of call and the value that it was given. */
function callerBy(type: 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL', target: Hex): Hex {
  const hasValue = type === 'CALL' || type === 'CALLCODE'
  const opcode = { CALL: 'f1', CALLCODE: 'f2', DELEGATECALL: 'f4', STATICCALL: 'fa' }[type]
  const code = `5f5f5f5f${hasValue ? '34' : ''}73${target.slice(2)}5a${opcode}00`
  const size = (code.length / 2).toString(16).padStart(2, '0')
  return `0x60${size}600c60003960${size}6000f3${code}`
}

let anvil: AnvilNode
let store: TestDatabase
let service: TestService
let blobHash: Hex
let plainHash: Hex
let delegatingHash: Hex
/** Accounts that sign authorizations and send nothing. */
const signers = [5, 6, 7].map((index) => anvilAccount(index))
const twice = anvilAccount(8)
const sameBlock: Hex[] = []
const callers: Record<string, Hex> = {}
let implementation: Hex
const balanceAt: (address: Hex, number: bigint) => Promise<bigint> = (address, blockNumber) =>
  node().getBalance({ address, blockNumber })
const node = () =>
  createTestClient({
    chain: { ...foundry, id: chainId },
    mode: 'anvil',
    transport: http(anvil.rpcUrl),
  }).extend(publicActions)

beforeAll(async () => {
  anvil = await startAnvil(chainId)
  store = await createTestDatabase()
  // The first blob takes anvil long: it sets up the cryptography.
  const transport = http(anvil.rpcUrl, { timeout: 60_000, retryCount: 0 })
  const wallet = createWalletClient({ chain: { ...foundry, id: chainId }, transport })
  const client = node()
  let nonce = 0
  const send = async (fields: { to?: Hex; data?: Hex; value?: bigint }) => {
    const hash = await wallet.sendTransaction({ account, nonce, gas: 200_000n, ...fields })
    nonce += 1
    await client.mine({ blocks: 1 })
    const { status } = await client.getTransactionReceipt({ hash })
    expect(status).toBe('success')
    return hash
  }
  const deploy = async (data: Hex): Promise<Hex> => {
    const at = getContractAddress({ from: account.address, nonce: BigInt(nonce) }).toLowerCase() as Hex
    await send({ data })
    return at
  }
  // Code that accepts anything.
  implementation = await deploy('0x6001600c60003960016000f300')
  for (const type of ['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'] as const) {
    callers[type] = await deploy(callerBy(type, implementation))
    await send({ to: callers[type], value: 1_000n })
  }
  blobHash = await wallet.sendTransaction({
    account,
    nonce,
    to: stranger,
    value: 5n,
    gas: 21_000n,
    type: 'eip4844',
    blobVersionedHashes: [versionedHash],
    sidecars: [{ blob, commitment: infinity, proof: infinity }],
    maxFeePerBlobGas: 10n ** 10n,
  } as never)
  nonce += 1
  await client.mine({ blocks: 1 })
  plainHash = await send({ to: stranger, value: 5n })
  const [first, second, third] = signers
  if (!first || !second || !third) throw new Error('nobody')
  const sign = async (signer: HDAccount, of: number, on = chainId) => {
    const signed = await signer.signAuthorization?.({
      chainId: on,
      contractAddress: implementation,
      nonce: of,
    })
    if (!signed) throw new Error('the account signs no authorizations')
    return signed
  }
  delegatingHash = await wallet.sendTransaction({
    account,
    nonce,
    to: stranger,
    gas: 400_000n,
    authorizationList: [
      await sign(first, 0),
      // The same again: its nonce is used up.
      await sign(first, 0),
      await sign(first, 1, 0),
      await sign(second, 7),
      await sign(third, 0, chainId + 1),
      // The sender's own nonce is raised before.
      await sign(account, nonce),
      await sign(account, nonce + 1),
    ],
  })
  nonce += 2
  await client.mine({ blocks: 1 })
  // One account in two transactions of a block: the second finds what the first has left.
  for (const nonces of [[0], [0, 1]]) {
    const authorizationList = await Promise.all(nonces.map((of) => sign(twice, of)))
    sameBlock.push(
      await wallet.sendTransaction({ account, nonce, to: stranger, gas: 200_000n, authorizationList }),
    )
    nonce += 1
  }
  await client.mine({ blocks: 1 })
  const indexer = startIndexer(store.database, chainConfig({ evmChainId: chainId, rpcUrl: anvil.rpcUrl }))
  const { number, hash } = await client.getBlock()
  await until('it is indexed', async () => (await storedHead(store.database, chainId))?.hash === hash)
  expect(number).toBeGreaterThan(5n)
  await indexer.stop()
  service = await startTestService(store.database, {
    config: testConfig({ chains: [{ evmChainId: chainId, name: 'Test', rpcUrl: anvil.rpcUrl }] }),
  })
})

afterAll(async () => {
  await (service as TestService | undefined)?.close()
  await anvil.stop()
  await store.drop()
})

const get = async (path: string) => (await service.app.inject(`/v1/chains/${chainId}${path}`)).json()

test('only a CALL moves its value: the list of an implementation has no other', async () => {
  const { transactions } = await get(`/addresses/${implementation}/transactions:listInternals`)
  expect(
    transactions.map(({ internalTxType, value, from }: Record<string, unknown>) => [
      internalTxType,
      value,
      from,
    ]),
  ).toEqual([['CALL', '1000', { address: callers['CALL'] }]])
  const balance = await node().getBalance({ address: implementation })
  expect(balance).toBe(1_000n)
  for (const type of ['CALLCODE', 'DELEGATECALL', 'STATICCALL']) {
    const caller = callers[type] ?? '0x'
    expect((await get(`/addresses/${caller}/transactions:listInternals`)).transactions, type).toEqual([])
    expect(await node().getBalance({ address: caller as Hex }), type).toBe(1_000n)
  }
  const { findings } = await verifyChain({ database: store.database, chain: chainId, rpcUrl: anvil.rpcUrl })
  expect(findings.all()).toEqual([])
})

test('the fee of a blob transaction is all that its sender lost beside the value', async () => {
  for (const [hash, hasBlobs] of [
    [blobHash, true],
    [plainHash, false],
  ] as const) {
    const receipt = await node().getTransactionReceipt({ hash })
    const before = await balanceAt(account.address, receipt.blockNumber - 1n)
    const after = await balanceAt(account.address, receipt.blockNumber)
    const fee = before - after - 5n
    const { nativeTransaction } = await get(`/transactions/${hash}`)
    expect(nativeTransaction.txFee).toBe(String(fee))
    const blobs = hasBlobs
      ? { blobGasUsed: String(receipt.blobGasUsed), blobGasPrice: String(receipt.blobGasPrice) }
      : {}
    const of = (row: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => name.startsWith('blobGas')))
    expect(of(nativeTransaction)).toEqual(blobs)
    expect(of(await get(`/transactions/${hash}/envelope`))).toEqual(blobs)
    const listed = (await get('/transactions?pageSize=5')).transactions as Record<string, unknown>[]
    expect(of(listed.find(({ txHash }) => txHash === hash) ?? {})).toEqual(blobs)
    const own = (await get(`/addresses/${stranger}/transactions:listNative`)).transactions as Record<
      string,
      unknown
    >[]
    expect(of(own.find(({ txHash }) => txHash === hash) ?? {})).toEqual(blobs)
    const { changes } = await get(`/transactions/${hash}/changes`)
    const sender = changes.find(
      ({ address }: { address: { address: string } }) => address.address === account.address.toLowerCase(),
    )
    expect(sender).toMatchObject({ change: String(after - before) })
    expect(BigInt(sender.balanceAfter) - BigInt(sender.balanceBefore)).toBe(BigInt(sender.change))
  }
})

test('each authorization says what became of it, as the codes of its accounts do', async () => {
  const { authorizationList } = await get(`/transactions/${delegatingHash}/envelope`)
  expect(authorizationList.map(({ outcome }: { outcome?: string }) => outcome)).toEqual([
    'APPLIED',
    'WRONG_NONCE',
    'APPLIED',
    'WRONG_NONCE',
    'OTHER_CHAIN',
    'WRONG_NONCE',
    'APPLIED',
  ])
  const codes = await Promise.all([...signers, account].map(({ address }) => node().getCode({ address })))
  const delegated = `0xef0100${implementation.slice(2)}`
  expect(codes).toEqual([delegated, undefined, undefined, delegated])
})

test('an authorization is judged by what earlier transactions of its block have left', async () => {
  const blocks = await Promise.all(
    sameBlock.map(async (hash) => (await node().getTransactionReceipt({ hash })).blockNumber),
  )
  expect(new Set(blocks).size).toBe(1)
  const outcomes = await Promise.all(
    sameBlock.map(async (hash) => {
      const { authorizationList } = await get(`/transactions/${hash}/envelope`)
      return authorizationList.map(({ outcome }: { outcome?: string }) => outcome)
    }),
  )
  expect(outcomes).toEqual([['APPLIED'], ['WRONG_NONCE', 'APPLIED']])
  expect(await node().getTransactionCount({ address: twice.address })).toBe(2)
})

test('the list of an account has the transaction that carried its authorizations', async () => {
  const [first, second, third] = signers.map(({ address }) => address.toLowerCase())
  const carried = async (address: string | undefined) => {
    const { transactions } = await get(`/addresses/${address}/transactions`)
    return transactions.map(
      ({
        nativeTransaction: { txHash },
        authorizations,
      }: {
        nativeTransaction: { txHash: string }
        authorizations?: { nonce: string; address: { address: string } }[]
      }) => [txHash, authorizations?.map(({ nonce, address }) => `${nonce} ${address.address}`)],
    )
  }
  const of = (...nonces: number[]) => nonces.map((nonce) => `${nonce} ${implementation}`)
  expect(await carried(first)).toEqual([[delegatingHash, of(0, 0, 1)]])
  // Not applied, but signed by the account for this chain.
  expect(await carried(second)).toEqual([[delegatingHash, of(7)]])
  // For another chain.
  expect(await carried(third)).toEqual([])
  const own = (await carried(account.address)).filter(([, signed]: [string, unknown]) => signed !== undefined)
  expect(own).toEqual([[delegatingHash, [expect.anything(), expect.anything()]]])
  const { firstBlock } = await get(`/addresses/${first}/overview`)
  expect(firstBlock).toBe((await get(`/transactions/${delegatingHash}`)).nativeTransaction.blockNumber)
  await store.database`update authorizations set nonce = nonce + 1 where index = 3`
  const { findings } = await verifyChain({ database: store.database, chain: chainId, rpcUrl: anvil.rpcUrl })
  expect(findings.all().join()).toMatch(/authorization/)
  await store.database`update authorizations set nonce = nonce - 1 where index = 3`
})

test('access lists, blobs and authorizations are stored as the node lists them', async () => {
  const rows = await store.database<{ hash: string; fields: string }[]>`
    select '0x' || encode(t.hash, 'hex') as hash, e.fields from envelopes e
    join transactions t on t.chain = e.chain and t.number = e.number and t.index = e.tx_index
    where e.chain = ${chainId}`
  const fieldsOf = new Map(
    rows.map(({ hash, fields }) => [hash, JSON.parse(fields) as Record<string, unknown>]),
  )
  expect(fieldsOf.get(delegatingHash)?.['authorizationList']).toHaveLength(7)
  expect(fieldsOf.get(blobHash)?.['blobVersionedHashes']).toHaveLength(1)
  const report = await verifyChain({ database: store.database, chain: chainId, rpcUrl: anvil.rpcUrl })
  expect(report.findings.all()).toEqual([])
  // A changed row is found: the checker reads the node with code of its own.
  await store.database`update envelopes set fields = replace(fields, '"0x1"', '"0x2"')
    where (number, tx_index) = (select number, index from transactions where hash = ${Buffer.from(delegatingHash.slice(2), 'hex')})`
  const changed = await verifyChain({ database: store.database, chain: chainId, rpcUrl: anvil.rpcUrl })
  expect(changed.findings.all()).toEqual([expect.stringContaining('envelope')])
})
