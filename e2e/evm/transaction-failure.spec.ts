import { decodeFunctionData, parseAbi, toFunctionSelector, type Hex } from 'viem'
import { listTransactions } from '../../contract/evm/transactions.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { exact, integer } from '../support/figures.ts'
import { overflowOf, quiet, recordShifts, shiftsOf } from '../support/layout-measures.ts'
import { nodeAt, type NodeTransaction } from '../support/node.ts'
import { askAll, chains, rpcUrlOf } from '../support/stack.ts'

const { c } = chains
const node = nodeAt(rpcUrlOf(c))
const trouble = parseAbi([
  'function withReason(string reason)',
  'function withError(uint256 available, uint256 required)',
  'function withoutReason()',
  'function withAssert()',
  'function withDivision(uint256 divisor)',
  'function withIndex(uint256 index)',
  'function withoutEnd()',
  'function withInvalid()',
])
const failing = new Map(trouble.map((item) => [toFunctionSelector(item), item.name]))

/** The page's text for each method of the sample's contract, from its source (sample/contracts/Trouble.sol). */
function expectedOf(input: string): { reason: string; error: string } {
  const { functionName, args } = decodeFunctionData({ abi: trouble, data: input as Hex })
  switch (functionName) {
    case 'withReason':
      return { reason: args[0], error: `Error("${args[0]}")` }
    case 'withError':
      return {
        reason: 'credit too low',
        error: `CreditTooLow(available: ${args[0]}, required: ${args[1]})`,
      }
    case 'withoutReason':
      return { reason: 'reverted without a reason', error: 'The contract reverted without data.' }
    case 'withAssert':
      return { reason: 'assertion failed', error: 'Panic(code: 1)' }
    case 'withDivision':
      return { reason: 'division or modulo by zero', error: 'Panic(code: 18)' }
    case 'withIndex':
      return { reason: 'array index out of bounds', error: 'Panic(code: 50)' }
    case 'withoutEnd':
      return { reason: 'out of gas', error: 'The call used all the gas that it was given.' }
    case 'withInvalid':
      return { reason: 'invalid opcode', error: 'The code reached an invalid instruction.' }
  }
}

const transactionsOfHistory = () =>
  askAll(listTransactions, 'transactions', {
    params: { chainId: c.id },
    query: { pageSize: 100, startBlock: 1000, endBlock: 2200, sortOrder: 'asc' },
  })

/** The latest failed transaction of each failing method, by the method's name. */
async function failedTransactions(): Promise<ReadonlyMap<string, string>> {
  const rows = await transactionsOfHistory()
  const found = new Map<string, string>()
  for (const { txHash, txStatus, method } of rows) {
    const name = failing.get(method?.methodHash as Hex)
    if (txStatus === '0' && name !== undefined) found.set(name, txHash)
  }
  return found
}

test('a failed transaction says why, where, and how that is known', async ({ page }) => {
  const found = await failedTransactions()
  expect([...found.keys()].toSorted()).toEqual([...failing.values()].toSorted())
  for (const [name, hash] of found) {
    const { input, gas, to } = await node.call<NodeTransaction>('eth_getTransactionByHash', [hash])
    const { gasUsed } = await node.receipt(hash)
    const { reason, error } = expectedOf(input)
    await page.goto(`/chain/${c.id}/tx/${hash}`)
    await expect(page.getByLabel('Summary'), name).toContainText(`Failed: ${reason}`)
    const block = page.getByRole('region', { name: 'Why it failed' })
    await expect(block, name).toContainText(error)
    await expect(block, name).toContainText(name)
    await expect(block.getByRole('link').first(), name).toHaveAttribute('data-value', to ?? '')
    await expect(block, name).toContainText(`${integer(gasUsed)} of ${integer(gas)}`)
    await expect(block, name).toContainText('From the trace of its block, stored when it was indexed.')
  }
})

/** A transaction that creates a vault and then reverts. */
async function createAndUndo(): Promise<string | undefined> {
  const rows = await transactionsOfHistory()
  return rows.find(({ method }) => method?.methodName === 'createAndUndo()')?.txHash
}

