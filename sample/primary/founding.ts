import { type PTx, type AssetAmount, type AssetOutput, type Base } from './transactions.ts'
import { encode } from '../../protocol/codec/schema.ts'
import { xTx } from '../../protocol/primary/x-transactions.ts'
import { pGenesis, xGenesis } from '../../protocol/primary/genesis.ts'
import { keyOf } from './keys.ts'
import { zeroId } from './state.ts'
import { type BareHex, hexOf, hexOfCb58 } from '../../protocol/ids/bare-hex.ts'
import { addressOfText } from '../../protocol/ids/text.ts'
import { sha256Hex } from '../../protocol/native/hashes.ts'
import {
  type Made,
  output,
  type Party,
  partyOwner,
  places,
  signersOf,
  signP,
  single,
  unsignedP,
} from './wallet.ts'
// The test network's genesis, including its X- and C-Chain, so that their ids are the real hashes.
import fuji from './fuji-genesis.json' with { type: 'json' }
import type { World } from './world.ts'

function named(name: string): BareHex {
  return Buffer.from(name.padEnd(32, '\0')).toString('hex')
}

const subnetEvm = hexOfCb58('srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy') ?? zeroId
const featureExtensions = { secp: named('secp256k1fx'), nft: named('nftfx'), property: named('propertyfx') }

const emptyBase = { networkId: 5, blockchainId: zeroId, outputs: [], inputs: [], memo: '' }

const avaxAsset = {
  base: { ...emptyBase, memo: fuji.account.repeat(fuji.holders.length) },
  name: 'Avalanche',
  symbol: 'AVAX',
  denomination: 9,
  states: [
    {
      fxIndex: 0,
      outputs: fuji.holders
        .map((holder) => hexOf(addressOfText(holder, 'fuji')))
        .sort()
        .map((holder) => ({
          type: 'TRANSFER' as const,
          amount: BigInt(fuji.amount),
          stakeableLocktime: 0n,
          owner: { locktime: 0n, threshold: 1, addresses: [holder] },
        })),
    },
  ],
}

function genesisChain(
  name: string,
  vmId: BareHex,
  fxIds: readonly BareHex[],
  genesis: Uint8Array,
): Made<PTx> {
  return unsignedP({
    type: 'CreateChainTx',
    base: emptyBase,
    subnetId: zeroId,
    chainName: name,
    vmId,
    fxIds,
    genesis: hexOf(genesis),
    authority: [],
  })
}

export const genesisAsset = {
  tx: { unsigned: { type: 'CreateAssetTx' as const, ...avaxAsset }, credentials: [] },
  get bytes(): Uint8Array {
    return encode(xTx, this.tx)
  },
}
export const avaxId = sha256Hex(genesisAsset.bytes)
export const xChain = genesisChain(
  'X-Chain',
  named('avm'),
  [featureExtensions.secp, featureExtensions.nft, featureExtensions.property],
  encode(xGenesis, [{ alias: 'AVAX', asset: avaxAsset }]),
)
export const cChain = genesisChain('C-Chain', named('evm'), [], new Uint8Array(Buffer.from(fuji.cChain)))

/** The ids of the network's chains and of its AVAX asset. */
export const networkIds = { P: zeroId, X: xChain.id, C: cChain.id, avax: avaxId }

/**
 * The two EVM chains with their own subnets. Their founders, first coins and therefore ids are the same for
 * every seed.
 */
type Founding = {
  readonly founder: Party
  readonly subnet: Made<PTx>
  readonly chain: Made<PTx>
}

const oneAvax = 1_000_000_000n
/** Amount of the founders' first coins: enough for the fees of every age. */
const foundingCoin = 500n * oneAvax

type GenesisPlan = {
  readonly chainId: number
  readonly gasLimit: number
  readonly minBaseFee: number
  readonly precompiles: Readonly<Record<string, unknown>>
  readonly alloc: Readonly<Record<string, { readonly balance: string; readonly code?: string }>>
}

