import { avaxSerial, utils } from '@avalabs/avalanchejs'
import { X509Certificate, verify } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from './check.ts'
import { txsOf, unsignedWrapper, wrapper, pBlock } from './codec/blocks.ts'
import type { CTx, PTx, XTx } from './codec/types.ts'
import { cTx, pTx, xTx } from './codec/types.ts'
import type { Codec } from './codec/wire.ts'
import { decode } from './codec/wire.ts'
import type { Engine } from './engine.ts'
import type { Ledger, LedgerTx } from './ledger.ts'
import { createReader } from './reader.ts'
import { bytesOf, sha256, sha256Hex } from './text.ts'
import { testHistory } from './testing.ts'

let engine: Engine
let ledger: Ledger

beforeAll(async () => {
  engine = await testHistory()
  ledger = {
    ...createReader(engine.world, engine.state),
    get upgrades() {
      return createReader(engine.world, engine.state).upgrades
    },
    issue: () => '',
    onBlock: () => () => undefined,
  }
}, 120_000)

function readTx(tx: LedgerTx): PTx | XTx | CTx {
  const codec: Codec<PTx | XTx | CTx> = { P: pTx, X: xTx, C: cTx }[tx.chain]
  return decode(codec, tx.bytes)
}

function typeOf(tx: LedgerTx): string {
  return `${tx.chain} ${readTx(tx).unsigned.type}`
}

function all(): readonly LedgerTx[] {
  return [...engine.state.txs.values()]
}

/** The types of the P-chain that hosted.md lists. */
const pTypes = [
  'AddValidatorTx',
  'AddSubnetValidatorTx',
  'AddDelegatorTx',
  'CreateChainTx',
  'CreateSubnetTx',
  'ImportTx',
  'ExportTx',
  'AdvanceTimeTx',
  'RewardValidatorTx',
  'RemoveSubnetValidatorTx',
  'TransformSubnetTx',
  'AddPermissionlessValidatorTx',
  'AddPermissionlessDelegatorTx',
  'BaseTx',
  'TransferSubnetOwnershipTx',
  'ConvertSubnetToL1Tx',
  'RegisterL1ValidatorTx',
  'SetL1ValidatorWeightTx',
  'DisableL1ValidatorTx',
  'IncreaseL1ValidatorBalanceTx',
]

/** avalanchejs knows no properties (real-node.md). */
function hasProperty(tx: LedgerTx): boolean {
  const { unsigned } = decode(xTx, tx.bytes)
  if (unsigned.type === 'CreateAssetTx') return unsigned.states.some(({ fx }) => fx === 2)
  if (unsigned.type !== 'OperationTx') return false
  return unsigned.operations.some(({ operation }) => operation.type.startsWith('property'))
}

