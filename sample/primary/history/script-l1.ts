import { type L1Member, type PTx } from '../transactions.ts'
import { daySeconds } from './acts-p.ts'
import { makeAuthorised, makeP, subnetOwner } from '../engine/build-p.ts'
import type { Engine } from '../engine/engine.ts'
import { managerContract } from '../founding.ts'
import { type BlsKey, proofOf } from '../keys.ts'
import { LedgerError } from '../ledger.ts'
import { fujiL1Fees } from '../../../protocol/primary/l1-fees.ts'
import { atPart, idNamed, nodeOf, type Notes, personOf, type Step } from './script.ts'
import type { L1State } from '../state.ts'
import { type Made, type Party, partyOwner } from '../wallet.ts'
import type { L1Payload } from '../../../protocol/warp/l1-payloads.ts'
import { type BareHex, bytesOf, hexOf } from '../../../protocol/ids/bare-hex.ts'
import { l1Message, validationIdOf } from '../warp.ts'
import { type World } from '../world.ts'

/** The balance that a validator pays in the given seconds at the minimum price. */
export function balanceFor(seconds: number): bigint {
  return fujiL1Fees.minPrice * BigInt(seconds)
}

/** An L1 of the script. */
type L1 = {
  readonly subnet: string
  readonly chain: string
  readonly manager: BareHex
}

const managerOf = (name: string): BareHex => Buffer.from(name.padEnd(20, '.')).toString('hex')

function memberOf(world: World, node: number, weight: bigint, balance: bigint): L1Member {
  const { nodeId, bls } = nodeOf(world, node)
  const owner = partyOwner(personOf(world, node))
  return {
    nodeId,
    weight,
    balance,
    signer: proofOf(bls()),
    remainingBalanceOwner: { threshold: 1, addresses: owner.addresses },
    deactivationOwner: { threshold: 1, addresses: owner.addresses },
  }
}

function convert(
  engine: Engine,
  time: number,
  notes: Notes,
  l1: L1,
  members: readonly L1Member[],
): Made<PTx> {
  const subnetId = idNamed(notes, l1.subnet)
  const validators = [...members].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1))
  validators.forEach(({ nodeId }, index) =>
    notes.ids.set(`${l1.subnet} ${nodeId}`, validationIdOf(subnetId, index)),
  )
  return makeAuthorised(
    engine,
    time,
    subnetOwner(engine, subnetId),
    (base, authority) => ({
      type: 'ConvertSubnetToL1Tx',
      base,
      subnetId,
      managerChainId: idNamed(notes, l1.chain),
      managerAddress: l1.manager,
      validators,
      authority,
    }),
    [[engine.world.ids.avax, members.reduce((sum, { balance }) => sum + balance, 0n)]],
  )
}

/** The BLS keys of a subnet's current signers. */
function signersNow(engine: Engine, subnetId: BareHex): readonly BlsKey[] {
  const { world, state } = engine
  return [...state.l1.values()]
    .filter((each) => each.subnetId === subnetId && each.endFee > 0n)
    .map(({ nodeId }) => world.nodes[world.nodeById.get(nodeId) ?? -1])
    .filter((node) => node !== undefined)
    .map((node) => node.bls())
}

function say(engine: Engine, subnetId: BareHex, message: L1Payload): Uint8Array {
  const conversion = engine.state.subnets.get(subnetId)?.conversion
  if (conversion === undefined) throw new LedgerError('no L1')
  const { managerChainId, managerAddress } = conversion
  return l1Message(managerChainId, managerAddress, message, signersNow(engine, subnetId))
}

