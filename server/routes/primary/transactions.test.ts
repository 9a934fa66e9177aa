import { Utxo, utils } from '@avalabs/avalanchejs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOfText, fromCheckedHex, idOfText, nodeIdOfText } from '../../../protocol/ids/text.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import recorded from '../../testing/fixtures/primary-recorded.json' with { type: 'json' }
import { fujiKeys, fujiNetwork, idBytes, insertPrimary, shortBytes } from '../../testing/primary-rows.ts'
import { idText, startPrimaryService, type PrimaryService } from '../../testing/primary-service.ts'

const avaxAsset = '2fombhL7aGPwj3KH4bfrmJwW6PVnMobf9Y2fn9GwxiAAJyFDbe'
const ids = [
  '11111111111111111111111111111111LpoYY',
  '2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed',
  '2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC',
] as const
const keys = { 'p-chain': fujiKeys.p, 'x-chain': fujiKeys.x, 'c-chain': fujiKeys.c } as const

type Output = { addresses: string[]; amount?: string; locktime: number; threshold: number }
type Listed = { assetID: string; output: Output }
type Input = { txID: string; outputIndex: number; assetID: string; input: { amount: string } }
type Unsigned = {
  outputs?: Listed[]
  inputs?: Input[]
  stake?: Listed[]
  exportedOutputs?: Listed[]
  importedInputs?: Input[]
  [key: string]: unknown
}
type Recorded = {
  chain: keyof typeof keys
  hex: string
  json: { id: string; unsignedTx?: Unsigned; credentials?: unknown }
}
const transactions = recorded as unknown as Recorded[]
const tsOf = (height: number): number => 1_700_000_000 + height * 10

const id = (text: string): Buffer => Buffer.from(idOfText(text))
const owner = (text: string): Buffer => Buffer.from(addressOfText(text, 'local'))

/** The type id in the recorded bytes. */
const typeOf = ({ hex }: Recorded): number => Number.parseInt(hex.slice(6, 14), 16)
const fixedOf = (items: readonly Listed[] | undefined): Listed[] => [...(items ?? [])]
const ofType = (type: number): Recorded => {
  const found = transactions.find((tx) => tx.chain === 'p-chain' && typeOf(tx) === type)
  if (!found) throw new Error(`no transaction of type ${type} is recorded`)
  return found
}

/** Writes a recorded transaction at a height, with its UTXOs from the node's JSON. */
async function insertRecorded(store: TestDatabase, tx: Recorded, height: number): Promise<void> {
  const { database } = store
  const chain = keys[tx.chain]
  const unsigned = tx.json.unsignedTx ?? {}
  const made = [
    ...fixedOf(unsigned.outputs).map((each) => ({ ...each, stake: false, home: chain })),
    ...fixedOf(unsigned.stake).map((each) => ({ ...each, stake: true, home: chain })),
    ...fixedOf(unsigned.exportedOutputs).map((each) => ({ ...each, stake: false, home: fujiKeys.x })),
  ]
  const used = [...(unsigned.inputs ?? []), ...(unsigned.importedInputs ?? [])]
  await insertPrimary(database, 'primary_transactions', [
    {
      chain,
      height,
      index: 0,
      ts: tsOf(height),
      id: id(tx.json.id),
      type: typeOf(tx),
      bytes: Buffer.from(fromCheckedHex(tx.hex)).subarray(2),
      utxo_count: made.length + used.length,
    },
  ])
  await insertPrimary(
    database,
    'utxos',
    made.map(({ assetID, output, stake, home }, index) => ({
      chain,
      home,
      height,
      output_index: index,
      ts: tsOf(height),
      tx_id: id(tx.json.id),
      utxo_id: idBytes(`${tx.json.id} ${index}`),
      asset: id(assetID),
      amount: output.amount ?? '0',
      locktime: output.locktime,
      threshold: output.threshold,
      owner: owner(output.addresses[0] ?? ''),
      owners: output.addresses.length > 1 ? output.addresses.map(owner) : null,
      staked_from: stake ? tsOf(height) : null,
      staked_until: stake ? tsOf(height) + 1_000_000_000 : null,
    })),
  )
  await insertPrimary(
    database,
    'utxos',
    used.map(({ txID, outputIndex, assetID, input }, index) => ({
      chain,
      home: chain,
      height: 1_000 + height,
      tx_index: index,
      output_index: outputIndex,
      ts: tsOf(0),
      tx_id: id(txID),
      utxo_id: idBytes(`spent ${tx.json.id} ${index}`),
      asset: id(assetID),
      amount: input.amount,
      owner: shortBytes('spender'),
      spent_chain: chain,
      spent_height: height,
      spent_index: 0,
      spent_input: index,
      spent_ts: tsOf(height),
      spent_tx: id(tx.json.id),
    })),
  )
}

