import { L1Validator, PChainOwner, pvm, pvmSerial, TransferableOutput, utils } from '@avalabs/avalanchejs'
import { setTimeout as delay } from 'node:timers/promises'
import { evmConfig, testKey } from '../../scripts/support/staking-network.mjs'
import { openEvm, type EvmChain } from './evm.ts'
import type { RealNetwork } from './network.ts'
import { ask } from './node.ts'
import type { Wallet } from './wallet.ts'

/** An L1 of the subnet EVM, validated by all nodes of the network. */
export type L1 = {
  readonly subnetId: string
  readonly blockchainId: string
  readonly conversionTx: string
  readonly evmChainId: number
  readonly evm: EvmChain
  /** Unix seconds of the upgrade that allows anyone to send transactions. */
  readonly opensAt: number
  /** Unix seconds, far in the future, of the upgrade that disables the fee manager. */
  readonly closesAt: number
}

const l1ChainId = 99_777
/** The weight of each validator. A chain builds no blocks below a total weight of 20. */
export const l1Weight = 20n
const vmId = 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy'
const avax = 1_000_000_000n
const year = 365 * 86_400
const timeoutMs = 240_000

/** The permissions from the first block on. Managers need the time from which the rules know them. */
function genesisOf(admin: string): Record<string, unknown> {
  const adminAddresses = [admin]
  const managed = 1_607_144_400
  return {
    config: {
      chainId: l1ChainId,
      feeConfig: {
        gasLimit: 15_000_000,
        targetBlockRate: 2,
        minBaseFee: 25_000_000_000,
        targetGas: 15_000_000,
        baseFeeChangeDenominator: 36,
        minBlockGasCost: 0,
        maxBlockGasCost: 1_000_000,
        blockGasCostStep: 200_000,
      },
      allowFeeRecipients: true,
      warpConfig: { blockTimestamp: managed, quorumNumerator: 67, requirePrimaryNetworkSigners: true },
      contractDeployerAllowListConfig: {
        blockTimestamp: managed,
        adminAddresses,
        managerAddresses: ['0x0Fa8EA536Be85F32724D57A37758761B86416123'],
      },
      txAllowListConfig: { blockTimestamp: 0, adminAddresses },
      contractNativeMinterConfig: { blockTimestamp: 0, adminAddresses },
      feeManagerConfig: { blockTimestamp: 0, adminAddresses },
    },
    alloc: { [admin.slice(2)]: { balance: '0x52B7D2DCC80CD2E4000000' } },
    nonce: '0x0',
    timestamp: '0x5fcb13d0',
    extraData: '0x',
    gasLimit: '0xe4e1c0',
    difficulty: '0x0',
    mixHash: `0x${'00'.repeat(32)}`,
    coinbase: `0x${'00'.repeat(20)}`,
    number: '0x0',
    gasUsed: '0x0',
    parentHash: `0x${'00'.repeat(32)}`,
  }
}

/**
 * Creates a subnet with a chain of the subnet EVM, converts it to an L1 that the network's nodes validate and whose
 * manager is the wallet's account on the new chain, and restarts the nodes with it.
 */
export async function makeL1(network: RealNetwork, wallet: Wallet): Promise<L1> {
  const { address } = wallet
  const subnetId = await wallet.issueP((spending, given) =>
    pvm.newCreateSubnetTx({ ...spending, subnetOwners: [address] }, given),
  )
  const blockchainId = await wallet.issueP((spending, given) =>
    pvm.newCreateChainTx(
      {
        ...spending,
        subnetId,
        subnetAuth: [0],
        chainName: 'mountain',
        vmId,
        fxIds: [],
        genesisData: genesisOf(wallet.evmAddress),
      },
      given,
    ),
  )
  const owner = PChainOwner.fromNative([address], 1)
  const validators = network.validators
    .map(({ nodeId, proof }) => {
      const key = utils.hexToBuffer(proof.publicKey)
      const signer = new pvmSerial.ProofOfPossession(key, utils.hexToBuffer(proof.proofOfPossession))
      return L1Validator.fromNative(nodeId, l1Weight, avax, signer, owner, owner)
    })
    .sort((a, b) => Buffer.compare(a.nodeId.toBytes(), b.nodeId.toBytes()))
  const conversionTx = await wallet.issueP((spending, given) =>
    pvm.newConvertSubnetToL1Tx(
      {
        ...spending,
        subnetId,
        chainId: blockchainId,
        address: utils.hexToBuffer(wallet.evmAddress),
        subnetAuth: [0],
        validators,
      },
      given,
    ),
  )

  // Until its first block a chain accepts past upgrades, so the rules change between genesis and block 1.
  const opensAt = Math.floor(Date.now() / 1000) - 1
  const closesAt = opensAt + year
  const upgrade = {
    precompileUpgrades: [
      { txAllowListConfig: { blockTimestamp: opensAt, disable: true } },
      { feeManagerConfig: { blockTimestamp: closesAt, disable: true } },
    ],
  }
  const config = { ...evmConfig, 'validators-api-enabled': true }
  await network.restart({ subnets: [subnetId], chains: { [blockchainId]: { config, upgrade } } })
  const path = `/ext/bc/${blockchainId}/rpc`
  await Promise.all(network.validators.map(({ url }) => untilServed(`${url}${path}`)))
  // A block of P uses the validator set of its epoch. The second block from here uses that of the conversion.
  for (let blocks = 0; blocks < 2; blocks += 1) {
    await wallet.issueP((spending, given) => {
      const outputs = [TransferableOutput.fromNative(given.avaxAssetID, avax, [address])]
      return pvm.newBaseTx({ ...spending, outputs }, given)
    })
  }
  const evm = await openEvm(`${network.node.url}${path}`, testKey)
  return { subnetId, blockchainId, conversionTx, evmChainId: l1ChainId, evm, opensAt, closesAt }
}

/** The L1 as a chain of the service's configuration. */
export function chainOf({ evm, evmChainId, blockchainId, subnetId }: L1): unknown {
  return {
    name: 'Mountain',
    evmChainId,
    blockchainId,
    subnetId,
    vmId,
    rpcUrl: evm.url,
    wsUrl: evm.url.replace(/^http/, 'ws').replace(/rpc$/, 'ws'),
    network: 'fuji',
    token: { name: 'Stone', symbol: 'STN', decimals: 18 },
    pollSeconds: 0.5,
  }
}

/** A chain that has not started answers 404; one that is catching up answers 503. */
async function untilServed(url: string): Promise<void> {
  const until = Date.now() + timeoutMs
  for (;;) {
    const served = await ask(url, 'eth_blockNumber', []).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (served === undefined) return
    if (Date.now() > until) throw new Error(`${url} is not served after a minute`, { cause: served })
    await delay(200)
  }
}
