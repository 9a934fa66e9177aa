import type { Hex } from 'viem'
import type { ActionName, ChainPlan, ContractName } from './chains.ts'
import { call, deploy, type Draft } from './draft.ts'
import { quantity } from '../kernel/hex.ts'
import type { Random } from '../kernel/random.ts'
import type { GeneratorState } from './state.ts'

/** What an action may read. It changes `state` to match the effects of its transaction. */
export type Scene = {
  readonly plan: ChainPlan
  readonly state: GeneratorState
  readonly accounts: readonly Hex[]
  /** The number of accounts that are in use so far; the sender is one of them. */
  readonly joined: number
  readonly sender: number
  readonly random: Random
  /** The address of the contract that the first account creates with a nonce. */
  readonly created: (nonce: number) => Hex
}

const itemKinds = 6
const ether = 10n ** 18n
const reasons = ['Shop: closed', 'Route: expired', 'Swap: price moved too far', 'Vault: locked'] as const

/** The addresses of the deployed contracts of one kind, in the plan's order. */
function contractsOf(scene: Scene, contract: ContractName): Hex[] {
  return scene.state.deployments
    .filter((_, index) => scene.plan.deployments[index]?.contract === contract)
    .map(scene.created)
}

/** An address without a known key. */
function strangerOf(random: Random): Hex {
  return `0x${Array.from({ length: 5 }, () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('')}`
}

function account(scene: Scene, index: number): Hex {
  return scene.accounts[index] ?? '0x0000000000000000000000000000000000000000'
}

function someone(scene: Scene): number {
  return 1 + scene.random.below(Math.max(1, scene.joined - 1))
}

/** A random deployed contract of a kind with its index; older ones are more likely. */
function oneOf(scene: Scene, contract: ContractName): readonly [Hex, number] | undefined {
  const found = contractsOf(scene, contract)
  const index = Math.floor(found.length * scene.random.next() ** 1.5)
  const address = found[index]
  return address === undefined ? undefined : [address, index]
}

function native(scene: Scene): bigint {
  return BigInt(Math.round(10 ** (scene.random.next() * 4.2))) * (ether / 1000n)
}

/** Up to 0.4 % of an account's claim, in the token's smallest unit. */
function tokenAmount(scene: Scene, index: number): bigint {
  const deployment = scene.plan.deployments.filter(({ contract }) => contract === 'Token')[index]
  const claim = deployment?.args[3]
  return (
    ((typeof claim === 'bigint' ? claim : 1_000_000n) * BigInt(scene.random.between(1, 4_000))) / 1_000_000n
  )
}

/** Pays `count` new addresses in one transaction of the first account. */
export function airdrop(scene: Scene, count: number): Draft | undefined {
  const tokens = contractsOf(scene, 'Token')
  const token = tokens.at(-1)
  if (token === undefined) return undefined
  const crowd = Array.from({ length: count }, (_, index) =>
    index % 3 === 0
      ? account(scene, 1 + scene.random.below(scene.accounts.length - 1))
      : strangerOf(scene.random),
  )
  return call('Token', token, 60_000 + 60_000 * count, 'payAll', [
    crowd,
    tokenAmount(scene, tokens.length - 1),
  ])
}

function withToken(scene: Scene, then: (token: Hex, index: number) => Draft | undefined): Draft | undefined {
  const found = oneOf(scene, 'Token')
  if (found === undefined) return undefined
  const [token, index] = found
  const holders = scene.state.tokenHolders[index]
  if (holders === undefined) return undefined
  if (holders.includes(scene.sender)) return then(token, index)
  holders.push(scene.sender)
  return call('Token', token, 120_000, 'claim')
}

function withItems(scene: Scene, then: (items: Hex) => Draft): Draft | undefined {
  const found = oneOf(scene, 'Items')
  if (found === undefined) return undefined
  const [items, index] = found
  const holders = scene.state.itemHolders[index]
  if (holders === undefined) return undefined
  if (holders.includes(scene.sender)) return then(items)
  holders.push(scene.sender)
  const kinds = Array.from({ length: itemKinds }, (_, kind) => BigInt(kind + 1))
  return call('Items', items, 320_000, 'mintBatch', [kinds, kinds.map(() => 1_000_000n)])
}

function withFactory(scene: Scene, then: (factory: Hex) => Draft): Draft | undefined {
  const found = oneOf(scene, 'Factory')
  return found === undefined ? undefined : then(found[0])
}

