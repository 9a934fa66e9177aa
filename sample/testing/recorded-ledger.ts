import type { ChainAlias } from '../../protocol/primary/chains.ts'
import { decodeUtxo } from '../../protocol/primary/outputs.ts'
import { type Owner, readC, txsOfBlock } from '../primary/transactions.ts'
import { encode } from '../../protocol/codec/schema.ts'
import { pTx } from '../../protocol/primary/p-transactions.ts'
import { decodePBlock } from '../../protocol/primary/p-blocks.ts'
import { decodeXBlock } from '../../protocol/primary/x-blocks.ts'
import { decodeWrapper } from '../../protocol/primary/proposer.ts'
import { readFileSync } from 'node:fs'
import {
  type Container,
  type FeeState,
  type L1Validator,
  type Ledger,
  type LedgerBlock,
  LedgerError,
  type LedgerTx,
  type LedgerUtxo,
  type SetMember,
  type Staker,
} from '../primary/ledger.ts'
import { utxoId } from '../primary/state.ts'
import { hexOf, hexOfCb58 } from '../../protocol/ids/bare-hex.ts'
import { sha256Hex, withVersion } from '../../protocol/native/hashes.ts'
import { hexed } from '../primary/hexed.ts'

/** A request to a real node and its answer. */
export type RecordedAnswer = {
  readonly name: string
  readonly path: string
  readonly httpMethod: string
  readonly contentType: string
  readonly body: unknown
  readonly status: number
  /** The content type; null for an empty answer. */
  readonly type: string | null
  readonly answer: unknown
}

/** Answers of avalanchego 1.14.0 on local single-node networks; info.upgrades with the member that 1.15 added. */
export const recordedAnswers = JSON.parse(
  readFileSync(new URL('../node/fixtures/primary-answers.json', import.meta.url), 'utf8'),
) as readonly RecordedAnswer[]

type Entry = Readonly<Record<string, unknown>>

/** The result of a recorded answer. Throws for an unknown name. */
export function recordedResult(name: string): Entry {
  const found = recordedAnswers.find((each) => each.name === name)
  const result = (found?.answer as Entry | undefined)?.['result']
  if (result === undefined) throw new Error(`${name} has not been recorded`)
  return result as Entry
}

function id(cb58: unknown): string {
  const hex = hexOfCb58(String(cb58))
  if (hex === undefined) throw new Error(`${String(cb58)} is not an id`)
  return hex
}

function nodeId(value: unknown): string {
  return id(String(value).replace('NodeID-', ''))
}

/** The bytes of the node's hex, which ends with a 4-byte checksum. */
function bytes(hex: unknown): Uint8Array {
  return new Uint8Array(Buffer.from(String(hex).slice(2, -8), 'hex'))
}

/** The address of the test key, the only one on these networks. */
export const testAddress = '3cb7d3842e8cee6a0ebd09f1fe884f6861e1b29c'
const testOwner: Owner = { locktime: 0n, threshold: 1, addresses: [testAddress] }

function containers(kind: 'P' | 'X'): Container[] {
  const range = recordedResult(`index.getContainerRange.${kind}.block`)['containers'] as readonly Entry[]
  const last = recordedResult(`index.getLastAccepted.${kind}.block`)
  const all = range.some(({ index }) => index === last['index']) ? range : [...range, last]
  return all.map((each) => ({
    index: Number(each['index']),
    id: id(each['id']),
    bytes: bytes(each['bytes']),
    time: Date.parse(String(each['timestamp'])) / 1000,
  }))
}

function pLedgerBlock(raw: Uint8Array): LedgerBlock {
  const { height, id: blockId, parentId, time = 0, transactions, proposal } = decodePBlock(raw)
  const txs = [...transactions, ...(proposal === undefined ? [] : [proposal])]
  const txIds = txs.map((tx) => hexOf(tx.id))
  return { chain: 'P', height, id: hexOf(blockId), parentId: hexOf(parentId), time, bytes: raw, txIds }
}

function xLedgerBlock(raw: Uint8Array): LedgerBlock {
  const { height, id: blockId, parentId, time, transactions } = decodeXBlock(raw)
  const txIds = transactions.map((tx) => hexOf(tx.id))
  return { chain: 'X', height, id: hexOf(blockId), parentId: hexOf(parentId), time, bytes: raw, txIds }
}

function utxosOf(name: string): LedgerUtxo[] {
  return (recordedResult(name)['utxos'] as readonly string[]).map((hex) => {
    const raw = bytes(hex)
    const utxo = hexed(decodeUtxo(raw, 'X'))
    return { id: utxoId(utxo.txId, utxo.outputIndex), ...utxo, bytes: raw }
  })
}