let store: TestDatabase
let network: PrimaryService

beforeAll(async () => {
  store = await createTestDatabase()
  const { database } = store
  for (const [height, tx] of transactions.entries()) {
    await insertRecorded(store, tx, height)
    await insertPrimary(database, 'primary_blocks', [
      {
        chain: keys[tx.chain],
        height,
        ts: tsOf(height),
        id: idBytes(`block ${height}`),
        parent_id: idBytes('parent'),
      },
    ])
  }
  await insertPrimary(database, 'assets', [
    { chain: 12, height: 0, ts: 0, asset: id(avaxAsset), name: 'Avalanche', symbol: 'AVAX' },
    ...transactions
      .filter((tx) => tx.chain === 'x-chain' && typeOf(tx) === 1)
      .map((tx) => ({
        chain: 12,
        height: 1,
        ts: 0,
        asset: id(tx.json.id),
        name: 'Demo',
        symbol: 'DMO',
        denomination: 2,
        is_variable: true,
      })),
  ])
  const delegation = ofType(26)
  const place = transactions.indexOf(delegation)
  await insertPrimary(database, 'stakers', [
    {
      chain: 11,
      height: place,
      tx_id: id(delegation.json.id),
      is_delegator: true,
      node: Buffer.from(nodeIdOfText('NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg')),
      start_ts: 1_795_246_001,
      end_ts: 1_795_336_006,
      potential_reward: '999',
      reward_addresses: [shortBytes('payee')],
      ended_tx: idBytes('reward tx'),
      ended_ts: 1_795_336_006,
      outcome: 'rewarded',
    },
  ])
  // The store contains the bytes of a RewardValidatorTx: its type, the staking transaction, no credentials.
  await insertPrimary(database, 'primary_transactions', [
    {
      chain: 11,
      height: 500,
      index: 0,
      ts: tsOf(500),
      id: idBytes('reward tx'),
      type: 20,
      bytes: Buffer.concat([Buffer.from('00000014', 'hex'), id(delegation.json.id), Buffer.alloc(4)]),
      utxo_count: 0,
    },
  ])
  network = await startPrimaryService(
    database,
    { networks: [{ ...fujiNetwork, networkId: 12_345, prefix: 'local' }] },
    {},
    ids,
    avaxAsset,
  )
})
afterAll(async () => {
  await network.service.close()
  await store.drop()
})

async function one(tx: Recorded): Promise<Record<string, unknown>> {
  const { status, body } = await network.get(`/blockchains/${tx.chain}/transactions/${tx.json.id}`)
  expect(status).toBe(200)
  return body
}

const sum = (amounts: readonly (string | undefined)[]): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount ?? '0'), 0n)
const amountsOf = (items: unknown): string[] =>
  ((items ?? []) as { symbol: string; amount: string }[]).map(({ symbol, amount }) => `${amount} ${symbol}`)
const avaxText = (amount: bigint): string[] => (amount > 0n ? [`${amount} AVAX`] : [])

