import { expect, test } from '../support/fixtures.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'

const stranger = `0x${'5e'.repeat(20)}`

test.describe('a transaction of an account that its node impersonates', () => {
  let impersonated: string
  let signed: string
  const dashboard = useOwnChain(async (node) => {
    await node.order('anvil_setBalance', [stranger, '0xde0b6b3a7640000'])
    await node.order('anvil_impersonateAccount', [stranger])
    const to = `0x${'11'.repeat(20)}`
    impersonated = (await sendFrom(node, { from: stranger, to, value: '0x7' })).transactionHash
    signed = (await sendFrom(node, { to, value: '0x8' })).transactionHash
    return { chain: { name: 'Impersonated' } }
  })

  test('is indexed, and says that its hash is only a name', async ({ page }) => {
    const open = async (hash: string) => page.goto(`${await dashboard.url()}/chain/${ownChain.id}/tx/${hash}`)
    const words =
      'Its hash is the node’s name for it: the node sent it for an account whose key it does not have'
    await open(impersonated)
    await expect(page.getByRole('tabpanel')).toContainText(words)
    await expect(page.getByLabel('Summary')).toContainText('sent 0.000000000000000007 ETH')
    await open(signed)
    await expect(page.getByLabel('Summary')).toContainText('sent 0.000000000000000008 ETH')
    await expect(page.getByRole('tabpanel')).not.toContainText('name for it')
  })
})
