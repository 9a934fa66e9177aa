import { expect, test } from 'vitest'
import {
  listPrimaryTransactions,
  listPrimaryTransactionsByType,
} from '../../../contract/primary/transactions.ts'
import { isByType } from '../../api/primary/transactions.ts'
import { filterSchema, filtersOf, isValidationId, whyNotNarrowed, wrongAddresses } from './filters.ts'

const wallet = 'fuji1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmafyxut'
const evm = '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'
const id = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'

const state = (patch: object) => filterSchema.parse(patch)

test('an address is not a validation ID, also one of letters that ids have', () => {
  expect(isValidationId(id)).toBe(true)
  expect(isValidationId('fuji1juemy8ru4u6344ujwh86thq8c6wy7hce97kez7')).toBe(false)
  expect(isValidationId('P-fuji1juemy8ru4u6344ujwh86thq8c6wy7hce97kez7')).toBe(false)
})

test('builds only requests that the API accepts, whatever the URL', () => {
  for (const chain of ['p-chain', 'x-chain', 'c-chain'] as const)
    for (const of of ['', wallet])
      for (const [l1, hasByType] of [
        ['', true],
        [id, true],
        ['', false],
        [id, false],
      ] as const) {
        const filters = filtersOf(
          state({ of, l1, types: 'BaseTx,ImportTx,Nothing', after: '10', before: '20' }),
          chain,
          hasByType,
        )
        const { addresses, l1ValidationId, types, after, before } = filters
        if (!hasByType) expect(isByType(filters)).toBe(false)
        const { query } = isByType(filters) ? listPrimaryTransactionsByType : listPrimaryTransactions
        const asked = query.safeParse({
          addresses,
          l1ValidationId,
          ...(types && types.length > 0 && { txTypes: types }),
          startTimestamp: after,
          endTimestamp: before,
        })
        expect(asked.success, `${chain} ${of} ${l1}`).toBe(true)
        if (chain !== 'p-chain') expect(l1ValidationId).toBeUndefined()
      }
})

test('filters the whole chain by type and date where the deployment can', () => {
  const dated = state({ types: 'ImportTx', after: '10' })
  expect(filtersOf(dated, 'p-chain', true)).toEqual({ types: ['ImportTx'], after: 10, before: undefined })
  expect(filtersOf(dated, 'p-chain', false)).toEqual({})
  expect(isByType(filtersOf(dated, 'p-chain', true))).toBe(true)
  expect(isByType(filtersOf(state({}), 'p-chain', true))).toBe(false)
  expect(isByType(filtersOf(state({ types: 'ImportTx', of: wallet }), 'p-chain', true))).toBe(false)
})

test('keeps types and dates with an address, and with a validation on the P-Chain only', () => {
  const dated = { types: 'BaseTx', after: '10' }
  expect(filtersOf(state({ ...dated, of: wallet }), 'x-chain', false)).toMatchObject({
    types: ['BaseTx'],
    after: 10,
  })
  expect(filtersOf(state({ ...dated, l1: id }), 'p-chain', false)).toMatchObject({
    l1ValidationId: id,
    after: 10,
  })
  expect(whyNotNarrowed(state({ l1: id }), 'x-chain', false)).toMatch(/give an address first/)
  // The C-Chain has no BaseTx.
  expect(filtersOf(state({ ...dated, of: evm }), 'c-chain', false).types).toBeUndefined()
})

test('refuses invalid addresses with an explanation before a request', () => {
  expect(wrongAddresses(`P-${wallet}, ${wallet}`, 'p-chain')).toBeUndefined()
  expect(wrongAddresses(evm, 'c-chain')).toBeUndefined()
  expect(wrongAddresses(evm, 'p-chain')).toMatch(/C-Chain only/)
  expect(wrongAddresses('somebody', 'p-chain')).toMatch(/“somebody” is not an address/)
  expect(wrongAddresses(Array(65).fill(wallet).join(','), 'p-chain')).toMatch(/at most 64/)
})