describe('a recorded transaction', () => {
  test.each(
    transactions.filter(({ json }) => json.unsignedTx).map((tx) => [tx.chain, tx.json.id, tx] as const),
  )('of the %s, %s, has the bytes, amounts and signatures that the node told', async (_chain, _id, tx) => {
    const body = await one(tx)
    const unsigned = tx.json.unsignedTx ?? {}
    expect(body['txBytes']).toBe(tx.hex.slice(0, -8))
    const used = [...(unsigned.inputs ?? []), ...(unsigned.importedInputs ?? [])]
    const made = [unsigned.outputs, unsigned.stake, unsigned.exportedOutputs].flatMap(fixedOf)
    const out = sum(made.map(({ output }) => output.amount))
    const balances = sum([
      unsigned['balance'] as string | undefined,
      ...((unsigned['validators'] ?? []) as { balance: string }[]).map(({ balance }) => balance),
    ])
    expect(amountsOf(body['value'])).toEqual(avaxText(out))
    expect(amountsOf(body['amountBurned'])).toEqual(
      avaxText(sum(used.map(({ input }) => input.amount)) - out - balances),
    )
    expect(amountsOf(body['amountStaked'])).toEqual(
      avaxText(sum(fixedOf(unsigned.stake).map(({ output }) => output.amount))),
    )
    expect(amountsOf(body['amountL1ValidatorBalanceBurned'])).toEqual(avaxText(balances))
    const consumed = body['consumedUtxos'] as { txHash: string; outputIndex: number; credentials: object[] }[]
    expect(consumed.map(({ txHash, outputIndex }) => [txHash, outputIndex])).toEqual(
      used.map(({ txID, outputIndex }) => [txID, outputIndex]),
    )
    const signed = JSON.stringify(tx.json.credentials)
    for (const { credentials } of consumed) {
      expect(credentials).toHaveLength(1)
      expect(signed).toContain((credentials[0] as { signature: string }).signature)
    }
    if (unsigned['subnetID'] !== undefined) expect(body['subnetId']).toBe(unsigned['subnetID'])
    expect(body['destinationChain']).toBe(unsigned['destinationChain'])
    expect(body['sourceChain']).toBe(unsigned['sourceChain'])
  })

  test('that stakes has its terms from the chain, and the one that ended it refers to it', async () => {
    const delegation = ofType(26)
    const terms = {
      nodeId: 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg',
      startTimestamp: 1_795_246_001,
      endTimestamp: 1_795_336_006,
    }
    expect(await one(delegation)).toMatchObject({
      ...terms,
      txType: 'AddPermissionlessDelegatorTx',
      estimatedReward: '999',
      rewardTxHash: idText('reward tx'),
      emittedUtxos: [{ utxoType: 'TRANSFER' }, { utxoType: 'STAKE', staked: true }],
    })
    const { body } = await network.get(`/blockchains/p-chain/transactions/${idText('reward tx')}`)
    expect(body).toMatchObject({
      ...terms,
      txType: 'RewardValidatorTx',
      stakingTxHash: delegation.json.id,
      amountBurned: [],
    })
  })

  test('that makes a validator has its fee and its key', async () => {
    const tx = ofType(25)
    const { signer, validator } = tx.json.unsignedTx as {
      signer: { publicKey: string; proofOfPossession: string }
      validator: { nodeID: string; start: number; end: number }
    }
    expect(await one(tx)).toMatchObject({
      delegationFeePercent: '2.0000',
      nodeId: validator.nodeID,
      startTimestamp: validator.start,
      endTimestamp: validator.end,
      blsCredentials: signer,
      rewardAddresses: ['local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'],
    })
  })

  test('that creates or transfers a subnet has its owner, and one that creates a chain its genesis', async () => {
    const owner = { threshold: 1, locktime: 0, addresses: ['local18jma8ppw3nhx5r4ap8clazz0dps7rv5u00z96u'] }
    expect(await one(ofType(16))).toMatchObject({ subnetOwnershipInfo: owner, subnetId: ofType(16).json.id })
    expect(await one(ofType(33))).toMatchObject({ subnetOwnershipInfo: owner })
    expect(await one(ofType(15))).toMatchObject({
      blockchainInfo: {
        chainName: 'demo',
        vmId: 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy',
        genesisData: { a: 1 },
      },
    })
  })

  test('of the atomic side of the C-Chain has its accounts', async () => {
    const [exported, imported] = transactions.filter(({ chain }) => chain === 'c-chain')
    // From the recorded bytes: 20 bytes of account, then 8 bytes of amount.
    const account = '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'
    expect(await one(exported as Recorded)).toMatchObject({
      txType: 'ExportTx',
      destinationChain: ids[0],
      evmInputs: [{ fromAddress: account, asset: { symbol: 'AVAX', amount: String(0x3b9f12ae) } }],
      evmOutputs: [],
      blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    })
    expect(await one(imported as Recorded)).toMatchObject({
      txType: 'ImportTx',
      sourceChain: ids[0],
      evmInputs: [],
      evmOutputs: [{ toAddress: account, asset: { amount: String(0xb2cc1552) } }],
    })
  })

  test('that creates an asset describes it', async () => {
    const tx = transactions.find((each) => each.chain === 'x-chain' && typeOf(each) === 1) as Recorded
    expect(await one(tx)).toMatchObject({
      txType: 'CreateAssetTx',
      chainFormat: 'linear',
      assetCreated: { assetId: tx.json.id, name: 'Demo', symbol: 'DMO', denomination: 2, cap: 'variable' },
    })
  })

  test('that changes an L1 validator describes the change', async () => {
    const tx = ofType(38)
    const changed = tx.json.unsignedTx?.['validationID'] as string
    await insertPrimary(store.database, 'l1_validators', [
      {
        chain: 11,
        height: 1,
        ts: 0,
        validation_id: id(changed),
        tx_id: idBytes('registered'),
        subnet: idBytes('l1'),
        node: shortBytes('l1 node'),
      },
    ])
    const row = { validation_id: id(changed), chain: 11, ts: 0, weight: '7', balance: '5' }
    await insertPrimary(store.database, 'l1_validator_changes', [
      { ...row, height: transactions.indexOf(tx), balance_change: '3', tx_id: id(tx.json.id), type: 38 },
      { ...row, height: 900, balance_change: '-9', tx_id: idBytes('other'), type: 39 },
    ])
    const { l1ValidatorDetails } = await one(tx)
    expect(l1ValidatorDetails).toMatchObject([
      { validationId: changed, subnetId: idText('l1'), weight: 7, remainingBalance: 5, balanceChange: 3 },
    ])
    const list = await network.walk(
      `/blockchains/p-chain/transactions?l1ValidationId=${changed}`,
      'transactions',
    )
    expect(list.map(({ txHash }) => txHash)).toEqual([tx.json.id])
  })
})

