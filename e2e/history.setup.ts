import { expect, test } from '@playwright/test'
import { listChainStatus } from '../contract/evm/chains.ts'
import { getContractSource } from '../contract/evm/verification.ts'
import { sampleContract } from '../sample/testing/addresses.ts'
import { sampleControl } from '../sample/testing/control.ts'
import { ask, sampleUrl } from './support/stack.ts'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

test('the sample network builds its history and the service indexes all of it', async () => {
  await expect(async () => {
    expect((await fetch(`${sampleUrl}/ext/health`)).status).toBe(200)
    const { chains } = await ask(listChainStatus)
    expect(chains.map(({ state }) => state)).toEqual(['live', 'live', 'live'])
    const heads = Object.values(await sampleControl(sampleUrl).heads()).map(({ number }) => number)
    // Live blocks keep arriving, so a few blocks behind the head count as up to date.
    expect(sum(chains.map(({ indexedBlock }) => Number(indexedBlock)))).toBeGreaterThan(sum(heads) - 4)
    // What is decoded by sources must not change while tests run (scripts/support/sample-sources.mjs): this is the last one
    // that is checked, after the vaults that the factory's sources bring with them.
    const address = await sampleContract(sampleUrl, 'c', 'Splitter')
    const { source } = await ask(getContractSource, { params: { chainId: '43113', address } })
    expect(source?.name).toBe('Splitter')
    // As long as a machine takes that is several times slower than usual.
  }).toPass({ intervals: [500], timeout: 840_000 })
})
