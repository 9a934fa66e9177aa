import { type PTx, type XTx } from '../transactions.ts'
import { balanceP, daySeconds, delegate, memos, oneAvax, permit, validate } from './acts-p.ts'
import { makeAuthorised, makeP, subnetOwner } from '../engine/build-p.ts'
import type { Engine } from '../engine/engine.ts'
import { foundingsOf } from '../founding.ts'
import { type BareHex, hexOf, hexOfCb58 } from '../../../protocol/ids/bare-hex.ts'
import { sha256 } from '../../../protocol/native/hashes.ts'
import { type Made, output, type Party, partyOwner } from '../wallet.ts'
import { neverImporters, type World } from '../world.ts'
import { exportTo, transfer } from '../engine/drafts.ts'

/**
 * An event at a fixed time of the history. A step makes its transactions when the chain reaches that time.
 */
export type Step = {
  readonly at: number
  readonly p?: (engine: Engine, time: number) => Made<PTx> | undefined
  readonly x?: (engine: Engine, time: number) => Made<XTx> | undefined
}

/** Data that the steps of a script share. */
export type Notes = {
  /** Ids by name: subnets, chains, assets. */
  readonly ids: Map<string, BareHex>
}

export function idNamed(notes: Notes, name: string): BareHex {
  const found = notes.ids.get(name)
  if (found === undefined) throw new Error(`the script has no ${name} yet`)
  return found
}

export function personOf(world: World, index: number): Party {
  const found = world.people[index]
  if (found === undefined) throw new Error(`there is no person ${index}`)
  return found
}

export function nodeOf(world: World, index: number): World['nodes'][number] {
  const found = world.nodes[index]
  if (found === undefined) throw new Error(`there is no node ${index}`)
  return found
}

export function atPart({ ages }: World, part: number): number {
  return ages.start + Math.round(part * (ages.end - ages.start))
}

/** Ids of virtual machines outside the network's own, for custom chains. */
const virtualMachines = {
  timestamp: hexOfCb58('tGas3T58KzdjLHhBDMnH2TvrddhqTji5iZAMZ3RXs2NLpSnhH') ?? '',
  ledger: Buffer.from('ledgerline'.padEnd(32, '\0')).toString('hex'),
}

function createSubnet(engine: Engine, time: number, party: Party, owner: Party = party): Made<PTx> {
  return makeP(engine, time, {
    party,
    build: (base) => ({ type: 'CreateSubnetTx', base, owner: partyOwner(owner) }),
  })
}

function createChain(
  engine: Engine,
  time: number,
  about: {
    readonly subnetId: BareHex
    readonly name: string
    readonly vmId: BareHex
    readonly genesis: Uint8Array
  },
): Made<PTx> {
  return makeAuthorised(engine, time, subnetOwner(engine, about.subnetId), (base, authority) => ({
    type: 'CreateChainTx',
    base,
    subnetId: about.subnetId,
    chainName: about.name,
    vmId: about.vmId,
    genesis: hexOf(about.genesis),
    fxIds: [],
    authority,
  }))
}

function removeMember(engine: Engine, time: number, subnetId: BareHex, nodeId: BareHex): Made<PTx> {
  return makeAuthorised(engine, time, subnetOwner(engine, subnetId), (base, authority) => ({
    type: 'RemoveSubnetValidatorTx',
    base,
    nodeId,
    subnetId,
    authority,
  }))
}

function handOver(engine: Engine, time: number, subnetId: BareHex, to: Party): Made<PTx> {
  return makeAuthorised(engine, time, subnetOwner(engine, subnetId), (base, authority) => ({
    type: 'TransferSubnetOwnershipTx',
    base,
    subnetId,
    authority,
    owner: partyOwner(to),
  }))
}

const text = (value: string): Uint8Array => new Uint8Array(Buffer.from(value))