test('the tree of calls marks where the failure began', async ({ page }) => {
  await page.goto(`/chain/${c.id}/tx/${await createAndUndo()}?tab=internal`)
  const panel = page.getByRole('tabpanel')
  // The factory creates a vault and then reverts itself: the creation succeeded, and went with it.
  await expect(panel.getByText('Failed here')).toHaveCount(1)
  await expect(panel.getByRole('listitem').filter({ hasText: 'CREATE' })).not.toContainText('Failed here')
  await expect(page.getByLabel('Summary')).toContainText('Failed: undone')
})

test('a transaction shows what it moved and the balances that it changed', async ({ page }) => {
  const blocks = await Promise.all(Array.from({ length: 25 }, (_, index) => node.block(1100 + index)))
  const sent = blocks
    .flatMap(({ transactions }) => transactions)
    .find(({ input, to }) => input.startsWith('0xa9059cbb') && to !== null)
  if (!sent) throw new Error('the stretch has no transfer of a token')
  const { gasUsed, effectiveGasPrice } = await node.receipt(sent.hash)
  const decimals = await node.call<string>('eth_call', [{ to: sent.to, data: '0x313ce567' }, 'latest'])
  const amount = exact(BigInt(`0x${sent.input.slice(74)}`), Number(decimals))
  const recipient = `0x${sent.input.slice(34, 74)}`

  await page.goto(`/chain/${c.id}/tx/${sent.hash}`)
  await expect(page.getByRole('tabpanel').getByRole('list', { name: 'Token transfers' })).toContainText(
    amount,
  )
  await page.getByRole('tab', { name: 'Balance changes' }).click()
  const row = (address: string, asset: string) =>
    page
      .getByRole('table', { name: 'Balance changes' })
      .getByRole('row')
      .filter({ has: page.locator(`[data-value="${address}"]`) })
      .filter({ hasText: asset })
  const fee = exact(BigInt(gasUsed) * BigInt(effectiveGasPrice), 18)
  await expect(row(sent.from.toLowerCase(), c.symbol).getByTitle(`−${fee} ${c.symbol}`)).toHaveCount(1)
  await expect(row(sent.from.toLowerCase(), `−${amount}`)).toHaveCount(1)
  await expect(row(recipient, `+${amount}`)).toHaveCount(1)
})

test('a transaction with a dynamic fee shows its access list on demand', async ({ page }) => {
  const blocks = await Promise.all(Array.from({ length: 25 }, (_, index) => node.block(1100 + index)))
  const dynamic = blocks
    .flatMap(({ transactions }) => transactions)
    .find((one) => one.type === '0x2' && 'accessList' in one)
  await page.goto(`/chain/${c.id}/tx/${dynamic?.hash}`)
  await page.getByRole('button', { name: 'Show the access list' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('The access list of this transaction is empty.')
})

test('has no axe violation and no cut figure, in both themes, down to 320 px', async ({ page }) => {
  const found = await failedTransactions()
  const failed = `/chain/${c.id}/tx/${found.get('withError')}`
  const undone = (await createAndUndo()) ?? ''
  for (const width of [1440, 320]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of [failed, `${failed}?tab=changes`, `/chain/${c.id}/tx/${undone}?tab=internal`]) {
      await page.goto(path)
      await expect(page.getByRole('region', { name: 'Why it failed' })).toContainText(
        /the trace of its block|node traced|Replayed|receipt/,
      )
      await quiet(page)
      expect(await violationsInBothThemes(page), `${path} ${width}`).toEqual([])
      expect(await overflowOf(page), `${path} ${width}`).toBe(0)
    }
  }
})

for (const width of [1440, 390])
  test(`nothing moves when the reason arrives, ${width} px wide`, async ({ page }) => {
    const [hash = ''] = (await failedTransactions()).values()
    await page.setViewportSize({ width, height: 844 })
    await recordShifts(page)
    await page.goto(`/chain/${c.id}/tx/${hash}`)
    await expect(page.getByRole('region', { name: 'Why it failed' })).toContainText(
      /the trace of its block|node traced|Replayed|receipt/,
    )
    await quiet(page)
    const { sum, lines } = await shiftsOf(page)
    expect(sum, lines.join('\n')).toBeLessThan(0.02)
  })