function stakerOf(entry: Entry, shares: number | undefined): Staker {
  const signer = entry['signer'] as { publicKey: string; proofOfPossession: string } | undefined
  return {
    txId: id(entry['txID']),
    kind: shares === undefined ? 'delegator' : 'validator',
    subnetId: '00'.repeat(32),
    nodeId: nodeId(entry['nodeID']),
    start: Number(entry['startTime']),
    end: Number(entry['endTime']),
    weight: BigInt(String(entry['weight'])),
    potentialReward: BigInt(String(entry['potentialReward'])),
    shares,
    accruedDelegateeReward: 0n,
    signer: signer && {
      publicKey: signer.publicKey.slice(2),
      proof: signer.proofOfPossession.slice(2),
    },
    validationOwner: testOwner,
    delegationOwner: testOwner,
  }
}

function stakers(): Staker[] {
  const validators = recordedResult('platform.getCurrentValidators')['validators'] as readonly Entry[]
  const one = recordedResult('platform.getCurrentValidators.nodeIDs')['validators'] as readonly Entry[]
  const delegators = one.flatMap((each) => each['delegators'] as readonly Entry[])
  const all = [
    ...delegators.map((each) => stakerOf(each, undefined)),
    ...validators.map((each) => stakerOf(each, Number(each['delegationFee']) * 10_000)),
  ]
  // The node's order: by end time, delegators before validators.
  return all.toSorted((a, b) => a.end - b.end)
}

function l1Validator(): L1Validator {
  const entry = recordedResult('platform.getL1Validator')
  return {
    validationId: id(entry['validationID']),
    subnetId: id(entry['subnetID']),
    nodeId: nodeId(entry['nodeID']),
    publicKey: String(entry['publicKey']).slice(2),
    weight: BigInt(String(entry['weight'])),
    start: Number(entry['startTime']),
    minNonce: 0n,
    balance: BigInt(String(entry['balance'])),
    remainingBalanceOwner: testOwner,
    deactivationOwner: testOwner,
  }
}

function membersOf(name: string): SetMember[] {
  return Object.entries(recordedResult(name)).map(([node, entry]) => ({
    nodeId: nodeId(node),
    weight: BigInt((entry as { weight: string }).weight),
    publicKey: (entry as { publicKey: string }).publicKey.slice(2),
  }))
}

function stateOf(name: string): FeeState {
  const entry = recordedResult(name)
  const number = (key: string): bigint => BigInt(Number(entry[key] ?? 0))
  return {
    capacity: number('capacity'),
    excess: number('excess'),
    price: number('price'),
    time: Date.parse(String(entry['timestamp'])) / 1000,
  }
}

