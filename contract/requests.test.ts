import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listErc1155Transfers } from './evm/addresses.ts'
import { listErc20Balances } from './tokens/balances.ts'
import { reindexNft } from './evm/contracts.ts'
import { listUtxos } from './primary/balances.ts'
import { getBlockchain } from './network/blockchains.ts'
import { getPrimaryBlock, listNodeBlocks } from './primary/blocks.ts'
import { listPendingRewards, listRewards } from './network/rewards.ts'
import { inEnglish } from './base/english.ts'
import { getPrimaryTransaction, listPrimaryTransactions } from './primary/transactions.ts'
import { listL1Validators, listValidators } from './network/validators.ts'
import { operations } from './operations.ts'
import { aggregateSignatures } from './signatures/signatures.ts'

const id = '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5'
const nodeId = 'NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg'
const wallet = 'fuji18jma8ppw3nhx5r4ap8clazz0dps7rv5u6wmu4t'
const evm = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

/** What a request is refused for: `path: message` of every issue. */
function refusals(schema: z.ZodMiniType | undefined, value: unknown): string[] {
  const parsed = schema?.safeParse(value, inEnglish)
  return parsed?.error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`) ?? []
}

test('a body of our own operations has no unknown fields, wherever they stand: a misspelt one is refused', () => {
  /** The places of objects that take any field, of a schema as JSON Schema writes it. */
  function open(schema: unknown, place: string): string[] {
    if (typeof schema !== 'object' || schema === null) return []
    const { properties, additionalProperties } = schema as Record<string, unknown>
    const isOpen = properties !== undefined && additionalProperties !== false
    return [
      ...(isOpen ? [place] : []),
      ...Object.entries(schema).flatMap(([name, each]) => open(each, `${place}.${name}`)),
    ]
  }
  const own = operations.filter(({ body, api }) => body !== undefined && api === 'ridgeline')
  expect(own.length).toBeGreaterThan(15)
  expect(
    own.flatMap(({ id, body }) =>
      open(body && z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }), id),
    ),
    // The rules of a file are read as the bodies of createWatchRule are.
  ).toEqual(['importWatchFleet.properties.rules.items'])
})

describe('the body of an aggregation', () => {
  const { body } = aggregateSignatures

  test('needs a message or a justification, in hex with or without 0x', () => {
    expect(refusals(body, {})).toEqual(['message: either message or justification must be provided'])
    for (const given of [
      { message: '00ff' },
      { justification: '0x00FF' },
      { message: '00', justification: '00' },
    ])
      expect(refusals(body, given)).toEqual([])
    for (const message of ['', '0x', '0x0', 'xyz', 'abc', 7])
      expect(refusals(body, { message, justification: '00' }), String(message)).toHaveLength(1)
    expect(refusals(body, { message: '0x0' })[0]).toContain('whole bytes in hex')
  })

  test('says which sum is too large', () => {
    expect(refusals(body, { message: '00', quorumPercentage: 80, quorumPercentageBuffer: 21 })).toEqual([
      'quorumPercentageBuffer: quorumPercentage and quorumPercentageBuffer together must be at most 100',
    ])
  })

  test('takes a signing subnet in cb58 or hex', () => {
    for (const signingSubnetId of [id, '11111111111111111111111111111111LpoYY', 'ab'.repeat(32)])
      expect(refusals(body, { message: '00', signingSubnetId })).toEqual([])
    expect(refusals(body, { message: '00', signingSubnetId: 'subnet' })).toEqual([
      'signingSubnetId: must be a subnet ID: cb58, or 32 bytes in hex',
    ])
  })

  test('refuses heights below 0 and fractions', () => {
    for (const pChainHeight of [-1, 0.5, '7'])
      expect(refusals(body, { message: '00', pChainHeight })).toHaveLength(1)
  })
})

describe('filters of primary network transactions', () => {
  const { query } = listPrimaryTransactions

  test('need addresses or an L1 validation', () => {
    expect(refusals(query, { txTypes: 'ImportTx', startTimestamp: '1', endTimestamp: '2' })).toEqual([
      'txTypes: txTypes is supported only with addresses or l1ValidationId',
      'startTimestamp: startTimestamp is supported only with addresses or l1ValidationId',
      'endTimestamp: endTimestamp is supported only with addresses or l1ValidationId',
    ])
    expect(refusals(query, { txTypes: 'ImportTx', startTimestamp: '1', addresses: wallet })).toEqual([])
    expect(refusals(query, { txTypes: 'ImportTx', endTimestamp: '2', l1ValidationId: id })).toEqual([])
    expect(refusals(query, {})).toEqual([])
  })

  test('take types once, repeated or with commas, and name a wrong one', () => {
    const types = (txTypes: unknown) => query.parse({ addresses: wallet, txTypes }).txTypes
    expect(types('ImportTx')).toEqual(['ImportTx'])
    expect(types('ImportTx,ExportTx')).toEqual(['ImportTx', 'ExportTx'])
    expect(types(['ImportTx', 'CreateAssetTx'])).toEqual(['ImportTx', 'CreateAssetTx'])
    const [refusal, ...more] = refusals(query, { addresses: wallet, txTypes: ['ImportTx', 'importtx'] })
    expect(more).toEqual([])
    expect(refusal).toMatch(/^txTypes\.1: must be .*, ImportTx, /)
  })

  test('take wallet addresses with and without a chain, and 0x ones', () => {
    const capitals = wallet.toUpperCase()
    const addresses = [
      wallet,
      `P-${wallet}`,
      `X-${wallet}`,
      `C-${wallet}`,
      capitals,
      `P-${capitals}`,
      wallet.replace('fuji', 'avax'),
      evm,
    ]
    expect(query.parse({ addresses: addresses.join(',') }).addresses).toEqual(addresses)
    for (const bad of [
      '',
      ',',
      `${wallet},`,
      `Q-${wallet}`,
      wallet.slice(1, -1),
      `${wallet.slice(0, -1)}Q`,
      evm.slice(0, -1),
    ])
      expect(query.safeParse({ addresses: bad }).success, bad).toBe(false)
    expect(refusals(query, { addresses: `${wallet},nobody` })).toEqual([
      'addresses.1: must be an address such as fuji1… with or without P-, X- or C-, or 0x and 40 hex digits',
    ])
  })

  test('take 64 addresses and no more', () => {
    const list = (length: number) => Array.from({ length }, () => wallet).join(',')
    expect(query.parse({ addresses: list(64) }).addresses).toHaveLength(64)
    expect(query.safeParse({ addresses: list(65) }).success).toBe(false)
  })

  test('allow 0x addresses nowhere else', () => {
    expect(refusals(listUtxos.query, { addresses: evm })).toHaveLength(1)
  })
})

test.each([listRewards, listPendingRewards])('$id needs addresses or nodeIds', ({ query }) => {
  expect(refusals(query, {})).toEqual(['addresses: at least one of addresses and nodeIds is required'])
  expect(refusals(query, { addresses: wallet })).toEqual([])
  expect(refusals(query, { nodeIds: `${nodeId}, ${nodeId}` })).toEqual([])
  expect(refusals(query, { nodeIds: 'NodeID-0' })).toEqual(['nodeIds.0: must be a node ID: NodeID- and cb58'])
})

describe('filters of validators', () => {
  const { query } = listValidators

  test('take parts of node ids here only', () => {
    expect(query.parse({ nodeIds: `7Xhw,${nodeId}` }).nodeIds).toEqual(['7Xhw', nodeId])
    expect(refusals(query, { nodeIds: '%' })).toEqual(['nodeIds.0: must be a node ID or a part of one'])
    expect(refusals(listL1Validators.query, { nodeId: '7Xhw' })).toHaveLength(1)
  })

  test('hold capacities between 0 and 720,000,000 AVAX', () => {
    expect(
      refusals(query, { minDelegationCapacity: '0', maxDelegationCapacity: '720000000000000000' }),
    ).toEqual([])
    expect(refusals(query, { maxDelegationCapacity: '720000000000000001' })).toEqual([
      'maxDelegationCapacity: must be at most 720000000000000000 nAVAX',
    ])
    expect(refusals(query, { minDelegationCapacity: 'all' })).toEqual([
      'minDelegationCapacity: must be an integer in decimal digits',
    ])
  })

  test('hold percentages between 0 and 100', () => {
    expect(query.parse({ minFeePercentage: '2.5', maxUptimePerformance: 100 })).toMatchObject({
      minFeePercentage: 2.5,
      maxUptimePerformance: 100,
    })
    expect(query.parse({ minUptimePerformance: '9.398526315984397e-13' })).toMatchObject({
      minUptimePerformance: 9.398526315984397e-13,
    })
    for (const bad of ['101', '-1', '', 'half', '1e3', '1e', '0x10'])
      expect(refusals(query, { minUptimePerformance: bad }), bad).toHaveLength(1)
  })
})

describe('paths', () => {
  const chain = { network: 'fuji', blockchainId: 'p-chain' }

  test('take ids in cb58, node ids, heights and hashes', () => {
    expect(refusals(getPrimaryTransaction.params, { ...chain, txHash: id })).toEqual([])
    expect(refusals(getPrimaryTransaction.params, { ...chain, txHash: '0x00' })).toEqual([
      'txHash: must be an ID in cb58, 33 to 52 characters long',
    ])
    for (const blockId of ['0', '123456', id, `0x${'ab'.repeat(32)}`])
      expect(refusals(getPrimaryBlock.params, { ...chain, blockId })).toEqual([])
    for (const blockId of ['-1', 'latest', '1.5', '0x12'])
      expect(refusals(getPrimaryBlock.params, { ...chain, blockId })).toEqual([
        'blockId: must be a block number or a block hash',
      ])
    expect(refusals(listNodeBlocks.params, { ...chain, nodeId })).toEqual([])
    expect(refusals(listNodeBlocks.params, { ...chain, nodeId: 'NodeID-' })).toHaveLength(1)
    expect(
      refusals(getBlockchain.params, {
        network: 'fuji',
        blockchainId: 'jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq',
      }),
    ).toEqual([])
  })

  test('take token ids below 2^256', () => {
    const token = (tokenId: string) =>
      refusals(reindexNft.params, { chainId: '43113', address: evm, tokenId })
    expect(token('0')).toEqual([])
    expect(token('115792089237316195423570985008687907853269984665640564039457584007913129639935')).toEqual(
      [],
    )
    expect(token('115792089237316195423570985008687907853269984665640564039457584007913129639936')).toEqual([
      'tokenId: must be below 2^256',
    ])
    expect(token('seven')).toEqual(['tokenId: must be a token ID in decimal digits'])
  })

  test('take EVM addresses in any case and say what one looks like', () => {
    const address = (text: string) =>
      refusals(listErc1155Transfers.params, { chainId: '43113', address: text })
    for (const good of [evm, evm.toLowerCase()]) expect(address(good)).toEqual([])
    for (const bad of ['0x', evm.slice(2), `${evm}0`, '0xZZ'])
      expect(address(bad)).toEqual(['address: must be an address: 0x and 40 hex digits'])
  })
})

describe('other queries', () => {
  test('take a block number as text, and contract addresses with commas', () => {
    const parsed = listErc20Balances.query.parse({ blockNumber: '12', contractAddresses: `${evm},${evm}` })
    expect(parsed).toMatchObject({ blockNumber: '12', contractAddresses: [evm, evm] })
    expect(refusals(listErc20Balances.query, { blockNumber: '0x12' })).toEqual([
      'blockNumber: must be a block number in decimal digits',
    ])
    expect(refusals(listErc20Balances.query, { filterSpamTokens: 'yes' })).toEqual([
      'filterSpamTokens: must be true or false',
    ])
  })

  test('say what a number must be', () => {
    expect(refusals(listErc1155Transfers.query, { startBlock: 'genesis', pageSize: '101' })).toEqual([
      'startBlock: must be a whole number',
      'pageSize: must be at most 100',
    ])
  })
})
