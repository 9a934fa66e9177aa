import { atomicTx } from '../../../protocol/primary/atomic.ts'
import { encode } from '../../../protocol/codec/schema.ts'
import { readExtraData, txsOfBlock } from '../../primary/transactions.ts'
import { decodeXBlock } from '../../../protocol/primary/x-blocks.ts'
import { decodeWrapper, unsignedWrapper } from '../../../protocol/primary/proposer.ts'
import { createHash } from 'node:crypto'
import { fromRlp, type Hex, keccak256, toRlp } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hexOf } from '../../../protocol/ids/bare-hex.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { sha256Hex } from '../../../protocol/native/hashes.ts'
import { decode as bytesOf, encode as encodeHex } from '../rpc/encodings.ts'
import { answerOf, resultOf } from '../../testing/ask.ts'
import { type RunningSample, startSample } from '../../testing/start.ts'

let sample: RunningSample
let [p, x, avax] = ['', '', '']

beforeAll(async () => {
  sample = await startSample({ hours: 48, testControls: false })
  p = `${sample.url}/ext/bc/P`
  x = `${sample.url}/ext/bc/X`
  avax = `${sample.url}/ext/bc/C/avax`
})
afterAll(() => sample.stop())

type Container = {
  readonly id: string
  readonly bytes: string
  readonly index: string
}

/** All containers of an index, read with the largest page size. */
async function containersOf(kind: string): Promise<readonly Container[]> {
  const url = `${sample.url}/ext/index/${kind}`
  const last = await resultOf<Container>(url, 'index.getLastAccepted', { encoding: 'hex' })
  const found: Container[] = []
  while (found.length <= Number(last.index)) {
    const params = { startIndex: found.length, numToFetch: 1024, encoding: 'hex' }
    const page = await resultOf<{ containers: Container[] }>(url, 'index.getContainerRange', params)
    found.push(...page.containers)
  }
  return found
}

function raw(hex: string): Uint8Array {
  return new Uint8Array(bytesOf('hex', hex))
}

type Entry = Readonly<Record<string, unknown>>

type Shown = {
  readonly id: string
  readonly parentID: string
  readonly txs?: readonly Entry[] | null
  readonly tx?: Entry
}

async function blocksOf(
  url: string,
  service: string,
  kind: string,
): Promise<{ readonly bytes: Uint8Array; readonly shown: Shown }[]> {
  const { height } = await resultOf<{ height: string }>(url, `${service}.getHeight`, {})
  const containers = await containersOf(kind)
  expect(containers).toHaveLength(Number(height))
  const found: { bytes: Uint8Array; shown: Shown }[] = []
  for (let at = 0; at <= Number(height); at += 1) {
    const [hex, json] = await Promise.all([
      resultOf<{ block: string }>(url, `${service}.getBlockByHeight`, { height: at, encoding: 'hex' }),
      resultOf<{ block: Shown }>(url, `${service}.getBlockByHeight`, { height: at, encoding: 'json' }),
    ])
    const bytes = raw(hex.block)
    expect(json.block.id).toBe(cb58(sha256Hex(bytes)))
    const before = found.at(-1)
    if (before !== undefined) expect(json.block.parentID).toBe(before.shown.id)
    const container = containers[at - 1]
    if (container !== undefined)
      expect(Buffer.from(raw(container.bytes)).includes(Buffer.from(bytes))).toBe(true)
    found.push({ bytes, shown: json.block })
  }
  return found
}

