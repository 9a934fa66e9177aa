import { expect, test } from '@playwright/test'
import { listChainStatus } from '../contract/evm/chains.ts'
import { sampleControl } from '../sample/testing/control.ts'
import { ask, sampleUrl, serviceUrl } from './support/stack.ts'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

test('the sample network builds its history and the service indexes all of it', async () => {
  await expect(async () => {
    expect((await fetch(`${sampleUrl}/ext/health`)).status).toBe(200)
    const { chains } = await ask(listChainStatus)
    expect(chains.map(({ state }) => state)).toEqual(['live', 'live', 'live'])
    const heads = Object.values(await sampleControl(sampleUrl).heads()).map(({ number }) => number)
    // Live blocks keep arriving, so a few blocks behind the head count as up to date.
    expect(sum(chains.map(({ indexedBlock }) => Number(indexedBlock)))).toBeGreaterThan(sum(heads) - 4)
    // What is decoded by sources must not change while tests run (scripts/support/sample-sources.mjs).
    const { results } = await (await fetch(`${serviceUrl}/sourcify/v2/contracts/43113`)).json()
    expect(results).toHaveLength(8)
  }).toPass({ intervals: [500] })
})
