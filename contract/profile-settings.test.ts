import { expect, test } from 'vitest'
import { hasOperation, originsOf } from './profile.ts'
import { profileOf, profileSettings, shippedProfiles } from './profile-settings.ts'

const mine = { name: 'My service, Fuji', network: 'fuji', dataUrl: 'https://data.example/api/' } as const

test('a name, a network and a URL are enough; the rest is that of the API reference', () => {
  const profile = profileOf(mine)
  expect(profile).toMatchObject({
    id: 'my-service-fuji',
    networkLabel: 'Avalanche Fuji testnet',
    dataUrl: 'https://data.example/api/',
    metricsUrl: 'https://data.example/api/',
    keyHeader: 'x-service-api-key',
    atomicNamespace: 'svc',
    addressPrefix: 'fuji',
    priceValue: 'string',
    live: false,
  })
  // Nothing is known to be missing, and there is no node: not even that of the page's origin.
  expect(profile.offeredOperations).toBeUndefined()
  expect(profile.missingOperations).toEqual([])
  expect('nodeUrl' in profile).toBe(false)
})

test('says what a service has by a name, a list, or what it lacks', () => {
  const has = (setting: object, id: string) => hasOperation(profileOf({ ...mine, ...setting }), id)
  expect([has({}, 'search'), has({ offers: 'interface' }, 'search')]).toEqual([true, false])
  expect([has({ offers: 'interface' }, 'listBlocks'), has({ offers: 'hosted' }, 'listBlocks')]).toEqual([
    false,
    true,
  ])
  expect([has({ offers: ['getBlock'] }, 'getBlock'), has({ offers: ['getBlock'] }, 'listBlocks')]).toEqual([
    true,
    false,
  ])
  expect([has({ lacks: ['getBlock'] }, 'getBlock'), has({ lacks: ['getBlock'] }, 'listBlocks')]).toEqual([
    false,
    true,
  ])
})

test('the shipped profiles are the hosted services, and a key with their id changes one of them', () => {
  const [mainnet, fuji] = profileSettings.parse(shippedProfiles).map(profileOf)
  expect(mainnet).toMatchObject({ network: 'mainnet', addressPrefix: 'avax', atomicNamespace: 'avax' })
  expect(mainnet && originsOf(mainnet)).toEqual([
    'https://data-api.avax.network',
    'https://metrics.avax.network',
    'https://api.avax.network',
    'wss://api.avax.network',
  ])
  expect(fuji).toMatchObject({ id: 'fuji', network: 'fuji', nodeUrl: 'https://api.avax-test.network' })
  const through = profileOf({ id: 'fuji', dataUrl: 'https://relay.example', lacks: ['listUtxos'] })
  expect(through).toMatchObject({ dataUrl: 'https://relay.example', keyHeader: 'x-glacier-api-key' })
  expect(['listUtxos', 'listBlocks', 'search'].map((id) => hasOperation(through, id))).toEqual([
    false,
    true,
    false,
  ])
})
