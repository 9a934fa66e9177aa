import { type PTx, type XTx, type CTx, readP, readX, readC } from '../transactions.ts'
import { encode } from '../../../protocol/codec/schema.ts'
import { pUnsigned } from '../../../protocol/primary/p-transactions.ts'
import { decodePBlock } from '../../../protocol/primary/p-blocks.ts'
import { decodeWrapper, unsignedWrapper } from '../../../protocol/primary/proposer.ts'
import { avaxSerial, utils } from '@avalabs/avalanchejs'
import { X509Certificate, verify } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { configure, renew } from './acts-renewal.ts'
import type { Engine } from '../engine/engine.ts'
import type { Ledger, LedgerTx, Staker } from '../ledger.ts'
import { sign } from '../keys.ts'
import { createReader } from '../engine/reader.ts'
import { bytesOf, hexOf } from '../../../protocol/ids/bare-hex.ts'
import { sha256, sha256Hex } from '../../../protocol/native/hashes.ts'
import { testHistory } from '../../testing/made-ledger.ts'
import { verifyIssued } from '../engine/verify.ts'
import type { Made } from '../wallet.ts'
import { renewers } from '../world.ts'

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
})

function readTx(tx: LedgerTx): PTx | XTx | CTx {
  return { P: readP, X: readX, C: readC }[tx.chain](tx.bytes)
}

function typeOf(tx: LedgerTx): string {
  return `${tx.chain} ${readTx(tx).unsigned.type}`
}

function all(): readonly LedgerTx[] {
  return [...engine.state.txs.values()]
}

/** The P-Chain transaction types of the hosted data API. */
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
  'AddAutoRenewedValidatorTx',
  'SetAutoRenewedValidatorConfigTx',
  'RewardAutoRenewedValidatorTx',
]

/**
 * The Helicon types, which avalanchejs 5.2.0 does not know. renewal.test.ts checks them against a recorded
 * node.
 */
const unknownToAvalanchejs: ReadonlySet<string> = new Set([
  'P AddAutoRenewedValidatorTx',
  'P SetAutoRenewedValidatorConfigTx',
  'P RewardAutoRenewedValidatorTx',
])

/** avalanchejs 5.2.0 does not know the property feature extension. */
function hasProperty(tx: LedgerTx): boolean {
  const { unsigned } = readX(tx.bytes)
  if (unsigned.type === 'CreateAssetTx') return unsigned.states.some(({ fxIndex }) => fxIndex === 2)
  if (unsigned.type !== 'OperationTx') return false
  return unsigned.operations.some(({ operation }) => operation.type.startsWith('PROPERTY'))
}