/** Registers a node as an L1 validator; the node's owner pays. */
export function register(
  engine: Engine,
  time: number,
  subnetId: BareHex,
  node: number,
  weight: bigint,
  balance: bigint,
): Made<PTx> {
  const { world } = engine
  const { nodeId, bls } = nodeOf(world, node)
  const person = personOf(world, node)
  const owner = { threshold: 1, addresses: partyOwner(person).addresses.map(bytesOf) }
  const message = say(engine, subnetId, {
    type: 'RegisterL1Validator',
    subnetId: bytesOf(subnetId),
    nodeId: bytesOf(nodeId),
    publicKey: bytesOf(bls().publicKey),
    expiry: BigInt(time + 12 * 3_600),
    remainingBalanceOwner: owner,
    disableOwner: owner,
    weight,
  })
  return makeP(engine, time, {
    party: person,
    needs: [[world.ids.avax, balance]],
    build: (base) => ({
      type: 'RegisterL1ValidatorTx',
      base,
      balance,
      proof: bls().proof,
      message: hexOf(message),
    }),
  })
}

/** Sets an L1 validator's weight. Weight 0 removes it and refunds its balance. */
export function setWeight(
  engine: Engine,
  time: number,
  validator: L1State,
  weight: bigint,
  payer: Party,
): Made<PTx> {
  const { validationId, subnetId, minNonce } = validator
  const message = say(engine, subnetId, {
    type: 'L1ValidatorWeight',
    validationId: bytesOf(validationId),
    nonce: minNonce,
    weight,
  })
  return makeP(engine, time, {
    party: payer,
    build: (base) => ({ type: 'SetL1ValidatorWeightTx', base, message: hexOf(message) }),
  })
}

export function topUp(
  engine: Engine,
  time: number,
  validationId: BareHex,
  balance: bigint,
  payer: Party,
): Made<PTx> {
  return makeP(engine, time, {
    party: payer,
    needs: [[engine.world.ids.avax, balance]],
    build: (base) => ({ type: 'IncreaseL1ValidatorBalanceTx', base, validationId, balance }),
  })
}

export function disable(engine: Engine, time: number, validator: L1State): Made<PTx> {
  return makeAuthorised(engine, time, validator.deactivationOwner, (base, authority) => ({
    type: 'DisableL1ValidatorTx',
    base,
    validationId: validator.validationId,
    authority,
  }))
}

/** The current validator of a node in an L1. */
function found(engine: Engine, notes: Notes, l1: L1, node: number): L1State {
  const subnetId = idNamed(notes, l1.subnet)
  const { nodeId } = nodeOf(engine.world, node)
  for (const each of engine.state.l1.values()) {
    if (each.subnetId === subnetId && each.nodeId === nodeId) return each
  }
  throw new LedgerError(`node ${node} does not validate ${l1.subnet}`)
}

type Move =
  | { readonly do: 'register'; readonly node: number; readonly weight: bigint; readonly seconds: number }
  | { readonly do: 'weight'; readonly node: number; readonly weight: bigint }
  | { readonly do: 'topUp'; readonly node: number; readonly seconds: number }
  | { readonly do: 'disable'; readonly node: number }

function move(engine: Engine, time: number, notes: Notes, l1: L1, step: Move): Made<PTx> {
  const payer = personOf(engine.world, step.node)
  if (step.do === 'register') {
    const balance = balanceFor(step.seconds)
    return register(engine, time, idNamed(notes, l1.subnet), step.node, step.weight, balance)
  }
  const validator = found(engine, notes, l1, step.node)
  if (step.do === 'weight') return setWeight(engine, time, validator, step.weight, payer)
  if (step.do === 'disable') return disable(engine, time, validator)
  return topUp(engine, time, validator.validationId, balanceFor(step.seconds), payer)
}

type Saga = {
  readonly l1: L1
  readonly start: number
  readonly span: number
  /** Node, weight, and the part of the span for which its balance lasts. */
  readonly members: readonly (readonly [number, bigint, number])[]
  /** The time as a fraction of the span, and the action. */
  readonly moves: readonly (readonly [number, Move])[]
}

