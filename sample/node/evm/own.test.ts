import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Hex, fromRlp, keccak256 } from 'viem'
import { accountChangesOf } from '../../primary/account-changes.ts'
import { bytesOf } from '../../../protocol/ids/bare-hex.ts'
import { sampleAddresses } from '../../testing/addresses.ts'
import { allBlocks, answerOf, resultOf, type TestBlock } from '../../testing/ask.ts'
import { type Recorded, recordedCalls, repeat } from '../../testing/recorded-answers.ts'
import { type RunningSample, startSample } from '../../testing/start.ts'

let sample: RunningSample
let c = ''
let meridian = ''

beforeAll(async () => {
  sample = await startSample({ hours: 120 })
  c = sample.chain('C-Chain').rpcUrl
  meridian = sample.chain('Meridian').rpcUrl
})
afterAll(() => sample.stop())

const onC = recordedCalls('evm-answers.json')
const onL1 = recordedCalls('rules-answers.json')

function found(calls: ReadonlyMap<string, Recorded>, name: string): Recorded {
  const call = calls.get(name)
  if (call === undefined) throw new Error(`${name} has not been recorded`)
  return call
}

function errorOf({ answer }: Recorded): unknown {
  return (answer as { error?: unknown }).error
}

type Config = Readonly<Record<string, unknown>>

describe('methods of the C-Chain that Ethereum lacks', () => {
  test.each([
    'C.eth_feeConfig',
    'C.eth_getActivePrecompilesAt',
    'C.eth_getActiveRulesAt',
    'C.eth_blobBaseFee',
    'C.eth_hashrate',
    'C.eth_mining',
    'C.eth_protocolVersion',
    'C.eth_getBadBlocks',
    'C.debug_getBadBlocks',
    'C.eth_subscribe.overHttp',
    'C.ws.overHttp',
  ])('%s', async (name) => {
    const { status, answer } = found(onC, name)
    expect(await repeat(sample.url, found(onC, name))).toEqual({ status, answer })
  })

  test('returns a configuration with the members of a real one and the network’s upgrade times', async () => {
    const config = await resultOf<Config>(c, 'eth_getChainConfig')
    const real = (found(onC, 'C.eth_getChainConfig').answer as { result: Config }).result
    expect(Object.keys(config)).toEqual(Object.keys(real))
    const upgrades = await resultOf<Readonly<Record<string, string>>>(
      `${sample.url}/ext/info`,
      'info.upgrades',
      {},
    )
    const seconds = (name: string): number => Date.parse(upgrades[name] ?? '') / 1000
    expect(config).toMatchObject({
      chainId: 43113,
      durangoBlockTimestamp: seconds('durangoTime'),
      etnaTimestamp: seconds('etnaTime'),
      cancunTime: seconds('etnaTime'),
      graniteTimestamp: seconds('graniteTime'),
      banffBlockTimestamp: seconds('banffTime'),
    })
  })

  test('predicts the base fee and suggests prices from it', async () => {
    const [baseFee, tip] = await Promise.all([
      resultOf<string>(c, 'eth_baseFee'),
      resultOf<string>(c, 'eth_maxPriorityFeePerGas'),
    ])
    const history = await resultOf<{ baseFeePerGas: string[] }>(c, 'eth_feeHistory', '0x1', 'latest', [])
    expect(baseFee).toBe(history.baseFeePerGas[1])
    const { normal, slow } = await resultOf<
      Record<string, { maxFeePerGas: string; maxPriorityFeePerGas: string }>
    >(c, 'eth_suggestPriceOptions')
    expect(normal).toEqual({
      maxPriorityFeePerGas: tip,
      maxFeePerGas: `0x${(2n * BigInt(baseFee) + BigInt(tip)).toString(16)}`,
    })
    expect(BigInt(slow?.maxPriorityFeePerGas ?? 0)).toBe((BigInt(tip) * 95n) / 100n)
  })
})