describe('the history', () => {
  it('has every type of transaction several times', () => {
    const counts = new Map<string, number>()
    for (const tx of all()) counts.set(typeOf(tx), (counts.get(typeOf(tx)) ?? 0) + 1)
    const names = {
      P: pTypes,
      X: ['BaseTx', 'CreateAssetTx', 'OperationTx', 'ImportTx', 'ExportTx'],
      C: ['ImportTx', 'ExportTx'],
    }
    const rare = Object.entries(names)
      .flatMap(([chain, types]) => types.map((type) => `${chain} ${type}`))
      .filter((name) => (counts.get(name) ?? 0) < 3)
    expect(rare).toEqual([])
  })

  it('is written so that avalanchejs reads every transaction and writes it again', () => {
    const codecs = {
      P: utils.getManagerForVM('PVM'),
      X: utils.getManagerForVM('AVM'),
      C: utils.getManagerForVM('EVM'),
    }
    let read = 0
    for (const tx of all()) {
      if (tx.chain === 'X' && hasProperty(tx)) continue
      const manager = codecs[tx.chain]
      const signed = manager.unpack(tx.bytes, avaxSerial.SignedTx)
      const again = manager.packCodec(signed.unsignedTx)
      expect(Buffer.from(again).equals(tx.bytes.subarray(0, again.length)), `${typeOf(tx)} ${tx.id}`).toBe(
        true,
      )
      // It writes the credentials of NFTs as if they were those of coins, so that only their signatures can be compared.
      const { credentials } = readTx(tx)
      const signatures = credentials.flatMap((each) => each.signatures.map((hex) => `0x${hex}`))
      expect(signed.getAllSignatures()).toEqual(signatures)
      read += 1
    }
    expect(read).toBeGreaterThan(900)
  })

  it('adds up from its bytes alone', () => {
    const { problems, transactions, inFlight } = checkLedger(ledger)
    expect(problems).toEqual([])
    expect(transactions).toBeGreaterThan(900)
    expect(inFlight).toBeGreaterThan(0)
  })

  it.each([
    ['a coin is lost', (told: Ledger) => ({ ...told, utxos: (...args) => told.utxos(...args).slice(1) })],
    ['the supply is off by one', (told) => ({ ...told, supply: (id) => (told.supply(id) ?? 0n) + 1n })],
    [
      'a weight is another',
      (told) => ({
        ...told,
        validatorsAt: (height, id) =>
          told.validatorsAt(height, id)?.map((each) => ({ ...each, weight: each.weight + 1n })),
      }),
    ],
    ['a reward is not paid', (told) => ({ ...told, rewardUtxos: () => [] })],
    ['a C block loses its transactions', (told) => ({ ...told, extraData: () => undefined })],
  ] satisfies [string, (told: Ledger) => Ledger][])('does not add up when %s', (_what, change) => {
    expect(checkLedger(change(ledger)).problems).not.toEqual([])
  })

  it('pays some rewards and not others', () => {
    const paid: boolean[] = []
    for (let height = 1; height < ledger.height('P'); height += 1) {
      const block = decode(pBlock, ledger.block('P', height)?.bytes ?? new Uint8Array())
      const [tx] = txsOf(block)
      if (tx?.unsigned.type !== 'RewardValidatorTx') continue
      const child = decode(pBlock, ledger.block('P', height + 1)?.bytes ?? new Uint8Array())
      paid.push(child.type.endsWith('Commit'))
    }
    expect(paid.filter((each) => each).length).toBeGreaterThan(20)
    expect(paid.filter((each) => !each).length).toBeGreaterThan(2)
  })

  it('has L1 validators with and without a balance, one owner of 2,000 coins, vertices with several parents', () => {
    const l1s = ledger.subnets().flatMap(({ id }) => ledger.l1Validators(id))
    expect(l1s.some(({ balance }) => balance === 0n)).toBe(true)
    expect(l1s.some(({ balance }) => balance > 0n)).toBe(true)
    const { collector } = engine.world
    expect(ledger.utxos({ chain: 'P' }, collector.keys[0]?.address ?? '').length).toBeGreaterThan(2_000)
    expect(engine.state.vertices.some(({ parents }) => parents.length > 2)).toBe(true)
    const first = ledger.block('X', 0)
    expect(first?.parentId).toBe(ledger.upgrades.stopVertexId)
    expect(engine.state.vertices.at(-1)?.id).toBe(first?.parentId)
  })

  it('signs its wrappers by validators of the moment', () => {
    let parent = ''
    let signed = 0
    for (let index = 0; index < ledger.containers('P/block'); index += 1) {
      const found = ledger.container('P/block', index)
      const block = ledger.block('P', index + 1)
      if (found === undefined || block === undefined) throw new Error(`no container ${index}`)
      if (found.id !== block.id) {
        const made = decode(wrapper, found.bytes)
        expect(made.parent).toBe(parent)
        expect(sha256Hex(unsignedWrapper(made))).toBe(found.id)
        // Every thirtieth will do: checking takes longer than signing.
        if (made.type !== 'option' && made.certificate.length > 0 && index % 30 === 0) {
          const { publicKey } = new X509Certificate(made.certificate)
          const header = Buffer.concat([
            Buffer.from([0, 0]),
            bytesOf(ledger.ids.P),
            bytesOf(made.parent),
            sha256(unsignedWrapper(made)),
          ])
          expect(verify('sha256', header, publicKey, made.signature)).toBe(true)
          signed += 1
        }
      }
      parent = found.id
    }
    expect(signed).toBeGreaterThan(10)
  }, 30_000)

  it('is the same for the same seed, and another for another', async () => {
    const heads = async (seed: number): Promise<unknown> => {
      const { state } = await testHistory(seed, 6, 0.01)
      return [state.blocks.P.at(-1)?.id, state.blocks.X.at(-1)?.id, [...state.extra.keys()]]
    }
    const [first, second, other] = [await heads(5), await heads(5), await heads(6)]
    expect(second).toEqual(first)
    expect(other).not.toEqual(first)
  }, 60_000)
})
