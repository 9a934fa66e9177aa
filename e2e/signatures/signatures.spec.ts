import { bls12_381 } from '@noble/curves/bls12-381.js'
import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { aggregateSignatures } from '../../contract/signatures/signatures.ts'
import { listWarpMessages, type EmittedMessage } from '../../contract/signatures/warp.ts'
import { csvRows, integer } from '../support/figures.ts'
import { violationsInBothThemes } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'
import { overflowOf } from '../support/layout-measures.ts'
import { fact, savedFrom } from '../support/parts.ts'
import { askNode, network, primaryIsLive } from '../support/primary.ts'
import { askAll, serviceUrl } from '../support/stack.ts'

const primaryNetwork = '11111111111111111111111111111111LpoYY'
const bls = bls12_381.longSignatures

/** The messages of the P-Chain's L1 transactions, latest first. */
const messages = (): Promise<EmittedMessage[]> =>
  askAll(listWarpMessages, 'messages', {
    params: { network },
    query: { pageSize: 100, blockchainId: 'p-chain' },
  })

/** The latest change of a weight that validators still sign. */
async function weightMessage(): Promise<EmittedMessage> {
  const found = (await messages()).find(
    ({ l1Message, refusal }) => l1Message?.type === 'L1ValidatorWeight' && refusal === undefined,
  )
  if (found === undefined) throw new Error('no weight of an L1 validator was set')
  return found
}

/** The message of a conversion, which validators sign for ever: a weight is signed only until the next one is set. */
async function conversionMessage(): Promise<EmittedMessage> {
  const found = (await messages()).find(({ l1Message }) => l1Message?.type === 'SubnetToL1Conversion')
  if (found === undefined) throw new Error('no subnet was converted to an L1')
  return found
}

type NodeValidators = Readonly<Record<string, { publicKey: string | null; weight: string }>>

/** The validators of a subnet at the proposed height, according to the node. */
const validatorsOf = async (subnetID: string): Promise<NodeValidators> =>
  (await askNode('P', 'platform.getValidatorsAt', { height: 'proposed', subnetID })) as NodeValidators

/**
 * Whether a signed message is valid for the node's own validator set: keys in order of their uncompressed form, the
 * bits of the signers, and one pairing check (docs/signatures.md).
 */
async function holds(signed: string, unsigned: string, subnetID: string): Promise<boolean> {
  const validators = await validatorsOf(subnetID)
  const keys = [...new Set(Object.values(validators).flatMap(({ publicKey }) => publicKey ?? []))].map(
    (key) => bls12_381.G1.Point.fromHex(key.slice(2)),
  )
  const canonical = keys.toSorted((a, b) => (a.toHex(false) < b.toHex(false) ? -1 : 1))
  const rest = Buffer.from(signed.slice(unsigned.length), 'hex')
  const length = rest.readUInt32BE(4)
  const bits = BigInt(`0x${rest.subarray(8, 8 + length).toString('hex') || '0'}`)
  const signers = canonical.filter((_, index) => (bits >> BigInt(index)) & 1n)
  const signature = rest.subarray(8 + length)
  expect(signed.startsWith(unsigned)).toBe(true)
  expect(signature).toHaveLength(96)
  const hashed = bls.hash(Buffer.from(unsigned, 'hex'), 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_')
  return bls.verify(signature, hashed, bls.aggregatePublicKeys(signers))
}

async function saved(page: Page, button: string): Promise<string> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: button, exact: true }).click()
  return readFile(await (await saving).path(), 'utf8')
}

const round = (page: Page) => page.getByRole('region', { name: /^Round/ })

/** The exported signers: outcome and weight. */
async function signersOf(page: Page): Promise<{ outcome: string; weight: bigint; nodes: string }[]> {
  const { bytes } = await savedFrom(page, 'Export', /^CSV/)
  const rows = csvRows(bytes.toString())
  return rows.map(([, nodes = '', weight = '', , outcome = '']) => ({
    nodes,
    weight: BigInt(weight),
    outcome,
  }))
}

test.beforeAll(async () => {
  await primaryIsLive()
})

