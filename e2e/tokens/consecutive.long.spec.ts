import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { decodeAbiParameters, encodeAbiParameters, encodeFunctionData, parseAbi, type Hex } from 'viem'
import { expect, test } from '../support/fixtures.ts'
import type { Node } from '../support/node.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'

const abi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address) view returns (uint256)',
  'function transferFrom(address, address, uint256)',
])
const count = 5_000n
const collector = `0x${'c0'.repeat(20)}` as const
/** The tokens that were moved on their own after the mint. */
const moved = [2n, 4_999n]

/** The code that deploys Series.sol. */
function bytecode(): Hex {
  const { compile } = createRequire(import.meta.url)('solc') as { compile(input: string): string }
  const content = readFileSync(new URL('Series.sol', import.meta.url), 'utf8')
  const input = {
    language: 'Solidity',
    sources: { 'Series.sol': { content } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  }
  const { contracts } = JSON.parse(compile(JSON.stringify(input))) as {
    contracts: { 'Series.sol': { Series: { evm: { bytecode: { object: string } } } } }
  }
  return `0x${contracts['Series.sol'].Series.evm.bytecode.object}`
}

test.describe('a collection that was minted by one log', () => {
  let chain: Node
  let address: Hex
  let minter: Hex

  const dashboard = useOwnChain(async (node) => {
    chain = node
    const constructor = encodeAbiParameters([{ type: 'uint256' }], [count])
    const made = await sendFrom(node, { data: `${bytecode()}${constructor.slice(2)}` })
    address = made.contractAddress as Hex
    minter = made.from as Hex
    for (const id of moved)
      await sendFrom(node, {
        to: address,
        data: encodeFunctionData({ abi, functionName: 'transferFrom', args: [minter, collector, id] }),
      })
    return { chain: { name: 'Series' } }
  })

  const ask = async (data: Hex): Promise<Hex> =>
    chain.call<Hex>('eth_call', [{ to: address, data }, 'latest'])
  const ownerOf = async (id: bigint): Promise<string> => {
    const data = encodeFunctionData({ abi, functionName: 'ownerOf', args: [id] })
    return decodeAbiParameters([{ type: 'address' }], await ask(data))[0].toLowerCase()
  }
  const balanceOf = async (of: Hex): Promise<bigint> => {
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [of] })
    return decodeAbiParameters([{ type: 'uint256' }], await ask(data))[0]
  }
  const open = async (path: string): Promise<string> =>
    `${await dashboard.url()}/chain/${ownChain.id}/${path}`

  test('has every token among its items, each with its owner', async ({ page }) => {
    await page.goto(await open(`token/${address}?tab=items&view=table`))
    const table = page.getByRole('table', { name: 'Items of the collection' })
    const rows = table.getByRole('row')
    await expect(rows.nth(5)).toBeVisible()
    for (const id of [1n, 2n, 3n, 4n, 5n]) {
      const row = rows.nth(Number(id))
      await expect(row.getByRole('link').first()).toHaveAttribute('title', `#${id}`)
      await expect(row.locator(`a[href$="/address/${await ownerOf(id)}" i]`)).toBeVisible()
    }
    await expect(page.getByRole('main')).toContainText('5,000')
  })

  test('names its holders with what each owns', async ({ page }) => {
    await page.goto(await open(`token/${address}?tab=holders`))
    for (const holder of [minter, collector]) {
      const row = page.getByRole('row').filter({ hasText: holder.slice(0, 8) })
      await expect(row).toContainText((await balanceOf(holder)).toLocaleString('en-US'))
    }
  })

  test('lists the mint of all of them as one transfer', async ({ page }) => {
    await page.goto(await open(`token/${address}?tab=transfers`))
    const minted = page.getByRole('row').filter({ hasText: 'minted' })
    await expect(minted).toHaveCount(1)
    await expect(minted).toContainText('#1–#5000')
  })

  test('has a page for a token that only the range names, and for one that moved since', async ({ page }) => {
    for (const [id, transfers] of [
      [count, 1],
      [4_999n, 2],
    ] as const) {
      await page.goto(await open(`nft/${address}/${id}?tab=history`))
      await expect(page.getByLabel('NFT', { exact: true })).toContainText(await ownerOf(id), {
        ignoreCase: true,
      })
      const history = page.getByRole('table', { name: 'History of the NFT' })
      await expect(history.getByRole('row')).toHaveCount(transfers + 1)
      await expect(history).toContainText('minted')
    }
  })

  test.describe('a token beyond the range', () => {
    test.use({ expectedErrors: [/404 \(/] })

    test('is unknown', async ({ page }) => {
      await page.goto(await open(`nft/${address}/${count + 1n}`))
      await expect(page.getByRole('main')).toContainText('5001')
      await expect(page.getByLabel('NFT', { exact: true })).toHaveCount(0)
    })
  })
})