function itemBatch(scene: Scene): [bigint[], bigint[]] {
  const first = scene.random.between(1, itemKinds - 2)
  const kinds = [first, first + 1, first + 2].map(BigInt)
  return [kinds, kinds.map(() => BigInt(scene.random.between(1, 9)))]
}

function fail(scene: Scene): Draft | undefined {
  const trouble = contractsOf(scene, 'Trouble')[0]
  const factory = contractsOf(scene, 'Factory')[0]
  if (trouble === undefined) return undefined
  const { random } = scene
  const ways: [() => Draft, ...(() => Draft)[]] = [
    () => call('Trouble', trouble, 60_000, 'withReason', [random.pick(reasons)]),
    () => call('Trouble', trouble, 60_000, 'withReason', [random.pick(reasons)]),
    () =>
      call('Trouble', trouble, 60_000, 'withError', [
        BigInt(random.below(100)),
        BigInt(random.between(100, 900)),
      ]),
    () => call('Trouble', trouble, 60_000, 'withoutReason'),
    () => call('Trouble', trouble, 60_000, 'withAssert'),
    () => call('Trouble', trouble, 60_000, 'withDivision', [0n]),
    () => call('Trouble', trouble, 60_000, 'withIndex', [BigInt(random.below(9))]),
    () => call('Trouble', trouble, 90_000, 'withoutEnd'),
    () => call('Trouble', trouble, 50_000, 'withInvalid'),
    () => ({ data: '0x60006000fd', gas: 70_000 }),
    () =>
      factory === undefined
        ? { data: '0xfe', gas: 70_000 }
        : call('Factory', factory, 400_000, 'createAndUndo'),
  ]
  return random.pick(ways)()
}

function sendToken(scene: Scene): Draft | undefined {
  return withToken(scene, (token, index) =>
    call('Token', token, 90_000, 'transfer', [account(scene, someone(scene)), tokenAmount(scene, index)]),
  )
}

function allowToken(scene: Scene): Draft | undefined {
  return withToken(scene, (token, index) => {
    const spender = someone(scene)
    scene.state.allowances.push({ token: index, owner: scene.sender, spender })
    if (scene.state.allowances.length > 60) scene.state.allowances.shift()
    return call('Token', token, 90_000, 'approve', [account(scene, spender), 2n ** 256n - 1n])
  })
}

/** Spends an allowance of the sender; without one the transaction is sent too, and fails. */
function sendAllowedToken(scene: Scene): Draft | undefined {
  const { allowances } = scene.state
  const index = allowances.findIndex(({ spender }) => spender === scene.sender)
  const given = allowances[index] ?? (scene.random.chance(0.15) ? allowances[0] : undefined)
  if (given === undefined) return sendToken(scene)
  if (index >= 0) allowances.splice(index, 1)
  const token = contractsOf(scene, 'Token')[given.token]
  if (token === undefined) return undefined
  const to = account(scene, someone(scene))
  return call('Token', token, 120_000, 'transferFrom', [
    account(scene, given.owner),
    to,
    tokenAmount(scene, given.token),
  ])
}

function mintCollectible(scene: Scene): Draft | undefined {
  const found = oneOf(scene, 'Collectible')
  const tokens = found === undefined ? undefined : scene.state.collectibles[found[1]]
  if (found === undefined || tokens === undefined) return undefined
  if (tokens.length > 260) return sendCollectible(scene)
  const count = scene.random.chance(0.12) ? scene.random.between(2, 6) : 1
  for (let minted = 0; minted < count; minted += 1) tokens.push(scene.sender)
  return call('Collectible', found[0], 90_000 + 60_000 * count, 'mint', [BigInt(count)])
}

function sendCollectible(scene: Scene): Draft | undefined {
  const found = oneOf(scene, 'Collectible')
  const tokens = found === undefined ? undefined : scene.state.collectibles[found[1]]
  if (found === undefined || tokens === undefined) return undefined
  const index = tokens.indexOf(scene.sender)
  if (index < 0) return tokens.length > 260 ? undefined : mintCollectible(scene)
  const receiver = someone(scene)
  tokens[index] = receiver
  const way = scene.random.chance(0.5) ? 'transferFrom' : 'safeTransferFrom'
  const parties = [account(scene, scene.sender), account(scene, receiver), BigInt(index + 1)]
  return call('Collectible', found[0], 150_000, way, parties)
}