test('a link fills in the form without starting a round; the started round ends with a valid message', async ({
  page,
}) => {
  const message = await weightMessage()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('aggregateSignatures')) asked.push(request.url())
  })
  await page.goto(`/networks/${network}/p-chain/tx/${message.txHash}`)
  await page.getByRole('link', { name: 'Collect signatures', exact: true }).click()
  await expect(page).toHaveURL(`/signatures?network=${network}&tx=${message.txHash}`)
  await expect(page.getByRole('textbox', { name: 'Transaction' })).toHaveValue(message.txHash)
  await expect(fact(page, 'Message', 'Validation')).toContainText(message.l1Message?.validationId ?? '-')
  await expect(fact(page, 'Message', 'Weight')).toHaveText(integer(message.l1Message?.weight ?? '-1'))
  await expect(fact(page, 'Message', 'Message ID')).toContainText(message.messageId)
  expect(asked).toEqual([])

  const lasting = await conversionMessage()
  await page.goto(`/signatures?tx=${lasting.txHash}`)
  await page.getByRole('button', { name: 'Collect signatures', exact: true }).click()
  await expect(round(page).getByText('signed', { exact: true }).first()).toBeVisible()
  expect(asked).toEqual([expect.stringMatching(/aggregateSignatures:stream$/)])
  const hex = (await saved(page, '.hex')).trim()
  expect(await holds(hex, lasting.message.slice(2), lasting.signingSubnetId ?? '')).toBe(true)

  const kept = JSON.parse(await saved(page, '.json')) as {
    signedMessage: string
    signers: { outcome: string; weight: string }[]
    signedWeight: string
    totalWeight: string
  }
  expect(kept.signedMessage).toBe(`0x${hex}`)
  const signed = kept.signers.filter(({ outcome }) => outcome === 'signed')
  const weight = signed.reduce((sum, one) => sum + BigInt(one.weight), 0n)
  expect(weight.toString()).toBe(kept.signedWeight)
  expect(67n * BigInt(kept.totalWeight) <= 100n * weight).toBe(true)
})

test('a missed quorum shows the missing weight and the reason, and offers a quorum that is reached', async ({
  page,
}) => {
  const { txHash } = await conversionMessage()
  await page.goto(`/signatures?tx=${txHash}&subnet=${primaryNetwork}&quorum=100`)
  await page.getByRole('button', { name: 'Collect signatures', exact: true }).click()
  await expect(round(page).getByRole('alert')).toContainText('The quorum was not reached.')
  await expect(round(page).getByRole('alert')).toContainText('503')
  await expect(round(page).getByRole('list', { name: 'Reasons' }).getByRole('listitem').first()).toBeVisible()

  const signers = await signersOf(page)
  const outcomes = new Set(signers.map(({ outcome }) => outcome))
  for (const outcome of ['signed', 'refused', 'silent', 'unreachable', 'wrong'])
    expect([...outcomes], outcome).toContain(outcome)
  // The node's own set gives the total weight, including validators without a key.
  const validators = await validatorsOf(primaryNetwork)
  const total = Object.values(validators).reduce((sum, { weight }) => sum + BigInt(weight), 0n)
  const signed = signers.reduce((sum, one) => sum + (one.outcome === 'signed' ? one.weight : 0n), 0n)
  const reached = (signed * 100n) / total
  const offer = page.getByRole('button', { name: `Set the quorum to ${reached} %` })
  await offer.click()
  await expect(page.getByRole('textbox', { name: 'Quorum' })).toHaveValue(String(reached))
  const signedMessage = page.getByLabel('Signed message', { exact: true })
  for (let rounds = 0; rounds < 3 && !(await signedMessage.isVisible()); rounds += 1) {
    // Who signed late in the first round may be too late in the next.
    if (rounds > 0) await page.getByRole('button', { name: /^Set the quorum to/ }).click()
    await page.getByRole('button', { name: 'Collect signatures', exact: true }).click()
    await expect(signedMessage.or(round(page).getByRole('alert'))).toBeVisible()
  }
  await expect(signedMessage).toContainText(/^0x0000/)
})