/** The members that each transaction has beside the common ones, as the node's JSON names them. */
const members: Readonly<Record<string, string>> = {
  AddValidatorTx: 'rewardsOwner shares stake validator',
  AddSubnetValidatorTx: 'subnetAuthorization validator',
  AddDelegatorTx: 'rewardsOwner stake validator',
  CreateChainTx: 'chainName fxIDs genesisData subnetAuthorization subnetID vmID',
  CreateSubnetTx: 'owner',
  ImportTx: 'importedInputs sourceChain',
  ExportTx: 'destinationChain exportedOutputs',
  AdvanceTimeTx: 'time',
  RewardValidatorTx: 'txID',
  RemoveSubnetValidatorTx: 'nodeID subnetAuthorization subnetID',
  TransformSubnetTx:
    'assetID initialSupply maxConsumptionRate maxStakeDuration maxValidatorStake maxValidatorWeightFactor maximumSupply minConsumptionRate minDelegationFee minDelegatorStake minStakeDuration minValidatorStake subnetAuthorization subnetID uptimeRequirement',
  AddPermissionlessValidatorTx:
    'delegationRewardsOwner shares signer stake subnetID validationRewardsOwner validator',
  AddPermissionlessDelegatorTx: 'rewardsOwner stake subnetID validator',
  TransferSubnetOwnershipTx: 'newOwner subnetAuthorization subnetID',
  BaseTx: '',
  ConvertSubnetToL1Tx: 'address chainID subnetAuthorization subnetID validators',
  RegisterL1ValidatorTx: 'balance message proofOfPossession',
  SetL1ValidatorWeightTx: 'message',
  IncreaseL1ValidatorBalanceTx: 'balance validationID',
  DisableL1ValidatorTx: 'disableAuthorization validationID',
  AddAutoRenewedValidatorTx:
    'autoCompoundRewardShares delegationRewardsOwner delegationShares nodeID period signer stake validationRewardsOwner validatorAuthority',
  SetAutoRenewedValidatorConfigTx: 'auth autoCompoundRewardShares period txID',
  RewardAutoRenewedValidatorTx: 'timestamp txID',
  CreateAssetTx: 'denomination initialStates name symbol',
  OperationTx: 'operations',
}

function ownMembers(tx: Entry | undefined): string {
  const common = new Set(['networkID', 'blockchainID', 'outputs', 'inputs', 'memo'])
  const names = Object.keys(tx?.['unsignedTx'] as Entry).filter((name) => !common.has(name))
  return names.sort().join(' ')
}

test('P returns every block of its history, each linked to its parent and each transaction with the members of its type', async () => {
  for (const { bytes, shown } of await blocksOf(p, 'platform', 'P/block')) {
    const types = txsOfBlock(bytes).map(({ unsigned }) => unsigned.type)
    const txs = [...(shown.txs ?? []), ...(shown.tx === undefined ? [] : [shown.tx])]
    expect(txs.map(ownMembers)).toEqual(types.map((type) => members[type]))
  }
})

test('X returns every block after its linearization, each linked to its parent and each transaction with the members of its type', async () => {
  for (const { bytes, shown } of await blocksOf(x, 'avm', 'X/block')) {
    const types = decodeXBlock(bytes).transactions.map(({ unsigned }) => unsigned.type)
    expect((shown.txs ?? []).map(ownMembers)).toEqual(types.map((type) => members[type]))
  }
})

test('X returns the transactions of its vertices', async () => {
  const [vertices, txs] = await Promise.all([containersOf('X/vtx'), containersOf('X/tx')])
  for (const { id, bytes } of vertices) expect(id).toBe(cb58(sha256Hex(raw(bytes))))
  for (const { id, bytes } of txs) {
    expect(id).toBe(cb58(sha256Hex(raw(bytes))))
    const params = { txID: id, encoding: 'json' }
    const { tx } = await resultOf<{ tx: Entry }>(x, 'avm.getTx', params)
    expect(tx['id']).toBe(id)
  }
})

/** Atomic transactions of the C-Chain: block height by transaction id. */
const atomicTxs = new Map<string, number>()

