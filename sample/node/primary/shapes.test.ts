import { afterAll, beforeAll, expect, test } from 'vitest'
import renewals from '../../primary/fixtures/renewals.json' with { type: 'json' }
import { resultOf } from '../../testing/ask.ts'
import { recordedResult } from '../../testing/recorded-ledger.ts'
import { shapeFaults } from '../../testing/shape.ts'
import { type RunningSample, startSample } from '../../testing/start.ts'

type Entry = Readonly<Record<string, unknown>>

let sample: RunningSample

beforeAll(async () => {
  sample = await startSample({ hours: 24, testControls: false })
})
afterAll(() => sample.stop())

const zeroId = '11111111111111111111111111111111LpoYY'

const paths: Readonly<Record<string, string>> = { platform: 'bc/P', avm: 'bc/X', info: 'info' }

/** Calls the service named by the method's prefix. */
function ask(method: string, params: Entry = {}): Promise<Entry> {
  const service = method.slice(0, method.indexOf('.'))
  return resultOf(`${sample.url}/ext/${paths[service] ?? ''}`, method, params)
}

function platform(method: string, params: Entry = {}): Promise<Entry> {
  return ask(`platform.${method}`, params)
}

/** The sample's counterparts of the things that the recorded calls ask about. */
async function things(): Promise<Readonly<Record<string, string>>> {
  const { validators } = (await platform('getCurrentValidators')) as { validators: Entry[] }
  const delegated = validators.find(({ delegatorCount }) => delegatorCount !== '0')
  const owner = delegated?.['validationRewardOwner'] as { addresses: string[] } | undefined
  const { subnets } = (await platform('getSubnets')) as { subnets: { id: string }[] }
  const found: Record<string, string> = {}
  for (const { id } of subnets) {
    if (id === zeroId) continue
    const { conversionID, subnetTransformationTxID } = await platform('getSubnet', { subnetID: id })
    if (conversionID !== zeroId) found['l1'] = id
    else if (subnetTransformationTxID === zeroId) {
      const members = (await platform('getCurrentValidators', { subnetID: id })) as { validators: unknown[] }
      if (members.validators.length > 0) found['permissioned'] = id
    }
  }
  const l1 = (await platform('getCurrentValidators', { subnetID: found['l1'] })) as { validators: Entry[] }
  const xBlock = (await ask('avm.getBlockByHeight', { height: '3', encoding: 'json' })) as {
    block: { txs: { unsignedTx: { outputs: { output: { addresses: string[] } }[] } }[] }
  }
  return {
    ...found,
    node: String(delegated?.['nodeID']),
    staking: String(delegated?.['txID']),
    address: owner?.addresses[0] ?? '',
    xAddress: xBlock.block.txs[0]?.unsignedTx.outputs[0]?.output.addresses[0] ?? '',
    validation: String(l1.validators[0]?.['validationID']),
    blockchain: sample.chain('Meridian').blockchainId,
  }
}

