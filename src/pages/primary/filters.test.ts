import { expect, test } from 'vitest'
import { listPrimaryTransactions } from '../../../contract/primary/transactions.ts'
import { filterSchema, filtersOf, whyNotNarrowed, wrongAddresses } from './filters.ts'

const wallet = 'fuji1ur873jhz9qnaqv5qthk5sn3e8nj3e0kmafyxut'
const evm = '0x8db97c7cece249c2b98bdc0226cc4c2a57bf52fc'
const id = '2JVSBoinj9C2J33VntvzYtVJNZdN2NKiwwKjcumHUWEb5DbBrm'

const state = (patch: object) => filterSchema.parse(patch)

test('builds only requests that the API accepts, whatever the URL', () => {
  for (const chain of ['p-chain', 'x-chain', 'c-chain'] as const)
    for (const of of ['', wallet])
      for (const l1 of ['', id]) {
        const { addresses, l1ValidationId, types, after, before } = filtersOf(
          state({ of, l1, types: 'BaseTx,ImportTx,Nothing', after: '10', before: '20' }),
          chain,
        )
        const asked = listPrimaryTransactions.query.safeParse({
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

test('keeps types and dates with an address, and with a validation on the P-chain only', () => {
  const dated = { types: 'BaseTx', after: '10' }
  expect(filtersOf(state({ ...dated, of: wallet }), 'x-chain')).toMatchObject({
    types: ['BaseTx'],
    after: 10,
  })
  expect(filtersOf(state({ ...dated, l1: id }), 'p-chain')).toMatchObject({ l1ValidationId: id, after: 10 })
  expect(whyNotNarrowed(state({ l1: id }), 'x-chain')).toMatch(/of an address only/)
  // The C-chain has no BaseTx.
  expect(filtersOf(state({ ...dated, of: evm }), 'c-chain').types).toEqual([])
})

test('refuses invalid addresses with an explanation before a request', () => {
  expect(wrongAddresses(`P-${wallet}, ${wallet}`, 'p-chain')).toBeUndefined()
  expect(wrongAddresses(evm, 'c-chain')).toBeUndefined()
  expect(wrongAddresses(evm, 'p-chain')).toMatch(/C-Chain only/)
  expect(wrongAddresses('somebody', 'p-chain')).toMatch(/“somebody” is not an address/)
  expect(wrongAddresses(Array(65).fill(wallet).join(','), 'p-chain')).toMatch(/at most 64/)
})