test('the index holds the C blocks, each linked to its parent and with its atomic transactions', async () => {
  const containers = await containersOf('C/block')
  const rpc = sample.chain('C-Chain').rpcUrl
  expect(containers).toHaveLength(Number(await resultOf(rpc, 'eth_blockNumber')))
  const genesis = await resultOf<{ hash: string }>(rpc, 'eth_getBlockByNumber', '0x0', false)
  let parent = genesis.hash.slice(2)
  for (const container of containers) {
    const wrapped = decodeWrapper(raw(container.bytes))
    expect(hexOf(wrapped.parentId)).toBe(parent)
    parent = sha256Hex(unsignedWrapper(wrapped))
    expect(container.id).toBe(cb58(parent))
    const parts = fromRlp(wrapped.block, 'hex') as [Hex[], Hex[], Hex[], Hex, Hex]
    const [header, , , , extraData] = parts
    const height = Number(header[8])
    const number = `0x${height.toString(16)}`
    const block = await resultOf<Entry>(rpc, 'eth_getBlockByNumber', number, false)
    expect(keccak256(toRlp(header))).toBe(block['hash'])
    expect(extraData).toBe(block['blockExtraData'] ?? '0x')
    if (extraData === '0x') continue
    for (const tx of readExtraData(new Uint8Array(Buffer.from(extraData.slice(2), 'hex')))) {
      atomicTxs.set(cb58(sha256Hex(encode(atomicTx, tx))), height)
    }
  }
  for (const [txID, height] of atomicTxs) {
    const status = await resultOf(avax, 'avax.getAtomicTxStatus', { txID })
    expect(status).toEqual({ status: 'Accepted', blockHeight: String(height) })
  }
})

type Validator = {
  readonly txID: string
  readonly nodeID: string
  readonly validationRewardOwner: { readonly addresses: readonly string[] }
}

async function validatorsOf(params: Entry = {}): Promise<readonly Validator[]> {
  const found = await resultOf<{ validators: Validator[] }>(p, 'platform.getCurrentValidators', params)
  return found.validators
}

type Page = {
  readonly numFetched: string
  readonly utxos: readonly string[]
  readonly endIndex: { readonly address: string; readonly utxo: string }
}

/**
 * The id that avalanchego's pages are ordered by, `avax.UTXOID.InputID`: the hash of the index (64 bits) and the
 * transaction's id.
 */
function inputIdOf(utxo: Uint8Array): string {
  // A UTXO's bytes begin with the codec version (2), the transaction's id (32) and the index (4).
  const preimage = [new Uint8Array(4), utxo.subarray(34, 38), utxo.subarray(2, 34)]
  return cb58(createHash('sha256').update(Buffer.concat(preimage)).digest('hex'))
}

/** All pages, read like a client does: from the end of the last one until a page is empty. */
async function pagesOf(url: string, method: string, params: Entry): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = []
  let startIndex: unknown
  for (;;) {
    const page: Page = await resultOf<Page>(url, method, { ...params, startIndex })
    expect(page.numFetched).toBe(String(page.utxos.length))
    const last = page.utxos.at(-1)
    if (last === undefined) return pages
    expect(page.endIndex.utxo).toBe(inputIdOf(raw(last)))
    pages.push(page.utxos)
    startIndex = page.endIndex
  }
}

test('returns each UTXO of P once over all pages, and their sum is the balance', async () => {
  const owners = (await validatorsOf()).flatMap((each) => each.validationRewardOwner.addresses)
  const addresses = [...new Set(owners)]
  const few = await pagesOf(p, 'platform.getUTXOs', { addresses, limit: 7 })
  const many = await pagesOf(p, 'platform.getUTXOs', { addresses, limit: 1024 })
  expect(few.slice(0, -1).every((page) => page.length === 7)).toBe(true)
  expect(new Set(few.flat()).size).toBe(few.flat().length)
  expect(few.flat()).toEqual(many.flat())
  const balance = await resultOf<{ utxoIDs: readonly unknown[] }>(p, 'platform.getBalance', { addresses })
  expect(few.flat()).toHaveLength(balance.utxoIDs.length)
})

test('refuses invalid and known transactions', async () => {
  for (const [url, service] of [
    [p, 'platform'],
    [x, 'avm'],
    [avax, 'avax'],
  ] as const) {
    const garbage = encodeHex('hex', Buffer.from('000000000022000000', 'hex'))
    const { error } = await answerOf(url, `${service}.issueTx`, { tx: garbage, encoding: 'hex' })
    expect(error?.code).toBe(-32000)
  }
  const { validators } = await resultOf<{ validators: Validator[] }>(p, 'platform.getCurrentValidators', {})
  const params = { txID: validators[0]?.txID, encoding: 'hex' }
  const { tx } = await resultOf<{ tx: string }>(p, 'platform.getTx', params)
  const again = await answerOf(p, 'platform.issueTx', { tx, encoding: 'hex' })
  expect(again.error?.message).toMatch(/^couldn't issue tx: /)
})