/** Answers that depend on the state: the recording, the method and the parameters for the sample. */
const requests: readonly (readonly [string, string, (has: Readonly<Record<string, string>>) => Entry])[] = [
  ['platform.getHeight', 'platform.getHeight', () => ({})],
  ['platform.getProposedHeight', 'platform.getProposedHeight', () => ({})],
  ['platform.getTimestamp', 'platform.getTimestamp', () => ({})],
  ['platform.getFeeState', 'platform.getFeeState', () => ({})],
  ['platform.getFeeConfig', 'platform.getFeeConfig', () => ({})],
  ['platform.getValidatorFeeState', 'platform.getValidatorFeeState', () => ({})],
  ['platform.getValidatorFeeConfig', 'platform.getValidatorFeeConfig', () => ({})],
  ['platform.getMinStake', 'platform.getMinStake', () => ({})],
  ['platform.getCurrentSupply', 'platform.getCurrentSupply', () => ({})],
  ['platform.getStakingAssetID', 'platform.getStakingAssetID', () => ({})],
  ['platform.getTotalStake', 'platform.getTotalStake', () => ({})],
  ['platform.getSubnets', 'platform.getSubnets', () => ({})],
  ['platform.getBlockchains', 'platform.getBlockchains', () => ({})],
  ['platform.sampleValidators', 'platform.sampleValidators', () => ({ size: 3 })],
  ['platform.getCurrentValidators', 'platform.getCurrentValidators', () => ({})],
  [
    'platform.getCurrentValidators.nodeIDs',
    'platform.getCurrentValidators',
    ({ node }) => ({ nodeIDs: [node] }),
  ],
  ['platform.getCurrentValidators.L1', 'platform.getCurrentValidators', ({ l1 }) => ({ subnetID: l1 })],
  [
    'L1.platform.getCurrentValidators.subnet',
    'platform.getCurrentValidators',
    ({ permissioned }) => ({ subnetID: permissioned }),
  ],
  ['platform.getL1Validator', 'platform.getL1Validator', ({ validation }) => ({ validationID: validation })],
  ['platform.getSubnet', 'platform.getSubnet', ({ l1 }) => ({ subnetID: l1 })],
  ['platform.validatedBy', 'platform.validatedBy', ({ blockchain }) => ({ blockchainID: blockchain })],
  ['platform.getValidatorsAt.proposed', 'platform.getValidatorsAt', () => ({ height: 'proposed' })],
  ['platform.getValidatorsAt.0', 'platform.getValidatorsAt', () => ({ height: 0 })],
  ['platform.getAllValidatorsAt', 'platform.getAllValidatorsAt', () => ({ height: 'proposed' })],
  ['platform.getTxStatus', 'platform.getTxStatus', ({ staking }) => ({ txID: staking })],
  ['platform.getBalance', 'platform.getBalance', ({ address }) => ({ addresses: [address] })],
  ['platform.getUTXOs', 'platform.getUTXOs', ({ address }) => ({ addresses: [address] })],
  ['platform.getStake.delegated', 'platform.getStake', ({ address }) => ({ addresses: [address] })],
  ['platform.getRewardUTXOs', 'platform.getRewardUTXOs', ({ staking }) => ({ txID: staking })],
  ['avm.getHeight', 'avm.getHeight', () => ({})],
  ['avm.getTxFee', 'avm.getTxFee', () => ({})],
  ['avm.getUTXOs', 'avm.getUTXOs', ({ xAddress }) => ({ addresses: [xAddress] })],
  ['avm.getBalance', 'avm.getBalance', ({ xAddress }) => ({ address: xAddress, assetID: 'AVAX' })],
  ['avm.getAllBalances', 'avm.getAllBalances', ({ xAddress }) => ({ address: xAddress })],
  ['avm.getAssetDescription', 'avm.getAssetDescription', () => ({ assetID: 'AVAX' })],
  ['info.upgrades', 'info.upgrades', () => ({})],
  ['info.acps', 'info.acps', () => ({})],
  ['info.peers', 'info.peers', () => ({})],
]

/** Members of auto-renewed validators only: the recorded release, 1.14, had none. */
const renewal = ['validatorAuthority', 'nextPeriod', 'autoCompoundRewardShares']
/** Validators without a BLS key have no signer; a block without a proposer rewards nobody. */
const optional = new Set(['signer', 'publicKey', ...renewal])

test('gives answers of the recorded shapes', async () => {
  const has = await things()
  for (const [recorded, method, paramsOf] of requests) {
    const answer = await ask(method, paramsOf(has))
    expect(`${recorded}: ${shapeFaults(answer, recordedResult(recorded), optional).join(', ')}`).toBe(
      `${recorded}: `,
    )
  }
})

test('describes an auto-renewed validator like a real node after the Helicon upgrade', async () => {
  const { validators } = (await platform('getCurrentValidators')) as { validators: Entry[] }
  const renewed = validators.filter(({ nextPeriod }) => nextPeriod !== undefined)
  expect(renewed.length).toBeGreaterThan(2)
  const present = new Set(['uptime', 'connected'])
  for (const each of renewed) expect(shapeFaults(each, renewals.validator, present)).toEqual([])
})