function stepsOf(world: World, notes: Notes, saga: Saga): Step[] {
  const { l1, start, span } = saga
  return [
    {
      at: start,
      p: (engine, time) =>
        convert(
          engine,
          time,
          notes,
          l1,
          saga.members.map(([node, weight, part]) =>
            memberOf(world, node, weight, balanceFor(Math.round(span * part))),
          ),
        ),
    },
    ...saga.moves.map(([part, step]): Step => ({
      at: start + Math.round(part * span),
      p: (engine, time) => move(engine, time, notes, l1, step),
    })),
  ]
}

/**
 * Subnets become L1s: two early ones in the age of Etna, and the game chain of the EVM side right after its
 * founding. Validators register, change weight, exhaust their balance, are topped up, deactivated and
 * removed.
 */
export function l1Steps(world: World, notes: Notes, meridianStart: number): Step[] {
  const { end } = world.ages
  const orchard = atPart(world, 0.82)
  const quarry = atPart(world, 0.86)
  const sagas: readonly Saga[] = [
    {
      l1: { subnet: 'Orchard', chain: 'chain Orchard', manager: managerOf('orchard manager') },
      start: orchard,
      span: end - orchard,
      members: [
        [30, 40n, 3],
        [31, 40n, 0.2],
        [32, 20n, 2],
        [33, 20n, 0],
      ],
      moves: [
        [0.1, { do: 'register', node: 34, weight: 15n, seconds: 400 * daySeconds }],
        [0.15, { do: 'topUp', node: 32, seconds: 30 * daySeconds }],
        [0.3, { do: 'weight', node: 30, weight: 60n }],
        [0.4, { do: 'topUp', node: 31, seconds: 200 * daySeconds }],
        [0.5, { do: 'disable', node: 34 }],
        [0.6, { do: 'weight', node: 34, weight: 0n }],
        [0.7, { do: 'register', node: 35, weight: 10n, seconds: 20 * daySeconds }],
        [0.8, { do: 'topUp', node: 33, seconds: 90 * daySeconds }],
        [0.9, { do: 'weight', node: 32, weight: 0n }],
      ],
    },
    {
      l1: { subnet: 'Quarry', chain: 'chain Quarry Ledger', manager: managerOf('quarry') },
      start: quarry,
      span: end - quarry,
      members: [
        [36, 100n, 2],
        [37, 100n, 0.5],
        [38, 100n, 2],
      ],
      moves: [
        [0.2, { do: 'weight', node: 36, weight: 120n }],
        [0.3, { do: 'disable', node: 38 }],
        [0.5, { do: 'topUp', node: 38, seconds: 300 * daySeconds }],
        [0.6, { do: 'register', node: 39, weight: 50n, seconds: 300 * daySeconds }],
        [0.75, { do: 'weight', node: 39, weight: 90n }],
      ],
    },
    {
      l1: { subnet: 'meridian', chain: 'chain meridian', manager: managerContract.slice(2) },
      start: meridianStart,
      span: end - meridianStart,
      members: [
        [10, 50n, 4],
        [11, 50n, 3],
        [12, 40n, 1.2],
        [13, 40n, 0.3],
        [14, 30n, 5],
      ],
      moves: [
        [0.1, { do: 'register', node: 15, weight: 25n, seconds: 200 * daySeconds }],
        [0.2, { do: 'register', node: 16, weight: 25n, seconds: Math.round((end - meridianStart) * 0.85) }],
        [0.3, { do: 'register', node: 17, weight: 10n, seconds: 60 * daySeconds }],
        [0.4, { do: 'weight', node: 15, weight: 45n }],
        [0.5, { do: 'topUp', node: 12, seconds: 30 * daySeconds }],
        [0.6, { do: 'disable', node: 17 }],
        [0.7, { do: 'weight', node: 14, weight: 35n }],
        [0.8, { do: 'weight', node: 17, weight: 0n }],
      ],
    },
  ]
  return sagas.flatMap((saga) => stepsOf(world, notes, saga))
}