/** A subnet-evm genesis, with the fields in the order of its tools. */
function evmGenesis({ chainId, gasLimit, minBaseFee, precompiles, alloc }: GenesisPlan): Uint8Array {
  const zero = `0x${zeroId}`
  const genesis = {
    config: {
      berlinBlock: 0,
      byzantiumBlock: 0,
      chainId,
      constantinopleBlock: 0,
      eip150Block: 0,
      eip150Hash: '0x2086799aeebeae135c246c65021c82b4e15a2c451340993aacfd2751886514f0',
      eip155Block: 0,
      eip158Block: 0,
      homesteadBlock: 0,
      istanbulBlock: 0,
      londonBlock: 0,
      muirGlacierBlock: 0,
      petersburgBlock: 0,
      subnetEVMTimestamp: 0,
      allowFeeRecipients: true,
      feeConfig: {
        gasLimit,
        targetBlockRate: 2,
        minBaseFee,
        targetGas: 15_000_000,
        baseFeeChangeDenominator: 36,
        minBlockGasCost: 0,
        maxBlockGasCost: 1_000_000,
        blockGasCostStep: 200_000,
      },
      warpConfig: { blockTimestamp: 1_607_144_400, quorumNumerator: 67, requirePrimaryNetworkSigners: true },
      ...precompiles,
    },
    nonce: '0x0',
    timestamp: '0x0',
    extraData: '0x',
    gasLimit: `0x${gasLimit.toString(16)}`,
    difficulty: '0x0',
    mixHash: zero,
    coinbase: `0x${'0'.repeat(40)}`,
    alloc,
    airdropHash: zero,
    airdropAmount: null,
    number: '0x0',
    gasUsed: '0x0',
    parentHash: zero,
    baseFeePerGas: null,
    excessBlobGas: null,
    blobGasUsed: null,
  }
  return new Uint8Array(Buffer.from(JSON.stringify(genesis)))
}

function accounts(name: string, count: number, whole: bigint): GenesisPlan['alloc'] {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      keyOf(`${name}/${index}`).account,
      { balance: `0x${((whole + BigInt(index)) * 10n ** 18n).toString(16)}` },
    ]),
  )
}

const since = 1_607_144_400
const admin = (name: string): string => `0x${keyOf(name).account}`

function found(name: string, coin: number, genesis: Uint8Array): Founding {
  const founder = single(keyOf(`founder/${name}`))
  const owner = partyOwner(founder)
  const signers = signersOf(founder)
  const fee = oneAvax
  const base = (outputIndex: number): Base => ({
    ...emptyBase,
    outputs: [output(avaxId, foundingCoin - fee, owner)],
    inputs: [
      {
        txId: zeroId,
        outputIndex,
        assetId: avaxId,
        amount: foundingCoin,
        stakeableLocktime: 0n,
        signatureIndices: places(founder),
      },
    ],
  })
  const subnet = signP({ type: 'CreateSubnetTx', base: base(coin), owner }, [signers])
  const chain = signP(
    {
      type: 'CreateChainTx',
      base: base(coin + 1),
      subnetId: subnet.id,
      chainName: name,
      vmId: subnetEvm,
      fxIds: [],
      genesis: hexOf(genesis),
      authority: places(founder),
    },
    [signers, signers],
  )
  return { founder, subnet, chain }
}

/** Number of genesis coins that belong to founders. */
const foundingCoins = 4

let foundings: { readonly meridian: Founding; readonly harbor: Founding } | undefined

