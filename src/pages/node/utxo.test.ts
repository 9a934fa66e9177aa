import { utils, Utxo, type TransferOutput } from '@avalabs/avalanchejs'
import { expect, test } from 'vitest'
import recorded from '../../api/fixtures/node-answers.json' with { type: 'json' }
import { resultOf } from '../../api/node/node-client.ts'
import { utxoPage } from '../../api/node/node-shapes.ts'
import { decodeUtxo } from './utxo.ts'

const { utxos } = utxoPage.parse(resultOf({ ...recorded['C.avax.getUTXOs.all'], retryAfter: undefined }))

test('decodes recorded UTXOs like avalanchejs', () => {
  const codec = utils.getManagerForVM('AVM')
  expect(utxos.length).toBe(5)
  for (const hex of utxos) {
    const bytes = utils.hexToBuffer(hex.slice(0, -8))
    const theirs = codec.unpack(bytes, Utxo)
    const output = theirs.output as TransferOutput
    expect(decodeUtxo(hex, 'local')).toEqual({
      txId: theirs.utxoId.txID.toString(),
      outputIndex: theirs.utxoId.outputIdx.value(),
      assetId: theirs.assetId.toString(),
      amount: output.amt.value(),
      locktime: output.outputOwners.locktime.value(),
      threshold: output.outputOwners.threshold.value(),
      addresses: output.outputOwners.addrs.map((address) => utils.formatBech32('local', address.toBytes())),
    })
  }
})

test('rejects a wrong checksum, other outputs and truncated bytes', () => {
  const [hex = ''] = utxos
  expect(decodeUtxo(`${hex.slice(0, -2)}00`, 'local')).toBeUndefined()
  expect(decodeUtxo(hex.slice(0, 100), 'local')).toBeUndefined()
  expect(decodeUtxo(hex.replace('00000007', '0000000b'), 'local')).toBeUndefined()
  expect(decodeUtxo('0x', 'local')).toBeUndefined()
})
