import { describe, expect, test } from 'vitest'
import { cb58, fromCheckedHex, hexText, idOfText, nodeIdText } from './ids/text.ts'
import { pBlockJson, pTxJson, xBlockJson, xTxJson, type NodeJson } from './primary/node-json.ts'
import { decodeAtomicTx, decodeExtraData } from './primary/atomic.ts'
import recorded from './fixtures/recorded.json' with { type: 'json' }
import { decodePGenesis, decodeXGenesis } from './primary/genesis.ts'
import { convertedValidationId, utxoIdOf, withVersion } from './native/hashes.ts'
import { decodeUtxo } from './primary/outputs.ts'
import { decodePBlock } from './primary/p-blocks.ts'
import { decodePTx } from './primary/p-transactions.ts'
import { decodeProposerWrapper } from './primary/proposer.ts'
import { decodeL1Message } from './warp/l1-messages.ts'
import { decodeVertex, decodeXBlock } from './primary/x-blocks.ts'

/** The bytes of a transaction as blocks hold them: without the codec's version. */
const inner = (hex: string): Uint8Array => fromCheckedHex(hex).subarray(2)

const p = { alias: 'P', prefix: 'local' }
const x = { alias: 'X', prefix: 'local' }
/** JSON as a client reads it: integers are numbers. */
const shown = (json: NodeJson): unknown =>
  JSON.parse(JSON.stringify(json, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)))

describe('what a real node recorded', () => {
  test.each(recorded.pBlocks.map(({ hex, json }) => [json.height, json.id, hex, json] as const))(
    'P-Chain block %i %s reads as the node shows it',
    (_height, _id, hex, json) => {
      expect(shown(pBlockJson(fromCheckedHex(hex), p))).toEqual(json)
    },
  )

  test.each(recorded.xBlocks.map(({ hex, json }) => [json.height, hex, json] as const))(
    'X-Chain block %i reads as the node shows it',
    (_height, hex, json) => {
      expect(shown(xBlockJson(fromCheckedHex(hex), x))).toEqual(json)
    },
  )

  test.each(recorded.pTxs.map(({ hex, json }) => [json.id, hex, json] as const))(
    'P-Chain transaction %s reads as the node shows it',
    (_id, hex, json) => {
      const tx = decodePTx(inner(hex))
      expect(shown(pTxJson(fromCheckedHex(hex), p))).toEqual(json)
      expect(hexText(withVersion(tx.bytes))).toBe(hexText(fromCheckedHex(hex)))
    },
  )

  test('an asset with three feature extensions reads whole', () => {
    for (const { hex, json } of recorded.xTxs) expect(shown(xTxJson(fromCheckedHex(hex), x))).toEqual(json)
  })

  test('atomic transactions have their ids, and lie in extra data', () => {
    for (const { hex, id } of recorded.atomicTxs) expect(cb58(decodeAtomicTx(inner(hex)).id)).toBe(id)
    const [block] = recorded.extraData
    const accepted = recorded.atomicTxs.at(-1)
    const cChain = decodeAtomicTx(inner(accepted?.hex ?? '')).unsigned.blockchainId
    const transactions = decodeExtraData(Buffer.from(block?.hex.slice(2) ?? '', 'hex'), cChain)
    expect(transactions.map(({ id }) => cb58(id))).toEqual([accepted?.id])
  })

  test('extra data of one transaction, as early blocks have it, reads the same', () => {
    for (const { hex, id } of recorded.atomicTxs) {
      const bytes = fromCheckedHex(hex)
      const cChain = decodeAtomicTx(bytes.subarray(2)).unsigned.blockchainId
      expect(decodeExtraData(bytes, cChain).map((tx) => cb58(tx.id))).toEqual([id])
      expect(() => decodeExtraData(bytes, new Uint8Array(32))).toThrow('names another chain')
    }
  })
})

describe('proposer wrappers of a real node', () => {
  test.each(recorded.wrappers.map(({ chain, hex, id }, index) => [index, chain, id, hex] as const))(
    '%i: of the %s-chain, %s',
    (_index, chain, id, hex) => {
      const wrapper = decodeProposerWrapper(fromCheckedHex(hex))
      expect(cb58(wrapper.id)).toBe(id)
      if (chain === 'P') expect(decodePBlock(wrapper.block).type).toBe('BanffStandardBlock')
      if (chain === 'X') expect(decodeXBlock(wrapper.block).typeId).toBe(20)
    },
  )

  test('name the node that signed, and nobody where nobody signed', () => {
    const proposers = recorded.wrappers.map(({ hex }) => {
      const details = decodeProposerWrapper(fromCheckedHex(hex)).details
      return details?.nodeId && nodeIdText(details.nodeId)
    })
    expect(new Set(proposers)).toEqual(new Set([undefined, ...recorded.validators]))
  })
})