/** The state of a real node, built from its own answers: the endpoints must return those answers for it. */
export function recordedLedger(): Ledger {
  const wrapped = { P: containers('P'), X: containers('X') }
  const inner = (kind: 'P' | 'X'): Uint8Array[] => [
    bytes(recordedResult(`${kind === 'P' ? 'platform' : 'avm'}.getBlockByHeight.0.hex`)['block']),
    ...wrapped[kind].map(({ bytes: raw }) => decodeWrapper(raw).block),
  ]
  const pBlocks = inner('P').map(pLedgerBlock)
  const xBlocks = inner('X').map(xLedgerBlock)
  const blocks = { P: pBlocks, X: xBlocks }

  const txs = new Map<string, LedgerTx>()
  function keep(chain: ChainAlias, raw: Uint8Array, height: number, time: number): void {
    const txId = sha256Hex(raw)
    txs.set(chain + txId, { chain, id: txId, bytes: raw, status: 'Committed', height, time })
  }
  for (const { bytes: raw, height, time } of pBlocks) {
    for (const tx of txsOfBlock(raw)) keep('P', encode(pTx, tx), height, time)
  }
  for (const { bytes: raw, height, time } of xBlocks) {
    for (const tx of decodeXBlock(raw).transactions) keep('X', withVersion(tx.bytes), height, time)
  }
  keep('P', bytes(recordedResult('platform.getTx.genesisValidator.hex')['tx']), 0, 0)
  keep('P', bytes(recordedResult('error.unknownTxID.P')['tx']), 0, 0)
  const atomic = bytes(recordedResult('C.avax.getAtomicTx.accepted')['tx'])
  readC(atomic)
  keep('C', atomic, 7, 0)

  const own = { P: utxosOf('platform.getUTXOs'), X: utxosOf('avm.getUTXOs') }
  const sent = utxosOf('C.avax.getUTXOs.twoAddrs')
  const all = stakers()
  const l1 = l1Validator()
  const supply = recordedResult('platform.getCurrentSupply')
  const subnet = recordedResult('platform.getSubnet')
  const chains = recordedResult('platform.getBlockchains')['blockchains'] as readonly Entry[]
  const primary = '00'.repeat(32)

  return {
    networkId: 5,
    ids: {
      P: primary,
      X: id('2eNy1mUFdmaxXNj1eQHUe7Np4gju9sJsEtWQ4MX3ToiNKuADed'),
      C: id('2owdGqyG6FFzTHy5qhenDXQcEghvr571KZE3gSfRJERSJinuwC'),
      avax: id(recordedResult('platform.getStakingAssetID')['assetID']),
    },
    upgrades: {
      apricotPhase4: 1_607_144_400,
      banff: 1_607_144_400,
      cortina: 1_607_144_400,
      durango: 1_607_144_400,
      etna: 1_607_144_400,
      granite: 1_607_144_400,
      helicon: 253_399_622_400,
      stopVertexId: primary,
    },
    genesisBytes: new Uint8Array(),
    height: (chain) => (chain === 'C' ? 7 : blocks[chain].length - 1),
    block: (chain, at) =>
      typeof at === 'number' ? blocks[chain][at] : blocks[chain].find((block) => block.id === at),
    chainTime: () => Date.parse(String(recordedResult('platform.getTimestamp')['timestamp'])) / 1000,
    tx: (chain, txId) => txs.get(chain + txId),
    utxos({ chain, source }, address) {
      const from =
        source === undefined ? (chain === 'C' ? [] : own[chain]) : source === 'X' && chain === 'C' ? sent : []
      return from.filter(({ output }) => output.owner.addresses.includes(address))
    },
    utxo: () => undefined,
    rewardUtxos: () => [],
    currentStakers: (subnetId) => (subnetId === primary ? all : []),
    pendingStakers: () => [],
    uptime(node) {
      const seen = recordedResult('platform.getCurrentValidators')['validators'] as readonly Entry[]
      const entry = seen.find((each) => nodeId(each['nodeID']) === node)
      return { isConnected: entry?.['connected'] === true, share: Number(entry?.['uptime']) / 100 }
    },
    l1Validator: (validationId) => (validationId === l1.validationId ? l1 : undefined),
    l1Validators: (subnetId) => (subnetId === l1.subnetId ? [l1] : []),
    validatorsAt(height, subnetId) {
      if (height > 11) return undefined
      if (subnetId !== primary) return height < 11 ? [] : membersOf('platform.getValidatorsAt.L1')
      if (height < 8) return membersOf('platform.getValidatorsAt.0')
      return membersOf(`platform.getValidatorsAt.${height === 8 ? '8' : 'string'}`)
    },
    subnets: () => [
      {
        id: l1.subnetId,
        owner: testOwner,
        transformTxId: undefined,
        conversion: {
          id: id(subnet['conversionID']),
          managerChainId: id(subnet['managerChainID']),
          managerAddress: String(subnet['managerAddress']).slice(2),
        },
      },
    ],
    subnet(subnetId) {
      return this.subnets().find((each) => each.id === subnetId)
    },
    blockchains: () =>
      chains.map((each) => ({
        id: id(each['id']),
        name: String(each['name']),
        subnetId: id(each['subnetID']),
        vmId: id(each['vmID']),
      })),
    supply: (subnetId) => (subnetId === primary ? BigInt(String(supply['supply'])) : undefined),
    stakingAsset: () => undefined,
    totalStake: () => all.reduce((sum, { weight }) => sum + weight, 0n),
    feeState: () => stateOf('platform.getFeeState'),
    validatorFeeState: () => stateOf('platform.getValidatorFeeState'),
    asset: (assetId) =>
      assetId === id(recordedResult('platform.getStakingAssetID')['assetID'])
        ? { id: assetId, name: 'Avalanche', symbol: 'AVAX', denomination: 9 }
        : undefined,
    vertex: () => undefined,
    containers: (kind) => (kind === 'P/block' ? wrapped.P.length : kind === 'X/block' ? wrapped.X.length : 0),
    container: (kind, index) =>
      kind === 'P/block' ? wrapped.P[index] : kind === 'X/block' ? wrapped.X[index] : undefined,
    containerOf: (kind, containerId) =>
      [...(kind === 'P/block' ? wrapped.P : []), ...(kind === 'X/block' ? wrapped.X : [])].find(
        (each) => each.id === containerId,
      ),
    extraData: () => undefined,
    issue() {
      throw new LedgerError('a recorded node accepts no transactions')
    },
    onBlock: () => () => undefined,
  }
}
