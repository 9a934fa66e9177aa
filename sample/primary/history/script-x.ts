import { type Output } from '../transactions.ts'
import { oneAvax, daySeconds, memos } from './acts-p.ts'
import { createAsset, held, mint, mintNft, mintProperty } from './acts-x.ts'
import { importP, makeAuthorised, makeP, subnetOwner } from '../engine/build-p.ts'
import { importX, makeX } from '../engine/build-x.ts'
import { atPart, idNamed, nodeOf, type Notes, personOf, type Step } from './script.ts'
import { output, type Party, partyOwner, sorted } from '../wallet.ts'
import { type World } from '../world.ts'
import { exportTo, transfer } from '../engine/drafts.ts'

/** The outputs of a new asset in canonical order. */
function ordered(outputs: readonly Output[]): Output[] {
  const bare = outputs.map((each) => ({ assetId: '0'.repeat(64), output: each }))
  return sorted('X', bare).map((each) => each.output)
}

function money(amount: bigint, party: Party): Output {
  return { type: 'TRANSFER', amount, stakeableLocktime: 0n, owner: partyOwner(party) }
}

/** Assets of every kind on X, and the first operations on them. */
export function assetSteps(world: World, notes: Notes): Step[] {
  const at = (part: number): number => atPart(world, part)
  const person = (index: number): Party => personOf(world, index)
  const steps: Step[] = []
  for (let index = 0; index < 24; index += 1) {
    const party = person(index * 2)
    steps.push({
      at: at(0.0025 + index * 0.0004),
      x(engine, time) {
        const made = importX(engine, time, party, 'P')
        return made
      },
    })
  }
  const create = (
    part: number,
    party: Party,
    about: { readonly name: string; readonly symbol: string; readonly denomination: number },
    states: readonly { readonly fxIndex: number; readonly outputs: readonly Output[] }[],
  ): void => {
    const inOrder = states.map(({ fxIndex, outputs }) => ({ fxIndex, outputs: ordered(outputs) }))
    steps.push({
      at: at(part),
      x(engine, time) {
        const made = makeX(engine, time, createAsset(party, about, inOrder))
        notes.ids.set(`${about.name} asset`, made.id)
        return made
      },
    })
  }
  const right = (party: Party): Output => ({ type: 'MINT', owner: partyOwner(party) })
  const nftRight = (group: number, party: Party): Output => ({
    type: 'NFT_MINT',
    groupId: group,
    owner: partyOwner(party),
  })

  create(0.02, person(0), { name: 'Ridge Coin', symbol: 'RDGE', denomination: 6 }, [
    { fxIndex: 0, outputs: [money(900_000_000_000n, person(0)), money(100_000_000_000n, person(2))] },
  ])
  create(0.05, person(2), { name: 'Harbor Credit', symbol: 'HCR', denomination: 2 }, [
    { fxIndex: 0, outputs: [money(500_000n, person(2)), right(person(2)), right(person(4))] },
  ])
  create(0.08, person(6), { name: 'Marmot Cards', symbol: 'MRMT', denomination: 0 }, [
    { fxIndex: 1, outputs: [nftRight(0, person(6)), nftRight(1, person(6)), nftRight(2, person(10))] },
  ])
  create(0.11, person(8), { name: 'Reading Room Seat', symbol: 'SEAT', denomination: 0 }, [
    { fxIndex: 2, outputs: [{ type: 'PROPERTY_MINT', owner: partyOwner(person(8)) }] },
  ])
  create(0.14, person(12), { name: 'Everything At Once', symbol: 'ALL', denomination: 9 }, [
    { fxIndex: 0, outputs: [money(10n ** 18n, person(12)), right(person(12))] },
    { fxIndex: 1, outputs: [nftRight(7, person(12))] },
    { fxIndex: 2, outputs: [{ type: 'PROPERTY_MINT', owner: partyOwner(person(12)) }] },
  ])
  create(0.36, person(20), { name: 'Cedar', symbol: 'CDR', denomination: 9 }, [
    { fxIndex: 0, outputs: [money(800_000n * oneAvax, person(20))] },
  ])
  create(0.37, person(24), { name: 'Fir', symbol: 'FIR', denomination: 9 }, [
    { fxIndex: 0, outputs: [money(50_000n * oneAvax, person(24)), money(40_000n * oneAvax, person(26))] },
  ])
  create(0.375, person(26), { name: 'Elm', symbol: 'ELM', denomination: 9 }, [
    { fxIndex: 0, outputs: [money(150_000n * oneAvax, person(26))] },
  ])
  create(0.55, world.people[30] ?? world.collector, { name: 'Late Coin', symbol: 'LATE', denomination: 18 }, [
    { fxIndex: 0, outputs: [money((1n << 63n) + 5n, person(30))] },
  ])
  create(0.85, person(32), { name: 'Newest Coin', symbol: 'NEW', denomination: 0 }, [
    { fxIndex: 0, outputs: [money(21_000_000n, person(32)), right(person(32))] },
  ])

  const minted = (part: number, name: string, index: number, amount: bigint, to: number): void => {
    steps.push({
      at: at(part),
      x(engine, time) {
        const found = held(engine, idNamed(notes, `${name} asset`), 'MINT')[index]
        return found && mint(engine, time, found, amount, person(to))
      },
    })
  }
  minted(0.06, 'Harbor Credit', 0, 1_000_000n, 10)
  minted(0.1, 'Harbor Credit', 1, 250_000n, 12)
  minted(0.9, 'Newest Coin', 0, 9n, 5)
  for (let index = 0; index < 12; index += 1) {
    const payload =
      index === 5
        ? Buffer.from('<svg onload=alert(1)>')
        : index === 6
          ? (memos[5] ?? new Uint8Array())
          : Buffer.from(`https://sample.ridgeline.test/marmot/${index}.json`)
    steps.push({
      at: at(0.09 + index * 0.02),
      x(engine, time) {
        const rights = held(engine, idNamed(notes, 'Marmot Cards asset'), 'NFT_MINT')
        const found = rights[index % rights.length]
        if (found === undefined) return undefined
        return mintNft(engine, time, found, new Uint8Array(payload), [person(index), person(index + 20)])
      },
    })
  }
  for (const [index, part] of [0.12, 0.13, 0.2, 0.5, 0.8].entries()) {
    steps.push({
      at: at(part),
      x(engine, time) {
        const found = held(engine, idNamed(notes, 'Reading Room Seat asset'), 'PROPERTY_MINT')[0]
        return found && mintProperty(engine, time, found, person(index * 2))
      },
    })
  }
  // Multisig outputs of three keys, outputs locked for years, and a memo of every kind.
  memos.forEach((memo, index) => {
    steps.push({
      at: at(0.15 + index * 0.01),
      x: (engine, time) =>
        makeX(
          engine,
          time,
          transfer(
            person(index * 2),
            sorted('X', [
              output(
                world.ids.avax,
                BigInt(3 + index) * oneAvax,
                partyOwner(world.firms[index % 4] ?? world.collector),
              ),
              output(
                world.ids.avax,
                BigInt(5 + index) * oneAvax,
                partyOwner(person(index), BigInt(time + (index + 1) * 300 * daySeconds)),
              ),
            ]),
            memo,
          ),
        ),
    })
  })
  // Some coins are exported to P and never imported.
  steps.push({
    at: at(0.25),
    x: (engine, time) =>
      makeX(
        engine,
        time,
        exportTo(person(16), world.ids.P, world.ids.avax, 77n * oneAvax, partyOwner(world.collector)),
      ),
  })
  return steps
}