describe('UTXOs of a real node', () => {
  test('read whole, and the last one has the id that the node continues from', () => {
    for (const { chain, hex, ...rest } of recorded.utxos) {
      const utxos = hex.map((each) => decodeUtxo(fromCheckedHex(each), chain as 'P' | 'X'))
      const ids = utxos.map(({ txId, outputIndex }) => cb58(utxoIdOf(txId, outputIndex)))
      if ('endUtxo' in rest) expect(ids).toContain(rest.endUtxo)
      for (const { output } of utxos) expect(output.type).toBe('TRANSFER')
    }
  })
})

describe('L1 validators of a real node', () => {
  const converted = recorded.pBlocks
    .map(({ hex }) => decodePBlock(fromCheckedHex(hex)))
    .flatMap((block) => block.transactions)
    .flatMap(({ unsigned }) => (unsigned.type === 'ConvertSubnetToL1Tx' ? [unsigned] : []))

  test('made by a conversion have the id of their place in it', () => {
    const [conversion] = converted
    expect(conversion && cb58(convertedValidationId(conversion.subnetId, 0))).toBe(
      recorded.l1Validator.validationID,
    )
  })

  test('are registered and changed by the messages that transactions carry', () => {
    const messages = recorded.pTxs
      .map(({ hex }) => decodePTx(inner(hex)).unsigned)
      .flatMap((unsigned) => ('message' in unsigned ? [decodeL1Message(unsigned.message)] : []))
    const [registered] = messages.filter(({ type }) => type === 'REGISTER')
    expect(registered).toMatchObject({ type: 'REGISTER', weight: 3n })
    const weights = messages.filter(({ type }) => type === 'SET_WEIGHT')
    const idOf = (each: object): string | undefined =>
      'validationId' in each ? hexText(each.validationId as Uint8Array) : undefined
    const id = registered && idOf(registered)
    expect(weights.map(idOf)).toEqual([id, id])
    const disabled = recorded.pTxs.map(({ hex }) => idOf(decodePTx(inner(hex)).unsigned))
    expect(disabled).toContain(id)
  })
})

describe('vertices', () => {
  const { vertex } = recorded
  const chainId = idOfText(vertex.chainId)

  test('the stop vertex of the local network has the id of block 0’s parent', () => {
    const bytes = Buffer.concat([Buffer.from('0001', 'hex'), chainId, Buffer.alloc(12)])
    const stop = decodeVertex(bytes)
    expect(cb58(stop.id)).toBe(vertex.stopId)
    expect(stop).toMatchObject({ isStop: true, height: 0, parents: [], transactions: [] })
    const [genesis] = recorded.xBlocks
    expect(cb58(stop.id)).toBe(genesis?.json.parentID)
  })
})

describe('the genesis of the local network', () => {
  const { genesis } = recorded
  const decoded = decodePGenesis(fromCheckedHex(genesis.hex))

  test('hashes to the parent of block 0', () => {
    expect(cb58(decoded.id)).toBe(recorded.pBlocks[0]?.json.parentID)
  })

  test('has the validators and the chains that the node names', () => {
    expect(decoded.validators.map(({ id }) => cb58(id)).sort()).toEqual([...genesis.validators].sort())
    expect(decoded.chains.map(({ id }) => cb58(id))).toEqual(genesis.chains)
    expect(decoded.supply).toBe(360_000_000_000_000_000n)
    expect(decoded.utxos.map(({ utxo }) => utxo.outputIndex)).toEqual([0, 1, 2])
  })

  test('holds the genesis of the X-Chain, whose asset has the id that the network knows', () => {
    const [x] = decoded.chains.map(({ unsigned }) => unsigned)
    if (x?.type !== 'CreateChainTx') throw new Error('the genesis has no X-Chain')
    const assets = decodeXGenesis(x.genesis)
    expect(assets.map(({ alias, transaction }) => [alias, cb58(transaction.id)])).toEqual(genesis.xAssets)
  })
})
