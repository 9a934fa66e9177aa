import { describe, expect, test } from 'vitest'
import recorded from '../fixtures/primary-codec.json' with { type: 'json' }
import { writeJson } from '../rpc/go-json.ts'
import { CodecError } from '../../../protocol/codec/reader.ts'
import {
  pBlockJson,
  pTxJson,
  xBlockJson,
  xTxJson,
  type AddressForm,
  type NodeJson,
} from '../../../protocol/primary/node-json.ts'
import { hexOf } from '../../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { decode } from '../rpc/encodings.ts'
import { stakeIn } from './stake.ts'

const readers: Readonly<Record<string, (bytes: Uint8Array, form: AddressForm) => NodeJson>> = {
  'P tx': pTxJson,
  'P block': pBlockJson,
  'X tx': xTxJson,
  'X block': xBlockJson,
}

function jsonOf(kind: string, bytes: Uint8Array, prefix = 'local'): unknown {
  const found = readers[kind]?.(bytes, { alias: kind.charAt(0), prefix })
  return JSON.parse(writeJson(found))
}

describe('the JSON of transactions and blocks', () => {
  for (const { name, kind, hex, json, ...rest } of recorded) {
    test(`is that of the recorded node: ${name}`, () => {
      // The recordings of 1.15 come from a network with another prefix.
      const prefix = 'prefix' in rest ? rest.prefix : undefined
      expect(jsonOf(kind, decode('hex', hex), prefix)).toEqual(json)
    })
  }

  test('has the stake of each transaction', () => {
    const staking = recorded.filter(({ json }) => 'unsignedTx' in json && 'stake' in json.unsignedTx)
    expect(staking.map(({ name }) => name)).toContain('platform.getTx.AddAutoRenewedValidatorTx')
    for (const { hex, json } of staking) {
      const { stake } = (json as { unsignedTx: { stake: { assetID: string; output: unknown }[] } }).unsignedTx
      const found = stakeIn(decode('hex', hex))
      const wanted = stake.map(({ assetID, output }) => {
        const { output: inner = output } = output as { output?: unknown }
        return [assetID, BigInt((inner as { amount: number }).amount)]
      })
      expect(found.map(({ assetId, output }) => [cb58(hexOf(assetId)), output.amount])).toEqual(wanted)
    }
  })

  test('writes numbers above 2^53 exactly', () => {
    const { hex } = recorded.find(({ name }) => name === 'avm.getTx.X.BaseTx') ?? { hex: '' }
    const text = writeJson(xTxJson(decode('hex', hex), { alias: 'X', prefix: 'local' }))
    expect(text).toContain('"amount":299999998999000000')
  })

  test('fails with CodecError for truncated or trailing bytes, and with nothing else', () => {
    for (const { kind, hex } of recorded) {
      const bytes = decode('hex', hex)
      const whole = Buffer.concat([bytes, Buffer.from([0])])
      expect(() => jsonOf(kind, whole)).toThrow(CodecError)
      for (let length = 0; length < bytes.length; length += 7) {
        expect(() => jsonOf(kind, bytes.subarray(0, length))).toThrow(CodecError)
      }
    }
  })
})