/** Elastic subnets: their coins are imported from X, then anyone may stake them. */
export function elasticSteps(world: World, notes: Notes): Step[] {
  const at = (part: number): number => atPart(world, part)
  const steps: Step[] = []
  const holders = [20, 21, 22, 23]
  const moves: readonly [number, string, number, readonly number[], bigint][] = [
    [0.38, 'Cedar', 20, holders, 150_000n],
    [0.381, 'Fir', 24, [24], 40_000n],
    [0.382, 'Elm', 26, [26], 80_000n],
  ]
  for (const [part, name, from, to, amount] of moves) {
    to.forEach((index, place) => {
      const party = personOf(world, index)
      const start = at(part) + place * 1_800
      steps.push({
        at: start,
        x(engine, time) {
          const asset = idNamed(notes, `${name} asset`)
          const draft = exportTo(
            personOf(world, from),
            world.ids.P,
            asset,
            amount * oneAvax,
            partyOwner(party),
          )
          return makeX(engine, time, draft)
        },
      })
      steps.push({
        at: start + 7_200,
        p: (engine, time) => importP(engine, time, party, 'X', idNamed(notes, `${name} asset`)),
      })
    })
  }
  const transforms: readonly [number, string, bigint, bigint][] = [
    [0.4, 'Cedar', 700_000n, 800_000n],
    [0.415, 'Fir', 60_000n, 90_000n],
    [0.425, 'Elm', 100_000n, 150_000n],
  ]
  for (const [part, name, initial, maximum] of transforms) {
    steps.push({
      at: at(part),
      p(engine, time) {
        const subnetId = idNamed(notes, name)
        const asset = idNamed(notes, `${name} asset`)
        return makeAuthorised(
          engine,
          time,
          subnetOwner(engine, subnetId),
          (base, authority) => ({
            type: 'TransformSubnetTx',
            base,
            subnetId,
            assetId: asset,
            initialSupply: initial * oneAvax,
            maximumSupply: maximum * oneAvax,
            minConsumptionRate: 80_000n,
            maxConsumptionRate: 140_000n,
            minValidatorStake: 1_000n * oneAvax,
            maxValidatorStake: 100_000n * oneAvax,
            minStakeDuration: 14 * daySeconds,
            maxStakeDuration: 365 * daySeconds,
            minDelegationFee: 20_000,
            minDelegatorStake: 25n * oneAvax,
            maxValidatorWeightFactor: 5,
            uptimeRequirement: 800_000,
            authority,
          }),
          [[asset, (maximum - initial) * oneAvax]],
        )
      },
    })
  }
  const stakers: readonly [number, 'validator' | 'delegator', number, number, bigint, number][] = [
    [0.505, 'validator', 20, 40, 20_000n, 200],
    [0.51, 'validator', 21, 41, 15_000n, 150],
    [0.515, 'validator', 22, 42, 9_000n, 120],
    [0.52, 'delegator', 23, 40, 5_000n, 100],
    [0.53, 'delegator', 22, 41, 2_000n, 60],
    [0.54, 'delegator', 20, 42, 700n, 90],
    [0.74, 'validator', 20, 40, 11_000n, 90],
    [0.745, 'delegator', 21, 40, 3_000n, 40],
  ]
  for (const [part, kind, who, node, weight, days] of stakers) {
    steps.push({
      at: at(part),
      p(engine, time) {
        const party = personOf(world, who)
        const asset = idNamed(notes, 'Cedar asset')
        const subnetId = idNamed(notes, 'Cedar')
        const start = time + (time >= world.ages.durango ? 0 : 1_200)
        const { nodeId } = nodeOf(world, node)
        const terms = {
          nodeId,
          start: BigInt(start),
          end: BigInt(start + days * daySeconds),
          weight: weight * oneAvax,
        }
        const stake = [output(asset, weight * oneAvax, partyOwner(party))]
        const rewardsOwner = partyOwner(party)
        return makeP(engine, time, {
          party,
          needs: [[asset, weight * oneAvax]],
          build: (base) =>
            kind === 'delegator'
              ? { type: 'AddPermissionlessDelegatorTx', base, terms, subnetId, stake, rewardsOwner }
              : {
                  type: 'AddPermissionlessValidatorTx',
                  base,
                  terms,
                  subnetId,
                  signer: undefined,
                  stake,
                  rewardsOwner,
                  delegationRewardsOwner: rewardsOwner,
                  shares: 50_000,
                },
        })
      },
    })
  }
  return steps
}