// The fields that version 0.3.13 of the hosted service's client requires in records of X and C.
const demanded = {
  'x-chain': {
    transaction: ['txHash', 'chainFormat', 'timestamp', 'txType', 'memo', 'amountUnlocked', 'amountCreated'],
    utxo: ['asset', 'utxoId', 'creationTxHash', 'locktime', 'threshold', 'timestamp', 'utxoType'],
  },
  'c-chain': {
    transaction: ['txHash', 'blockHeight', 'timestamp', 'memo', 'amountUnlocked', 'amountCreated'],
    utxo: ['asset', 'utxoId', 'creationTxHash', 'locktime', 'threshold', 'timestamp', 'utxoType'],
  },
} as const

test.each(['x-chain', 'c-chain'] as const)(
  'below /hosted, transactions of the %s have the hosted form',
  async (chain) => {
    const path = `/v1/networks/fuji/blockchains/${chain}/transactions`
    const list = async (url: string) =>
      (await network.service.app.inject(url)).json<{ transactions: Record<string, unknown>[] }>().transactions
    const [plain, hosted] = [await list(path), await list(`/hosted${path}`)]
    expect(hosted.length).toBe(plain.length)
    expect(hosted.length).toBeGreaterThan(0)
    for (const [index, transaction] of hosted.entries()) {
      expect(Object.keys(transaction)).toEqual(expect.arrayContaining([...demanded[chain].transaction]))
      for (const list of ['consumedUtxos', 'emittedUtxos']) {
        const before = plain[index]?.[list] as { outputIndex: number }[]
        for (const [place, utxo] of (transaction[list] as Record<string, unknown>[]).entries()) {
          expect(Object.keys(utxo)).toEqual(expect.arrayContaining([...demanded[chain].utxo]))
          expect(utxo['outputIndex']).toBe(String(before[place]?.outputIndex))
        }
      }
    }
  },
)

test('the bytes of a UTXO are those that wallets read', async () => {
  const body = await one(ofType(26))
  const [emitted] = body['emittedUtxos'] as { utxoBytes: string; txHash: string; amount: string }[]
  const read = utils.getManagerForVM('PVM').unpack(utils.hexToBuffer(emitted?.utxoBytes ?? ''), Utxo)
  expect(read.utxoId.txID.toString()).toBe(emitted?.txHash)
  expect(utils.isTransferOut(read.output) && read.output.amount().toString()).toBe(emitted?.amount)
})
