import { describe, expect, test } from 'vitest'
import published from './fixtures/published.json' with { type: 'json' }
import { encode } from './codec/schema.ts'
import { addressText, cb58, hexText } from './ids/text.ts'
import { atomicTx, decodeAtomicTx, decodeExtraData } from './primary/atomic.ts'
import { pTxJson, type NodeJson } from './primary/node-json.ts'
import { decodeUtxo, utxos } from './primary/outputs.ts'
import { decodePBlock, encodePBlock } from './primary/p-blocks.ts'
import { decodePTx, pTx } from './primary/p-transactions.ts'
import { decodeProposerWrapper, decodeWrapper, encodeWrapper } from './primary/proposer.ts'
import { decodeXTx, xTx } from './primary/x-transactions.ts'
import { decodeL1Payload, encodeL1Payload } from './warp/l1-payloads.ts'
import { decodeSigned, encodeSigned } from './warp/signed-message.ts'
import { decodeUnsigned } from './warp/warp-messages.ts'

// Bytes that other programs publish in their tests and documents, with what these say of them. Each is read, and written
// to the same bytes.

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const bytesOf = ({ bytes }: { readonly bytes: string }): Uint8Array => Buffer.from(bytes, 'hex')
/** Without the codec's version, as blocks hold them. */
const inner = (each: { readonly bytes: string }): Uint8Array => bytesOf(each).subarray(2)
/** JSON as a client reads it: integers are numbers. */
const shown = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)))

describe('the P-Chain', () => {
  test.each(published.pUnsigned.map((each) => [each.from, each] as const))('%s', (_, each) => {
    // No credentials follow.
    const signed = Buffer.concat([bytesOf(each), Buffer.alloc(4)])
    expect(hex(encode(pTx, decodePTx(signed.subarray(2)) as never))).toBe(hex(signed))
    if (!('json' in each)) return
    const prefix = each.json?.networkID === 1 ? 'avax' : 'testing'
    const { unsignedTx } = pTxJson(signed, { alias: 'P', prefix }) as { unsignedTx: NodeJson }
    expect(shown(unsignedTx)).toEqual(each.json)
  })

  test.each(published.pSigned.map((each) => [each.from, each] as const))('%s', (_, each) => {
    const tx = decodePTx(inner(each))
    expect(cb58(tx.id)).toBe(each.id)
    expect(hex(encode(pTx, tx as never))).toBe(each.bytes)
  })

  test.each(published.pBlocks.map((each) => [each.from, each] as const))('%s', (_, each) => {
    const block = decodePBlock(bytesOf(each))
    if ('id' in each) expect(cb58(block.id)).toBe(each.id)
    expect(hex(encodePBlock({ ...block, time: block.time ?? 0 } as never))).toBe(each.bytes)
  })
})

describe('the X-Chain', () => {
  test.each(published.x.map((each) => [each.from, each] as const))('%s', (_, each) => {
    const tx = decodeXTx(inner(each))
    if ('id' in each) expect(cb58(tx.id)).toBe(each.id)
    expect(hex(encode(xTx, tx as never))).toBe(each.bytes)
  })
})

describe('the C-Chain', () => {
  test.each(published.c.map((each) => [each.from, each] as const))('%s', (_, each) => {
    const { id, unsigned, ...tx } = decodeAtomicTx(inner(each))
    if ('id' in each) expect(cb58(id)).toBe(each.id)
    expect(hex(encode(atomicTx, { unsigned, ...tx } as never))).toBe(each.bytes)
    if (!('facts' in each) || !each.facts) return
    const { facts } = each
    const [entry] = unsigned.type === 'ImportTx' ? unsigned.evmOutputs : unsigned.evmInputs
    expect([entry && hexText(entry.address), String(entry?.amount)]).toEqual([facts.account, facts.amount])
    if (unsigned.type === 'ImportTx') {
      expect(cb58(unsigned.sourceChain)).toBe(facts.source)
      expect(unsigned.importedInputs.map((input) => cb58(input.txId))).toEqual(facts.spent)
    } else {
      expect(cb58(unsigned.destinationChain)).toBe(facts.destination)
      const made = unsigned.exportedOutputs.map(({ output }) => ({
        address: addressText(output.owner.addresses[0] ?? new Uint8Array(), 'fuji'),
        amount: String(output.amount),
      }))
      expect(made).toEqual(facts.made)
    }
  })

  test('extra data of a block, and of the first one of Fuji', () => {
    for (const bytes of [published.cBlockOfExtraData.extraData.slice(2), published.c.at(-1)?.bytes ?? '']) {
      const { blockchainId } = decodeAtomicTx(Buffer.from(bytes, 'hex').subarray(2)).unsigned
      expect(decodeExtraData(Buffer.from(bytes, 'hex'), blockchainId)).toHaveLength(1)
    }
    expect(published.cBlockOfExtraData.rlp).toContain(published.cBlockOfExtraData.extraData.slice(2))
  })
})

test.each(published.utxos.map((each) => [each.from, each] as const))('a UTXO: %s', (_, each) => {
  // The one of avalanchejs is under a stakeable lock, which only the P-Chain has.
  expect(hex(encode(utxos.P, decodeUtxo(bytesOf(each), 'P') as never))).toBe(each.bytes)
})

test.each(published.wrappers.map((each) => [each.from, each] as const))('a wrapper: %s', (_, each) => {
  expect(hex(encodeWrapper(decodeWrapper(bytesOf(each)) as never))).toBe(each.bytes)
  expect(decodeProposerWrapper(bytesOf(each)).details?.pChainHeight).toBe(2n)
})

describe('Warp messages', () => {
  test.each(published.signedMessages.map((each) => [each.from, each] as const))('%s', (_, each) => {
    const signed = decodeSigned(bytesOf(each))
    expect(hex(encodeSigned(signed))).toBe(each.bytes)
    expect(decodeUnsigned(signed.message).networkId).toBe(each.from.includes('examples') ? 5 : 12_345)
  })

  test.each(published.payloads.map((each) => [each.from, each] as const))('%s', (_, each) => {
    expect(hex(encodeL1Payload(decodeL1Payload(bytesOf(each)) as never))).toBe(each.bytes)
  })
})