test('a round is cancelled with one click and leaves nothing behind', async ({ page }) => {
  const { txHash } = await conversionMessage()
  await page.goto(`/signatures?tx=${txHash}&subnet=${primaryNetwork}&quorum=99`)
  await page.getByRole('button', { name: 'Collect signatures', exact: true }).click()
  await expect(round(page).getByRole('list', { name: 'What became of the signers' })).toContainText('signed:')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Change the request' }).click()
  await expect(round(page).getByText('cancelled')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Collect signatures', exact: true })).toBeEnabled()
})

test.describe('invalid input', () => {
  test.use({ expectedErrors: [/400 \(Bad Request\)|404 \(Not Found\)/] })

  test('is reported at its field, by the contract and by the service', async ({ page }) => {
    await page.goto('/signatures?tab=request')
    await page.getByRole('button', { name: 'Collect signatures', exact: true }).click()
    const message = page.getByRole('textbox', { name: 'Message' })
    await expect(message).toHaveAccessibleDescription(/either message or justification must be provided/)
    await message.fill('0xabc')
    await expect(message).toHaveAccessibleDescription(/must be whole bytes in hex/)
    await message.fill('0xabcd')
    await expect(message).toHaveAccessibleDescription(/is not an unsigned message/)
    const { message: good, l1Message } = await weightMessage()
    // The same message of another network: the network ID is the second field.
    await message.fill(`${good.slice(0, 6)}00000001${good.slice(14)}`)
    await expect(fact(page, 'Message', 'Network')).toContainText('Mainnet')
    await page.getByRole('button', { name: 'Collect signatures', exact: true }).click()
    await expect(message).toHaveAccessibleDescription(/is of network 1/)
    // In several lines, as pasted from a document.
    await message.fill(good.replaceAll(/(.{40})/g, '$1\n '))
    await expect(message).not.toHaveAccessibleDescription(/is of network/)
    await expect(fact(page, 'Message', 'Validation')).toContainText(l1Message?.validationId ?? '-')

    await page.getByText('Advanced').click()
    await page.getByRole('textbox', { name: 'Buffer' }).fill('34')
    await expect(page.getByRole('textbox', { name: 'Buffer' })).toHaveAccessibleDescription(
      /together must be at most 100/,
    )
    await page.getByRole('textbox', { name: 'Signing subnet' }).fill('nobody')
    await expect(page.getByRole('textbox', { name: 'Signing subnet' })).toHaveAccessibleDescription(/cb58/)
    await page.getByRole('radio', { name: 'A transaction of the P-Chain' }).check()
    await page.getByRole('textbox', { name: 'Transaction' }).fill('1'.repeat(40))
    await expect(page.getByRole('textbox', { name: 'Transaction' })).toHaveAttribute('aria-invalid', 'true')
  })
})

test('both sliders share one scale, work by keyboard, and are kept in the URL', async ({ page }) => {
  await page.goto(`/signatures?subnet=${primaryNetwork}&buffer=10`)
  const low = page.getByRole('slider', { name: 'Quorum', exact: true })
  const high = page.getByRole('slider', { name: 'Quorum with its buffer' })
  await expect(low).toHaveValue('67')
  await expect(high).toHaveValue('77')
  const validators = await validatorsOf(primaryNetwork)
  const total = Object.values(validators).reduce((sum, { weight }) => sum + BigInt(weight), 0n)
  const needed = Number((67n * total + 99n) / 100n) / 1e9
  await expect(low).toHaveAttribute(
    'aria-valuetext',
    `67 %, ${needed.toLocaleString('en-US', { maximumFractionDigits: 0 })} AVAX`,
  )
  await low.press('ArrowRight')
  await expect(high).toHaveValue('78')
  await high.press('Home')
  await expect(high).toHaveValue('68')
  await high.press('End')
  await expect(page.getByRole('textbox', { name: 'Buffer' })).toHaveValue('32')
  await low.press('PageUp')
  await expect(low).toHaveValue('78')
  await expect(high).toHaveValue('100')
  await expect
    .poll(() => [...new URL(page.url()).searchParams].toSorted().join('&'))
    .toBe(`buffer,22&quorum,78&subnet,${primaryNetwork}`)
})

test('a message is picked from the list, and its outcome is remembered', async ({ page }) => {
  const wanted = await conversionMessage()
  await page.goto('/signatures?tab=messages')
  await page.getByRole('combobox', { name: 'Only messages of this source' }).selectOption('p-chain')
  await expect(page).toHaveURL(/source=p-chain/)
  const id = wanted.messageId.slice(0, 10)
  await page
    .getByRole('button', { name: `Collect signatures of ${id}` })
    .first()
    .click()
  await expect(page.getByLabel('Signed message', { exact: true })).toBeVisible()
  await expect(page.getByText(/^What to do with it:.*initializeValidatorSet/)).toBeVisible()
  await page.getByRole('button', { name: 'Change the request' }).click()
  await expect(fact(page, 'Message', 'Message ID')).toContainText(wanted.messageId)
  await page.getByRole('tab', { name: 'Messages' }).click()
  await expect(
    page
      .getByRole('table', { name: 'Messages' })
      .getByRole('cell', { name: /^[\d.]+ %$/ })
      .first(),
  ).toBeVisible()

  await page.getByRole('tab', { name: /^History/ }).click()
  const entries = page.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(entries).toHaveCount(1)
  await entries.getByPlaceholder('Private label').fill('the first')
  await page.getByRole('tab', { name: 'Messages' }).click()
  await page.reload()
  await page.getByRole('tab', { name: /^History/ }).click()
  await expect(entries.getByPlaceholder('Private label')).toHaveValue('the first')
  await entries.getByRole('button', { name: 'Open' }).click()
  await expect(page).toHaveURL(new RegExp(`tx=${wanted.txHash}`))
  // The URL changes before the page, on which the tab to be clicked is still the open one.
  await expect(page.getByRole('tab', { name: 'Other message' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: /^History/ }).click()
  await entries.getByRole('button', { name: 'Remove this round' }).click()
  await expect(page.getByText('No signing history')).toBeVisible()
})

test('the curl command is the request of the form', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const message = await weightMessage()
  await page.goto(`/signatures?message=${message.message}&quorum=51`)
  await expect(fact(page, 'Message', 'Message ID')).toContainText(message.messageId)
  await page.getByRole('button', { name: 'Copy curl command' }).click()
  const command = await page.evaluate(() => navigator.clipboard.readText())
  expect(command).toContain(
    `curl -X POST '${serviceUrl}/v1/signatureAggregator/${network}/aggregateSignatures'`,
  )
  const body: unknown = JSON.parse(/--data-raw '(.+)'$/s.exec(command)?.[1] ?? 'null')
  expect(aggregateSignatures.body?.parse(body)).toMatchObject({
    message: message.message,
    quorumPercentage: 51,
  })
})

test.describe('a hosted profile', () => {
  test.use({ expectedErrors: [/^Failed to load resource/] })

  test('uses its two operations, and says what it lacks', async ({ page }) => {
    const { txHash, message } = await weightMessage()
    await page.goto(`/p/fuji/signatures?message=${message}`)
    await expect(page.getByText('This deployment returns only the signed message')).toBeVisible()
    const posted = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().includes('aggregate'),
    )
    await page.getByRole('button', { name: 'Collect signatures', exact: true }).click()
    expect((await posted).url()).toBe(
      'https://data-api.avax.network/v1/signatureAggregator/fuji/aggregateSignatures',
    )
    await page.goto(`/p/fuji/signatures?tx=${txHash}`)
    await page.getByText('Advanced').click()
    await expect(page.getByRole('slider', { name: 'Quorum', exact: true })).toBeDisabled()
    const got = page.waitForRequest((request) => request.url().endsWith(`/aggregateSignatures/${txHash}`))
    await page.getByRole('button', { name: 'Collect signatures', exact: true }).click()
    expect((await got).method()).toBe('GET')
  })
})

test('a round has no axe violation, in both themes and on a narrow page', async ({ page }) => {
  const { txHash } = await conversionMessage()
  await page.goto(`/signatures?tx=${txHash}&subnet=${primaryNetwork}&quorum=100`)
  await page.getByRole('button', { name: 'Collect signatures', exact: true }).click()
  await expect(round(page).getByRole('alert')).toBeVisible()
  expect(await violationsInBothThemes(page)).toEqual([])
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await overflowOf(page), String(width)).toBeLessThanOrEqual(0)
  }
})
