import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { decodePGenesis, decodeXGenesis } from '../../protocol/primary/genesis.ts'
import { cb58, idOfText } from '../../protocol/ids/text.ts'
import { publicGenesis } from './public-genesis.ts'

/** What avalanchego v1.14.0 says of them: `genesis.FromConfig` and `genesis.Parse`. */
const networks = [
  {
    name: 'mainnet',
    hash: 'UUvXi6j7QhVvgpbKM89MP5HdrxKm9CaJeHc187TsDNf8nZdLk',
    bytes: 4_402_540,
    supply: 359_999_999_999_990_210n,
    utxos: 15_344,
    validators: 75,
    chains: [
      '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
      '2q9e4r6Mu3U68nU1fYjgbR6JvwrRx36CohpAX5UQxse55x1Q5',
    ],
    avax: 'FvwEAhmxKfeiG8SnEvq42hc6whRyY3EFYAvebMqDNDGCgxN5Z',
  },
  {
    name: 'Fuji',
    hash: 'MSj6o9TpezwsQx4Tv7SHqpVvCbJ8of1ikjsqPZ1bKRjc9zBy3',
    bytes: 7_106,
    supply: 360_000_000_000_000_000n,
    utxos: 0,
    validators: 20,
    chains: [
      '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm',
      'yH8D7ThNJkxmtkuv2jgBa4P1Rn3Qpr4pPr7QYNfcdoS6k6HWp',
    ],
    avax: 'U8iRqJoiJm8xZHAacmvYyZVwqQx6uDNtQeP3CQ6fcgQk3JqnK',
  },
]

test.each(networks)('the genesis of $name is that of its released nodes', (network) => {
  const bytes = publicGenesis(idOfText(network.hash))
  if (!bytes) throw new Error('it is not built in')
  expect(bytes.length).toBe(network.bytes)
  expect(cb58(createHash('sha256').update(bytes).digest())).toBe(network.hash)
  const genesis = decodePGenesis(bytes)
  expect(genesis.time).toBe(Date.parse('2020-09-10T00:00:00Z') / 1_000)
  expect(genesis.supply).toBe(network.supply)
  expect(genesis.utxos.length).toBe(network.utxos)
  expect(genesis.validators.length).toBe(network.validators)
  expect(genesis.chains.map(({ id }) => cb58(id))).toEqual(network.chains)
  // The X-Chain's first asset is AVAX.
  const [x] = genesis.chains
  if (x?.unsigned.type !== 'CreateChainTx') throw new Error('the first chain is not the X-Chain')
  expect(cb58(decodeXGenesis(x.unsigned.genesis)[0]?.transaction.id ?? new Uint8Array(32))).toBe(network.avax)
})

test('the parent of any other block 0 is not that of a public network', () => {
  expect(publicGenesis(new Uint8Array(32))).toBeUndefined()
})