/** Created on first use, because it requires several signatures. */
export function foundingsOf(): { readonly meridian: Founding; readonly harbor: Founding } {
  foundings ??= {
    meridian: found(
      'Meridian',
      0,
      evmGenesis({
        chainId: 431_301,
        gasLimit: 12_000_000,
        minBaseFee: 1_000_000_000,
        precompiles: {
          contractNativeMinterConfig: {
            blockTimestamp: since,
            adminAddresses: [admin('meridian/admin')],
            managerAddresses: [admin('meridian/manager')],
          },
          feeManagerConfig: { blockTimestamp: since, adminAddresses: [admin('meridian/admin')] },
          rewardManagerConfig: {
            blockTimestamp: since,
            adminAddresses: [admin('meridian/admin')],
            enabledAddresses: [admin('meridian/rewards')],
          },
        },
        alloc: {
          ...accounts('meridian/holder', 220, 1_000n),
          [managerContract.slice(2)]: { balance: '0x0', code: '0x6080604052600080fdfe' },
        },
      }),
    ),
    harbor: found(
      'Harbor',
      2,
      evmGenesis({
        chainId: 431_302,
        gasLimit: 15_000_000,
        minBaseFee: 2_000_000_000,
        precompiles: {
          txAllowListConfig: {
            blockTimestamp: since,
            adminAddresses: [admin('harbor/admin')],
            enabledAddresses: [admin('harbor/firm/0'), admin('harbor/firm/1')],
          },
          contractDeployerAllowListConfig: {
            blockTimestamp: since,
            adminAddresses: [admin('harbor/admin')],
          },
          feeManagerConfig: { blockTimestamp: since, adminAddresses: [admin('harbor/admin')] },
        },
        alloc: accounts('harbor/firm', 12, 5_000_000n),
      }),
    ),
  }
  return foundings
}

/** The contract that manages Meridian's validators. */
export const managerContract = '0x0feedc0de0000000000000000000000000000000'

/** The P-Chain's genesis: coins, validators, chains. The supply includes X's coins. */
export function genesisOf(world: World): {
  readonly bytes: Uint8Array
  readonly utxos: readonly AssetOutput[]
  readonly validators: readonly Made<PTx>[]
  readonly chains: readonly Made<PTx>[]
  readonly supply: bigint
} {
  const { meridian, harbor } = foundingsOf()
  const { start, end } = world.ages
  const span = end - start
  const founders = [meridian, meridian, harbor, harbor].slice(0, foundingCoins)
  const coins: AssetAmount[] = founders.map(({ founder }) =>
    output(avaxId, foundingCoin, partyOwner(founder)),
  )
  world.people.forEach((person, index) => {
    for (const share of [300_000n, 60_000n, 40_000n]) {
      coins.push(output(avaxId, (share + BigInt(index) * 17n) * oneAvax, partyOwner(person)))
    }
    if (index >= 12) return
    // Some coins unlocked long ago, others unlock in years.
    const until = BigInt(start + Math.round((0.3 + index * 0.12) * span))
    const held = output(avaxId, 250_000n * oneAvax, partyOwner(person))
    coins.push({ ...held, output: { ...held.output, stakeableLocktime: until } })
  })
  for (const firm of world.firms) coins.push(output(avaxId, 200_000n * oneAvax, partyOwner(firm)))
  const stake = 1_000_000n * oneAvax
  const validators = world.nodes.slice(0, 5).map(({ nodeId }, index) => {
    const party = world.people[index] ?? world.collector
    return unsignedP({
      type: 'AddValidatorTx',
      base: emptyBase,
      terms: {
        nodeId,
        start: BigInt(start),
        end: BigInt(start + 365 * 86_400 - (4 - index) * 54_000),
        weight: stake,
      },
      stake: [output(avaxId, stake, partyOwner(party))],
      rewardsOwner: partyOwner(party),
      shares: [1_000_000, 500_000, 250_000, 125_000, 20_000][index] ?? 20_000,
    })
  })
  const chains = [xChain, cChain]
  const held = coins.reduce((sum, { output: each }) => sum + each.amount, 0n)
  const rest = 40_000_000n * oneAvax - held - stake * BigInt(validators.length)
  coins.push(output(avaxId, rest, partyOwner(world.collector)))
  const supply = BigInt(fuji.amount) * BigInt(fuji.holders.length) + 40_000_000n * oneAvax
  const bytes = encode(pGenesis, {
    utxos: coins.map((coin, outputIndex) => ({
      utxo: { txId: zeroId, outputIndex, ...coin },
      message: outputIndex % 7 === 0 ? new Uint8Array(Buffer.from('a first coin')) : new Uint8Array(),
    })),
    validators: validators.map(({ tx }) => tx),
    chains: chains.map(({ tx }) => tx),
    time: start,
    supply,
    message: 'the sample network',
  })
  return { bytes, utxos: coins, validators, chains, supply }
}