describe('eth_getProof', () => {
  test.each([
    'C.eth_getProof.archive.future',
    'C.eth_getProof.archive.unknownHash',
    'Cpruning.eth_getProof.badKey',
    'Cpruning.eth_getProof.byHash.unknown',
    'Cpruning.eth_getProof.longKey',
    'Cpruning.eth_getProof.missingBlockParam',
  ])('%s', async (name) => {
    const { status, answer } = found(onC, name)
    expect(await repeat(sample.url, found(onC, name))).toEqual({ status, answer })
  })

  test('gives proofs up to 32 blocks back, like a pruned node', async () => {
    const { number } = await resultOf<TestBlock>(c, 'eth_getBlockByNumber', 'latest', false)
    const head = Number(number)
    const someone = `0x${'11'.repeat(20)}`
    const refused = (await answerOf(c, 'eth_getProof', someone, [], `0x${(head - 33).toString(16)}`)).error
    // The recorded message, with this chain's numbers.
    const words = (errorOf(found(onC, 'Cpruning.eth_getProof.genesis')) as { message: string }).message
    expect(refused).toEqual({
      code: -32000,
      message: words
        .replace(/number 0 /, `number ${head - 33} `)
        .replace(/number 13 /, `number ${head - 32} `),
    })
    const edge = await resultOf<TestBlock & { stateRoot: string }>(
      c,
      'eth_getBlockByNumber',
      `0x${(head - 32).toString(16)}`,
      false,
    )
    const oldest = await resultOf<{ accountProof: Hex[] }>(c, 'eth_getProof', someone, [], edge.hash)
    expect(keccak256(oldest.accountProof[0] ?? '0x')).toBe(edge.stateRoot)
    const latest = await resultOf<{ stateRoot: string; miner: string }>(
      c,
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    const proof = await resultOf<{ accountProof: Hex[]; codeHash: string; storageProof: unknown[] }>(
      c,
      'eth_getProof',
      someone,
      ['0x1'],
      { blockNumber: number },
    )
    expect(keccak256(proof.accountProof[0] ?? '0x')).toBe(latest.stateRoot)
    expect(proof.codeHash).toBe(`0x${'00'.repeat(32)}`)
    expect(proof.storageProof).toEqual([{ key: '0x1', value: '0x0', proof: [] }])
  })
})

describe('the states of the C-Chain around atomic transactions', () => {
  type Proof = { accountProof: Hex[]; balance: Hex; nonce: Hex }

  /** The account in a proof, as the trie under `root` has it: checked node by node, by the rules of the Yellow Paper. */
  function provenAccount(address: string, root: string, proof: readonly Hex[]): Hex[] | undefined {
    let expected = root
    let path = keccak256(address as Hex).slice(2)
    for (const node of proof) {
      expect(keccak256(node)).toBe(expected)
      const items = fromRlp(node, 'hex') as Hex[]
      if (items.length === 17) {
        expected = items[Number.parseInt(path[0] ?? '', 16)] ?? '0x'
        path = path.slice(1)
        if (expected === '0x') return undefined
        continue
      }
      const [encoded = '0x', content = '0x'] = items
      const isOdd = Number.parseInt(encoded[2] ?? '', 16) % 2 === 1
      const own = encoded.slice(isOdd ? 3 : 4)
      if (!path.startsWith(own)) return undefined
      path = path.slice(own.length)
      if (path === '') return fromRlp(content, 'hex') as Hex[]
      expected = content
    }
    throw new Error('the proof ends early')
  }

  /** Code that returns the balance of an account: PUSH20, BALANCE, and MSTORE and RETURN of one word. */
  const readingBalance = (address: string) => ({ data: `0x73${address.slice(2)}3160005260206000f3` })

  test('prove every account at every block of the window, with the balances that are told and that calls see', async () => {
    const blocks = await allBlocks(c)
    const head = blocks.length - 1
    const window = blocks.slice(head - 32) as unknown as (TestBlock & {
      stateRoot: string
      blockExtraData?: Hex
    })[]
    const touched = window.flatMap(({ blockExtraData }) =>
      accountChangesOf(blockExtraData === undefined ? undefined : bytesOf(blockExtraData.slice(2))).map(
        ({ account }) => `0x${account}`,
      ),
    )
    // Every atomic transaction but one in the first block changes a state that is proven here.
    expect(touched.length).toBeGreaterThan(1)
    const { Deployer = '' } = (await sampleAddresses(sample.url)).c.accounts
    const accounts = [...new Set(touched), Deployer, `0x${'11'.repeat(20)}`]
    for (const { number, hash, stateRoot } of window) {
      for (const address of accounts) {
        const proof = await resultOf<Proof>(c, 'eth_getProof', address, [], number)
        const [nonce, balance] = provenAccount(address, stateRoot, proof.accountProof) ?? ['0x', '0x']
        const what = `${address} at ${Number(number)}`
        expect(BigInt(proof.balance), what).toBe(BigInt(balance === '0x' ? 0 : (balance ?? 0)))
        expect(BigInt(proof.nonce), what).toBe(BigInt(nonce === '0x' ? 0 : (nonce ?? 0)))
        for (const block of [number, hash, { blockHash: hash }]) {
          expect(BigInt(await resultOf<Hex>(c, 'eth_getBalance', address, block)), what).toBe(
            BigInt(proof.balance),
          )
          expect(BigInt(await resultOf<Hex>(c, 'eth_getTransactionCount', address, block)), what).toBe(
            BigInt(proof.nonce),
          )
          const seen = await resultOf<Hex>(c, 'eth_call', readingBalance(address), block)
          expect(BigInt(seen), what).toBe(BigInt(proof.balance))
        }
        const call = readingBalance(address)
        const tracer = { tracer: 'callTracer' }
        const { output } = await resultOf<{ output: Hex }>(c, 'debug_traceCall', call, number, tracer)
        const { returnData } = await resultOf<{ returnData: Hex }>(c, 'eth_callDetailed', call, number)
        expect([BigInt(output), BigInt(returnData)], what).toEqual([
          BigInt(proof.balance),
          BigInt(proof.balance),
        ])
        // What the caller assumes goes before what was.
        const assumed = { [address]: { balance: '0x7' } }
        expect(BigInt(await resultOf<Hex>(c, 'eth_call', call, number, assumed)), what).toBe(7n)
      }
    }
  })
})

describe('raw blocks, headers and receipts', () => {
  test('hash to the block’s hash and receipts root', async () => {
    const { number, hash, transactions } = await resultOf<TestBlock>(c, 'eth_getBlockByNumber', '0x9', false)
    expect(keccak256(await resultOf<Hex>(c, 'debug_getRawHeader', number))).toBe(hash)
    expect(await resultOf(c, 'eth_getHeaderByHash', hash)).toMatchObject({ number, hash })
    const [first = ''] = transactions
    const raw = await resultOf<Hex>(c, 'debug_getRawTransaction', first)
    expect(keccak256(raw)).toBe(first)
    expect(await resultOf<string>(c, 'debug_getRawBlock', number)).toContain(raw.slice(2))
    const receipts = await resultOf<Hex[]>(c, 'debug_getRawReceipts', hash)
    const { cumulativeGasUsed, status } = await resultOf<{ cumulativeGasUsed: Hex; status: Hex }>(
      c,
      'eth_getTransactionReceipt',
      first,
    )
    expect(receipts).toHaveLength(transactions.length)
    const [ok, used] = fromRlp(`0x${receipts[0]?.replace(/^0x0[12]/, '') ?? ''}`, 'hex') as Hex[]
    expect([BigInt(ok ?? 0), BigInt(used ?? 0)]).toEqual([BigInt(status), BigInt(cumulativeGasUsed)])
  })

  test('come with calls that return their gas and their error', async () => {
    const detailed = await resultOf(
      c,
      'eth_callDetailed',
      { to: `0x${'11'.repeat(20)}`, data: '0x' },
      'latest',
    )
    expect(detailed).toEqual({ gas: 21_000, errCode: 0, err: '', returnData: '0x' })
  })
})

describe('methods of a subnet’s chain', () => {
  test.each(
    [...onL1.values()]
      .filter((call) => errorOf(call) !== undefined && call.name.includes('.upg.'))
      .map((call) => [call.name, call] as const),
  )('%s', async (_, call) => {
    const { method, params } = call.body as { method: string; params: unknown[] }
    expect((await answerOf(meridian, method, ...params)).error).toEqual(errorOf(call))
  })

  test('returns the fee configuration of a block and the block that last changed it', async () => {
    const config = await resultOf<Config>(meridian, 'eth_getChainConfig')
    const { precompileUpgrades } = config['upgrades'] as {
      precompileUpgrades: Record<string, { blockTimestamp: number; initialFeeConfig?: unknown }>[]
    }
    const [off, on] = precompileUpgrades.flatMap(({ feeManagerConfig }) => feeManagerConfig ?? [])
    const blocks = await allBlocks(meridian)
    const firstAt = (time = 0): number => blocks.findIndex(({ timestamp }) => Number(timestamp) >= time)
    const fees = (block: unknown): Promise<unknown> => resultOf(meridian, 'eth_feeConfig', block)
    const changed = firstAt(on?.blockTimestamp)
    expect(changed).toBeGreaterThan(1)
    expect(changed).toBeGreaterThanOrEqual(firstAt(off?.blockTimestamp))
    const after = { feeConfig: on?.initialFeeConfig, lastChangedAt: changed }
    const before = { feeConfig: config['feeConfig'], lastChangedAt: 0 }
    expect(await resultOf(meridian, 'eth_feeConfig')).toEqual(after)
    expect(await fees(`0x${changed.toString(16)}`)).toEqual(after)
    expect(await fees({ blockHash: blocks[changed]?.hash })).toEqual(after)
    expect(await fees(`0x${(changed - 1).toString(16)}`)).toEqual(before)
    expect(await fees(blocks[1]?.hash)).toEqual(before)
    expect(await fees('earliest')).toEqual(before)
  })

  test('applies the precompiles of the genesis on the P-Chain, and upgrades from their time on', async () => {
    const { txID, genesisData } = await genesisOf('Meridian')
    expect(txID).toBe(sample.chain('Meridian').blockchainId)
    const config = await resultOf<Config>(meridian, 'eth_getChainConfig')
    for (const [name, value] of Object.entries(genesisData.config)) {
      if (name !== 'eip150Hash') expect([name, config[name]]).toEqual([name, value])
    }
    const rules = (time?: number): Promise<{ precompiles: Config }> =>
      resultOf(meridian, 'eth_getActiveRulesAt', ...(time === undefined ? [] : [time]))
    const genesis = (await allBlocks(meridian))[0]
    const names = ['contractNativeMinterConfig', 'feeManagerConfig', 'rewardManagerConfig', 'warpConfig']
    expect(Object.keys((await rules(Number(genesis?.timestamp))).precompiles)).toEqual(names)
    expect(Object.keys((await rules()).precompiles)).toEqual(names.slice(1))
    const future = await rules(4_000_000_000)
    expect(Object.keys(future.precompiles)).toContain('txAllowListConfig')
    const active = await resultOf<Config>(meridian, 'eth_getActivePrecompilesAt')
    expect(Object.keys(active)).toEqual(names.slice(1))
  })

  async function genesisOf(name: string): Promise<{ txID: string; genesisData: { config: Config } }> {
    const { blockchainId } = sample.chain(name)
    const tx = await resultOf<{ tx: { unsignedTx: { genesisData: string }; id: string } }>(
      `${sample.url}/ext/bc/P`,
      'platform.getTx',
      { txID: blockchainId, encoding: 'json' },
    )
    // The bytes are base64 in JSON.
    const text = Buffer.from(tx.tx.unsignedTx.genesisData, 'base64').toString('utf8')
    return { txID: tx.tx.id, genesisData: JSON.parse(text) as { config: Config } }
  }

  test('lists its validators', async () => {
    const { blockchainId, subnetId } = sample.chain('Harbor')
    const { validators } = await resultOf<{ validators: { nodeID: string; weight: number }[] }>(
      `${sample.url}/ext/bc/${blockchainId}/validators`,
      'validators.getCurrentValidators',
      {},
    )
    const onP = await resultOf<{ validators: { nodeID: string; weight: string }[] }>(
      `${sample.url}/ext/bc/P`,
      'platform.getCurrentValidators',
      { subnetID: subnetId },
    )
    expect(validators.length).toBeGreaterThan(0)
    expect(validators.map(({ nodeID, weight }) => [nodeID, String(weight)])).toEqual(
      onP.validators.map(({ nodeID, weight }) => [nodeID, weight]),
    )
  })
})

describe('the key store of the node', () => {
  test('creates, uses and lists keys like a real node', async () => {
    const expectAll = async (...names: string[]): Promise<void> => {
      for (const name of names) {
        const { status, answer } = found(onC, name)
        expect([name, await repeat(sample.url, found(onC, name))]).toEqual([name, { status, answer }])
      }
    }
    await expectAll(
      'C.personal_listAccounts',
      'C.personal_listWallets',
      'C.personal_unlockAccount',
      'C.personal_ecRecover',
    )
    // The public test key of local networks, which the recorded node had imported by then.
    const secret = '56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027'
    const address = '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'
    expect(await resultOf(c, 'personal_importRawKey', secret, 'pw')).toBe(address)
    await expectAll('C.personal_sign', 'C.personal_signTransaction', 'C.eth_sign', 'C.personal_lockAccount')
    expect((await answerOf(c, 'personal_importRawKey', secret, 'pw')).error?.message).toBe(
      'account already exists',
    )
    expect(await resultOf(c, 'personal_newAccount', 'pw')).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(await resultOf(c, 'eth_accounts')).toHaveLength(2)
    // An unlocked key signs without its password.
    expect(await resultOf(c, 'personal_unlockAccount', address, 'pw', 60)).toBe(true)
    const signed = (found(onC, 'C.personal_sign').answer as { result: string }).result
    expect(await resultOf(c, 'eth_sign', address, '0x1234')).toBe(signed)
    expect((await answerOf(c, 'eth_sign', `0x${'11'.repeat(20)}`, '0x1234')).error?.message).toBe(
      'unknown account',
    )
    // Each chain has its own key store.
    expect(await resultOf(meridian, 'personal_listAccounts')).toEqual([])
    expect(await resultOf(meridian, 'personal_newAccount', 'pw')).not.toBe(address)
    expect(await resultOf(meridian, 'eth_accounts')).toHaveLength(1)
  })

  test('sends a transaction that stays in the pool until a block includes it', async () => {
    const [, person] = await resultOf<string[]>(c, 'eth_accounts')
    const { head } = await sample.control.mine({ chain: 'c', transactions: 3 })
    const block = await resultOf<{ transactions: { from: string }[] }>(
      c,
      'eth_getBlockByNumber',
      `0x${head.number.toString(16)}`,
      true,
    )
    expect(block.transactions.length).toBeGreaterThan(0)
    const poor = await answerOf(
      c,
      'personal_sendTransaction',
      { from: person, to: person, value: '0x1' },
      'pw',
    )
    expect(poor.error?.message).toMatch(/insufficient funds/i)
    expect(await resultOf(c, 'txpool_contentFrom', person)).toEqual({ pending: {}, queued: {} })
    expect(await resultOf(c, 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })
})