/** The first years: coins for X, the first validators and subnets. */
export function earlySteps(world: World, notes: Notes): Step[] {
  const at = (part: number): number => atPart(world, part)
  const { avax, X } = world.ids
  const steps: Step[] = []
  for (let index = 0; index < 24; index += 1) {
    const person = personOf(world, index * 2)
    const memo = memos[index % memos.length] ?? new Uint8Array()
    steps.push({
      at: at(0.001 + index * 0.0004),
      p: (engine, time) =>
        makeP(
          engine,
          time,
          exportTo(person, X, avax, BigInt(4_000 + index * 500) * oneAvax, partyOwner(person), memo),
        ),
    })
  }
  // Some coins are never imported.
  steps.push({
    at: at(0.22),
    p: (engine, time) =>
      makeP(engine, time, exportTo(personOf(world, 17), X, avax, 55n * oneAvax, partyOwner(world.collector))),
  })
  // The first nodes besides those of the genesis.
  for (let index = 5; index < 20; index += 1) {
    steps.push({
      at: at(0.004 + index * 0.003),
      p: (engine, time) =>
        validate(engine, time, {
          party: personOf(world, index),
          node: nodeOf(world, index),
          weight: BigInt(2_000 + ((index * 7_919) % 60) * 1_000) * oneAvax,
          wait: 1_200,
          seconds: (200 + ((index * 37) % 165)) * daySeconds,
          shares: 20_000 + (index % 4) * 30_000,
          modern: false,
          memo: memos[index % memos.length] ?? new Uint8Array(),
        }),
    })
  }
  const subnets: readonly [string, number, Party][] = [
    ['Orchard', 0.03, personOf(world, 8)],
    ['Quarry', 0.12, world.firms[0] ?? world.collector],
    ['Meadow', 0.2, personOf(world, 14)],
    ['Cedar', 0.39, personOf(world, 20)],
    ['Fir', 0.41, personOf(world, 24)],
    ['Elm', 0.42, personOf(world, 26)],
    ['Lantern', 0.6, world.firms[1] ?? world.collector],
  ]
  for (const [name, part, party] of subnets) {
    steps.push({
      at: at(part),
      p(engine, time) {
        const made = createSubnet(engine, time, party)
        notes.ids.set(name, made.id)
        return made
      },
    })
  }
  const chains: readonly [string, string, number, string, Uint8Array][] = [
    ['Orchard', 'Orchard', 0.031, virtualMachines.timestamp, new Uint8Array(sha256(Buffer.from('orchard')))],
    [
      'Quarry',
      'Quarry Ledger',
      0.122,
      virtualMachines.ledger,
      text('{"entries":[{"name":"first","amount":"1"}]}'),
    ],
    ['Quarry', 'Quarry Notes', 0.124, virtualMachines.timestamp, memos[2] ?? new Uint8Array()],
    ['Cedar', 'Cedar', 0.392, virtualMachines.ledger, text('not json at all')],
    ['Lantern', 'Lantern', 0.602, virtualMachines.timestamp, new Uint8Array()],
  ]
  for (const [subnet, name, part, vmId, genesis] of chains) {
    steps.push({
      at: at(part),
      p(engine, time) {
        const made = createChain(engine, time, { subnetId: idNamed(notes, subnet), name, vmId, genesis })
        notes.ids.set(`chain ${name}`, made.id)
        return made
      },
    })
  }
  return steps
}

/** Permissioned validators of subnets in all ages; they end by themselves or are removed. */
export function memberSteps(world: World, notes: Notes): Step[] {
  const at = (part: number): number => atPart(world, part)
  const steps: Step[] = []
  const join = (part: number, subnet: string, node: number, days: number): void => {
    steps.push({
      at: at(part),
      p: (engine, time) =>
        permit(engine, time, {
          subnetId: idNamed(notes, subnet),
          node: nodeOf(world, node),
          wait: 900,
          seconds: days * daySeconds,
          weight: BigInt(100 + node),
        }),
    })
  }
  const leave = (part: number, subnet: string, node: number): void => {
    steps.push({
      at: at(part),
      p: (engine, time) => removeMember(engine, time, idNamed(notes, subnet), nodeOf(world, node).nodeId),
    })
  }
  for (const node of [0, 1, 2]) join(0.035 + node * 0.001, 'Orchard', node, 120)
  for (const node of [3, 4]) join(0.13 + node * 0.001, 'Quarry', node, 90)
  for (const node of [1, 2]) join(0.305 + node * 0.001, 'Meadow', node, 20)
  leave(0.318, 'Meadow', 1)
  for (const [index, node] of [40, 41, 42].entries()) {
    steps.push({
      at: at(0.5 + index * 0.004),
      p: (engine, time) =>
        validate(engine, time, {
          party: personOf(world, node),
          node: nodeOf(world, node),
          weight: 50_000n * oneAvax,
          wait: 600,
          seconds: 360 * daySeconds,
          shares: 40_000,
          modern: true,
        }),
    })
    join(0.53 + index * 0.004, 'Meadow', node, 200)
    join(0.62 + index * 0.004, 'Lantern', node, 150)
  }
  leave(0.56, 'Meadow', 40)
  leave(0.66, 'Lantern', 42)
  const owners: readonly [number, string, Party][] = [
    [0.71, 'Meadow', world.firms[2] ?? world.collector],
    [0.73, 'Lantern', personOf(world, 33)],
    [0.75, 'Orchard', world.firms[3] ?? world.collector],
    [0.87, 'Meadow', personOf(world, 15)],
  ]
  for (const [part, subnet, to] of owners) {
    steps.push({ at: at(part), p: (engine, time) => handOver(engine, time, idNamed(notes, subnet), to) })
  }
  return steps
}

