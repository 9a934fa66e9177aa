import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startSample, type RunningSample } from '../../sample/testing/start.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from '../support/launcher.ts'

/** A P-Chain that has stopped before its first block, as one is for hours that is read for the first time. */
test.describe('what is not indexed of the P-Chain', () => {
  // Only the index knows the feed of a node and its outlook, and what is over; SQL and alarms are the operator's.
  test.use({ expectedErrors: [/404 \(Not Found\)|503 \(Service Unavailable\)|401 \(Unauthorized\)/] })
  const folder = temporaryFolder()
  let sample: RunningSample
  let stack: Launched
  let url: string

  test.beforeAll(async () => {
    const program = fileURLToPath(new URL('../../dist/node/sample.js', import.meta.url))
    sample = await startSample({ program, hours: 6, now: Math.floor(Date.now() / 1000) })
    const genesisFile = join(folder.path, 'genesis.bin')
    writeFileSync(genesisFile, 'of another network')
    const added = writeConfig(folder.path, { networks: [{ id: 'fuji', genesisFile }] })
    const args = ['--network', 'fuji', '--node', sample.url, '--network-config', added]
    stack = launch({ home: join(folder.path, 'home'), args })
    url = (await stack.url).replace(/\/$/, '')
    await expect.poll(async () => (await fetch(`${url}/ready`)).text()).toContain('fuji/p-chain: stopped')
  })
  test.afterAll(async () => {
    await stack.stop()
    await sample.stop()
    folder.remove()
  })

  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${sample.url}/ext/bc/P`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await response.json()) as { result: Record<string, unknown> }).result
  }
  const note = 'Not indexed yet: this is what the node says now, without its history.'

  test('is the node’s, said so on its page, and every page says how far the index is', async ({ page }) => {
    const { validators } = (await ask('platform.getCurrentValidators', {})) as {
      validators: { nodeID: string; txID: string; validationRewardOwner: { addresses: string[] } }[]
    }
    const [validator] = validators
    const { height } = (await ask('platform.getHeight', {})) as { height: string }
    const address = validator?.validationRewardOwner.addresses[0]?.replace('P-', '')
    const main = page.getByRole('main')
    for (const path of [
      `validators/${validator?.nodeID}`,
      `addresses/${address}`,
      `addresses/${address}?tab=utxos`,
      `p-chain/block/${height}`,
      `p-chain/tx/${validator?.txID}`,
    ]) {
      await page.goto(`${url}/networks/fuji/${path}`)
      await expect(main.getByText(note), path).toBeVisible()
      await expect(main.getByRole('alert'), path).toContainText('P-Chain: Stopped.')
    }
    expect(await violationsInBothThemes(page)).toEqual([])
    for (const path of ['validators', 'subnets', 'p-chain/transactions', 'metrics']) {
      await page.goto(`${url}/networks/fuji/${path}`)
      await expect(main.getByRole('alert').first(), path).toContainText('P-Chain: Stopped.')
    }
    for (const path of ['sql', 'watch-list', 'alarms']) {
      await page.goto(`${url}/${path}`)
      await expect(main.getByRole('alert').first(), path).toContainText('P-Chain: Stopped.')
    }
  })

  test('lists are the node’s, and what it cannot tell says how far the index is', async ({ page }) => {
    const main = page.getByRole('main')
    const { validators } = (await ask('platform.getCurrentValidators', {})) as {
      validators: { nodeID: string }[]
    }
    await page.goto(`${url}/networks/fuji/validators`)
    await expect(main.getByText(note)).toBeVisible()
    await expect(main.getByRole('row')).toHaveCount(validators.length + 1)
    const { subnets } = (await ask('platform.getSubnets', {})) as { subnets: { id: string }[] }
    await page.goto(`${url}/networks/fuji/subnets`)
    await expect(main.getByText(note)).toBeVisible()
    await expect(main.getByRole('row')).toHaveCount(subnets.length + 1)
    await page.goto(`${url}/networks/fuji/validators?list=completed`)
    await expect(main.getByText('No block of the P-Chain is indexed yet.')).toBeVisible()
  })

  test('is found by its id', async ({ page }) => {
    const { validators } = (await ask('platform.getCurrentValidators', {})) as {
      validators: { txID: string }[]
    }
    const txHash = validators[0]?.txID ?? ''
    await page.goto(`${url}/search?q=${txHash}`)
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(txHash.slice(0, 6)) })
      .click()
    await expect(page).toHaveURL(new RegExp(`/p-chain/tx/${txHash}`))
    await expect(page.getByText(note)).toBeVisible()
  })
})