describe('the history', () => {
  test('has every type of transaction several times', () => {
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

  test('is decoded and encoded again by avalanchejs without a difference', () => {
    const codecs = {
      P: utils.getManagerForVM('PVM'),
      X: utils.getManagerForVM('AVM'),
      C: utils.getManagerForVM('EVM'),
    }
    let read = 0
    for (const tx of all()) {
      if ((tx.chain === 'X' && hasProperty(tx)) || unknownToAvalanchejs.has(typeOf(tx))) continue
      const manager = codecs[tx.chain]
      const signed = manager.unpack(tx.bytes, avaxSerial.SignedTx)
      const again = manager.packCodec(signed.unsignedTx)
      expect(Buffer.from(again).equals(tx.bytes.subarray(0, again.length)), `${typeOf(tx)} ${tx.id}`).toBe(
        true,
      )
      // avalanchejs encodes NFT credentials as those of coins, so only their signatures can be compared.
      const { credentials } = readTx(tx)
      const signatures = credentials.flatMap((each) => each.signatures.map((hex) => `0x${hex}`))
      expect(signed.getAllSignatures()).toEqual(signatures)
      read += 1
    }
    expect(read).toBeGreaterThan(900)
  })

  test('pays some rewards and not others', () => {
    const paid: boolean[] = []
    for (let height = 1; height < ledger.height('P'); height += 1) {
      const block = decodePBlock(ledger.block('P', height)?.bytes ?? new Uint8Array())
      if (block.proposal?.unsigned.type !== 'RewardValidatorTx') continue
      const child = decodePBlock(ledger.block('P', height + 1)?.bytes ?? new Uint8Array())
      paid.push(child.kind === 'commit')
    }
    expect(paid.filter((each) => each).length).toBeGreaterThan(20)
    expect(paid.filter((each) => !each).length).toBeGreaterThan(2)
  })

  test('renews validators that restake everything, a part or nothing, also at the maximum stake, and ends them in both ways', () => {
    const ended = new Map<string, boolean[]>()
    for (const tx of all()) {
      if (tx.chain !== 'P') continue
      const { unsigned } = readP(tx.bytes)
      if (unsigned.type !== 'RewardAutoRenewedValidatorTx') continue
      const cycles = ended.get(unsigned.stakingTxId) ?? []
      ended.set(unsigned.stakingTxId, [...cycles, tx.status === 'Committed'])
    }
    const places = new Map<number, { cycles: boolean[]; staker: Staker | undefined; max: bigint }>()
    const current = ledger.currentStakers(ledger.ids.P)
    for (const [id, cycles] of ended) {
      const { unsigned } = readP(ledger.tx('P', id)?.bytes ?? new Uint8Array())
      if (unsigned.type !== 'AddAutoRenewedValidatorTx') throw new Error(`${id} begins no cycles`)
      const log = engine.state.sets.get(ledger.ids.P) ?? []
      const weights = log.filter(({ key }) => key === unsigned.nodeId).map(({ weight }) => weight)
      places.set(engine.world.nodeById.get(unsigned.nodeId) ?? -1, {
        cycles,
        staker: current.find(({ txId }) => txId === id),
        max: weights.reduce((max, weight) => (weight > max ? weight : max), 0n),
      })
    }
    const staked = (place: number): bigint | undefined => places.get(place)?.staker?.renewal?.restaked
    expect(places.get(renewers.compounds)?.cycles).toEqual([true, true, true, true])
    expect(staked(renewers.compounds)).toBeGreaterThan(0n)
    expect(staked(renewers.paysOut)).toBe(0n)
    expect(places.get(renewers.shares)?.staker?.renewal?.restakedDelegatee).toBeGreaterThan(0n)
    expect(places.get(renewers.falters)?.cycles).toEqual([true, true, true, false])
    expect(places.get(renewers.changes)).toMatchObject({ cycles: [true, true, true], staker: undefined })
    expect(places.get(renewers.giant)).toMatchObject({ staker: undefined, max: 3_000_000n * 10n ** 9n })
    expect(places.get(renewers.brisk)?.cycles.length).toBeGreaterThan(10)
  })

  test('lets only the authority change an auto-renewed validator, within the rules', () => {
    const { world, state } = engine
    const node = world.nodes[renewers.shares]
    if (node === undefined) throw new Error('there is no such node')
    const context = { txId: '', ages: world.ages, avax: world.ids.avax, ids: world.names }
    const verify = (made: Made<PTx> | undefined): void => {
      if (made === undefined) throw new Error('nothing was made')
      verifyIssued(world, state, { chain: 'P', made }, { ...context, txId: made.id, staking: () => made.tx })
    }
    const changed = (period: number, autoCompoundShares = 500_000): Made<PTx> | undefined =>
      configure(engine, state.time, node.nodeId, { autoCompoundShares, period })
    expect(() => verify(changed(12 * 3_600))).not.toThrow()
    expect(() => verify(changed(0))).not.toThrow()
    expect(() => verify(changed(12 * 3_600 - 1))).toThrow('staking period is too short')
    expect(() => verify(changed(366 * 86_400))).toThrow('staking period is too long')
    expect(() => verify(changed(0, 1_000_001))).toThrow('a staker can only restake at most 1000000 shares')
    const made = changed(0)
    const [first, ...rest] = [...(made?.tx.credentials ?? [])].reverse()
    const stranger = world.people[3]?.keys[0]
    if (made === undefined || first === undefined || stranger === undefined) throw new Error('nobody signed')
    const signature = sign(sha256(encode(pUnsigned, made.tx.unsigned)), stranger)
    const forged = [...rest.reverse(), { ...first, signatures: [signature] }]
    expect(() => verify({ ...made, tx: { ...made.tx, credentials: forged } })).toThrow(
      'expected signature from another key',
    )
    const again = renew(engine, state.time, {
      node,
      party: world.collector,
      collects: world.collector,
      authority: world.collector,
      weight: 5_000_000_000n,
      shares: 20_000,
      autoCompoundShares: 0,
      period: 86_400,
    })
    expect(() => verify(again)).toThrow('duplicate validator')
  })

  test('has L1 validators with and without a balance, one owner of 2,000 coins, vertices with several parents', () => {
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

  test('has wrappers signed by current validators', () => {
    let parent = ''
    let signed = 0
    for (let index = 0; index < ledger.containers('P/block'); index += 1) {
      const found = ledger.container('P/block', index)
      const block = ledger.block('P', index + 1)
      if (found === undefined || block === undefined) throw new Error(`no container ${index}`)
      if (found.id !== block.id) {
        const made = decodeWrapper(found.bytes)
        expect(hexOf(made.parentId)).toBe(parent)
        expect(sha256Hex(unsignedWrapper(made))).toBe(found.id)
        // Only every thirtieth is checked, because verification is slower than signing.
        if (made.type !== 'OPTION' && made.certificate.length > 0 && index % 30 === 0) {
          const { publicKey } = new X509Certificate(made.certificate)
          const header = Buffer.concat([
            Buffer.from([0, 0]),
            bytesOf(ledger.ids.P),
            made.parentId,
            sha256(unsignedWrapper(made)),
          ])
          expect(verify('sha256', header, publicKey, made.signature)).toBe(true)
          signed += 1
        }
      }
      parent = found.id
    }
    expect(signed).toBeGreaterThan(10)
  })

  test('is the same for the same seed, and different for another one', async () => {
    const heads = async (seed: number): Promise<unknown> => {
      const { state } = await testHistory(seed, 6, 0.01)
      return [state.blocks.P.at(-1)?.id, state.blocks.X.at(-1)?.id, [...state.extra.keys()]]
    }
    const [first, second, other] = [await heads(5), await heads(5), await heads(6)]
    expect(second).toEqual(first)
    expect(other).not.toEqual(first)
  })
})