/** The last validators without a BLS key, and one with a large weight, just before Durango. */
export function lateSteps(world: World): Step[] {
  const steps: Step[] = []
  const { durango } = world.ages
  for (const [index, node] of [43, 44, 45].entries()) {
    steps.push({
      at: durango - (3 - index) * daySeconds,
      p: (engine, time) =>
        validate(engine, time, {
          party: personOf(world, node),
          node: nodeOf(world, node),
          weight: BigInt(8_000 + index * 3_000) * oneAvax,
          wait: 600,
          seconds: 365 * daySeconds - 60,
          shares: 20_000,
          modern: false,
          memo: memos[1] ?? new Uint8Array(),
        }),
    })
    // Announced now, starting later: pending stakers exist only before Durango.
    steps.push({
      at: durango - (3 - index) * daySeconds + 7_200,
      p: (engine, time) =>
        delegate(engine, time, {
          party: world.firms[index] ?? world.collector,
          node: nodeOf(world, node),
          weight: 1_500n * oneAvax,
          wait: 86_000,
          seconds: (300 - index * 90) * daySeconds,
        }),
    })
  }
  // One address with a large number of coins.
  for (let index = 0; index < 20; index += 1) {
    steps.push({
      at: atPart(world, 0.77 + index * 0.001),
      p: (engine, time) =>
        makeP(
          engine,
          time,
          transfer(
            personOf(world, 30 + (index % 20)),
            Array.from({ length: 100 }, (_, coin) =>
              output(world.ids.avax, BigInt(1_000_000 + index * 1_000 + coin), partyOwner(world.collector)),
            ),
          ),
        ),
    })
  }
  return steps
}

/** Creates the chains of the EVM side shortly before their first block. */
export function foundingSteps(
  world: World,
  notes: Notes,
  starts: { readonly meridian: number; readonly harbor: number },
): Step[] {
  const foundings = foundingsOf()
  return (['meridian', 'harbor'] as const).flatMap((key): Step[] => {
    const { subnet, chain } = foundings[key]
    notes.ids.set(key, subnet.id)
    notes.ids.set(`chain ${key}`, chain.id)
    const members = [20, 21, 22, 23, 24, 25]
    const span = world.ages.end - starts[key]
    const permits =
      key === 'meridian'
        ? []
        : members.map((node, index): Step => ({
            at: starts[key] - 600 + index * 60,
            p: (engine, time) =>
              permit(engine, time, {
                subnetId: subnet.id,
                node: nodeOf(world, node),
                wait: 0,
                // The first one ends before the history does.
                seconds: index === 0 ? Math.round(span * 0.6) : 300 * daySeconds,
                weight: BigInt(20 + index * 5),
              }),
          }))
    const removal: Step = {
      at: starts[key] + Math.round(span * 0.5),
      p: (engine, time) => removeMember(engine, time, subnet.id, nodeOf(world, 25).nodeId),
    }
    return [
      { at: starts[key] - 3_600, p: () => subnet },
      { at: starts[key] - 1_800, p: () => chain },
      ...permits,
      ...(key === 'harbor' ? [removal] : []),
    ]
  })
}

/** Coins exported to C by the richest party and never imported. */
export function leftSteps(world: World): Step[] {
  const { avax, C } = world.ids
  return [...neverImporters, ...neverImporters].map((person, index) => ({
    at: atPart(world, 0.97 + 0.003 * index),
    p(engine, time) {
      const richest = world.people.reduce((best, each) =>
        balanceP(engine, each, time) > balanceP(engine, best, time) ? each : best,
      )
      const amount = BigInt(20 + 7 * index) * oneAvax
      return makeP(engine, time, exportTo(richest, C, avax, amount, partyOwner(personOf(world, person))))
    },
  }))
}