/** All kinds of transactions. `undefined` means that the contract is not deployed yet. */
export const actions: Readonly<Record<ActionName, (scene: Scene) => Draft | undefined>> = {
  pay: (scene) => {
    const to = scene.random.chance(0.03) ? strangerOf(scene.random) : account(scene, someone(scene))
    return { to, value: native(scene), gas: 21_000 }
  },
  payNobody: (scene) => ({ to: account(scene, someone(scene)), gas: 21_000 }),
  payOneself: (scene) => ({ to: account(scene, scene.sender), value: native(scene), gas: 21_000 }),
  sendToken,
  allowToken,
  sendAllowedToken,
  burnToken: (scene) =>
    withToken(scene, (token, index) => call('Token', token, 90_000, 'burn', [tokenAmount(scene, index)])),
  payAll: (scene) =>
    withToken(scene, (token, index) => {
      const crowd = Array.from({ length: scene.random.between(8, 40) }, () => account(scene, someone(scene)))
      return call('Token', token, 60_000 + 60_000 * crowd.length, 'payAll', [
        crowd,
        tokenAmount(scene, index) / 50n,
      ])
    }),
  mintCollectible,
  sendCollectible,
  allowCollectibles: (scene) => {
    const found = oneOf(scene, 'Collectible')
    const args = [account(scene, someone(scene)), scene.random.chance(0.7)]
    return found && call('Collectible', found[0], 80_000, 'setApprovalForAll', args)
  },
  mintItem: (scene) =>
    withItems(scene, (items) =>
      call('Items', items, 90_000, 'mint', [BigInt(scene.random.between(1, itemKinds)), 10n]),
    ),
  mintItems: (scene) =>
    withItems(scene, (items) => call('Items', items, 240_000, 'mintBatch', itemBatch(scene))),
  sendItem: (scene) =>
    withItems(scene, (items) => {
      const kind = BigInt(scene.random.between(1, itemKinds))
      const args = [account(scene, scene.sender), account(scene, someone(scene)), kind, 3n, '0x']
      return call('Items', items, 120_000, 'safeTransferFrom', args)
    }),
  sendItems: (scene) =>
    withItems(scene, (items) => {
      const parties = [account(scene, scene.sender), account(scene, someone(scene))]
      return call('Items', items, 260_000, 'safeBatchTransferFrom', [...parties, ...itemBatch(scene), '0x'])
    }),
  createVault: (scene) =>
    withFactory(scene, (factory) => call('Factory', factory, 500_000, 'create', [], native(scene) / 10n)),
  createVaultAtSalt: (scene) =>
    withFactory(scene, (factory) => {
      const salt: Hex = `0x${(BigInt(strangerOf(scene.random)) + 1n).toString(16).padStart(64, '0')}`
      return call('Factory', factory, 500_000, 'create2', [salt])
    }),
  createVaults: (scene) =>
    withFactory(scene, (factory) =>
      call('Factory', factory, 1_500_000, 'createMany', [BigInt(scene.random.between(2, 4))]),
    ),
  rehearseVault: (scene) => withFactory(scene, (factory) => call('Factory', factory, 500_000, 'rehearse')),
  deployVault: (scene) => ({
    ...deploy('Vault', [account(scene, scene.sender)], 600_000),
    value: native(scene) / 10n,
  }),
  split: (scene) => {
    const splitter = contractsOf(scene, 'Splitter')[0]
    if (splitter === undefined) return undefined
    const crowd = Array.from({ length: scene.random.between(2, 5) }, () => account(scene, someone(scene)))
    return call('Splitter', splitter, 60_000 + 45_000 * crowd.length, 'split', [crowd], native(scene))
  },
  fail,
  failInside: (scene) => {
    const trouble = contractsOf(scene, 'Trouble')[0]
    return trouble && call('Trouble', trouble, 120_000, 'caught')
  },
}

/**
 * The price fields in wei above `baseFee`. The last digits differ for each index in the block, so no two prices tie.
 */
export function priceOf(random: Random, baseFee: number, place: number): Readonly<Record<string, Hex>> {
  const atPlace = (wei: number): bigint => (BigInt(Math.floor(wei)) / 1_000n) * 1_000n + BigInt(place)
  if (random.chance(0.27)) return { gasPrice: quantity(atPlace(baseFee * (1.25 + random.next() / 2))) }
  const tip = atPlace(baseFee * (0.01 + 0.25 * random.next() ** 2))
  const max = atPlace(baseFee * (1.9 + random.next()))
  return { maxFeePerGas: quantity(max), maxPriorityFeePerGas: quantity(tip) }
}
