import {
  avm,
  evm,
  L1Validator,
  PChainOwner,
  pvm,
  pvmSerial,
  TransferableOutput,
  utils,
  type Utxo,
} from '@avalabs/avalanchejs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from 'viem'
import { playAssets } from './assets.ts'
import { playEvm } from './evm-story.ts'
import { untilHelicon, type RealNetwork } from './network.ts'
import { ask } from './node.ts'
import { openWallet, type Spending, type Wallet } from './wallet.ts'
import {
  blsKeyOf,
  convertedValidationId,
  nodeIdOf,
  registration,
  signedMessage,
  weightChange,
} from './warp.ts'

/** The scenario's results, for comparisons. Ids are in the node's format. */
export type Story = {
  readonly wallet: Wallet
  /** Transactions of P and X by purpose. */
  readonly p: Readonly<Record<string, string>>
  readonly x: Readonly<Record<string, string>>
  readonly c: Readonly<Record<string, string>>
  /** The accounts that took part on the C-Chain's EVM. */
  readonly evmAccounts: readonly Address[]
  readonly subnetId: string
  readonly l1SubnetId: string
  readonly blockchainId: string
  readonly validationIds: readonly string[]
  /** The initial balance of the registered one. */
  readonly joining: { readonly nodeId: string; readonly publicKey: string; readonly weight: number }
  /** The node's answers about stakes while they ran, by transaction: it forgets stakes without a reward. */
  readonly potentialRewards: Readonly<Record<string, string>>
  /** Validations that end within the scenario: one with a reward and one without. */
  readonly rewarded: string
  readonly unrewarded: string
}

/** A stake as the node lists it. */
type Running = {
  readonly txID: string
  readonly potentialReward: string
}

const avax = 1_000_000_000n
const stakeSeconds = 25n
const cb58 = (bytes: Uint8Array): string => utils.base58check.encode(bytes)
const idBytes = (id: string): Uint8Array => utils.base58check.decode(id)

/** Issues transactions of every type that a wallet can send, and waits until the short stakes have ended. */
export async function playPrimary(network: RealNetwork, key: string): Promise<Story> {
  const { node, secretKey } = network
  const wallet = await openWallet(node.url, key)
  const { address, context } = wallet
  const asset = context.avaxAssetID
  const out = (
    amount: bigint,
    owners = [address],
    locktime?: bigint,
    threshold?: number,
  ): TransferableOutput => TransferableOutput.fromNative(asset, amount, owners, locktime, threshold)
  const now = (): bigint => BigInt(Math.floor(Date.now() / 1000))
  const p: Record<string, string> = {}
  const x: Record<string, string> = {}
  const c: Record<string, string> = {}
  const potentialRewards: Record<string, string> = {}

  const second = nodeIdOf('second address').bytes
  // A stake first, because its period passes while the rest is issued.
  const rewarded = await stake('rewarded')
  p['validatorRewarded'] = rewarded.validator
  p['delegatorRewarded'] = rewarded.delegator

  /** A validator for `seconds` and a delegator that ends a little earlier, each paid from an exact UTXO. */
  async function stake(
    name: string,
    seconds = stakeSeconds,
    fits: (utxo: Utxo) => boolean = () => true,
  ): Promise<{ validator: string; delegator: string }> {
    const bls = blsKeyOf(name)
    const nodeId = nodeIdOf(name).text
    const start = now()
    const common = { nodeId, subnetId: context.pBlockchainID, start, rewardAddresses: [address] }
    const from = ({ utxos, ...spending }: Spending): Spending => ({ ...spending, utxos: utxos.filter(fits) })
    const validator = await wallet.issueP((spending, given) =>
      pvm.newAddPermissionlessValidatorTx(
        {
          ...from(spending),
          ...common,
          end: start + seconds + 5n,
          weight: 2_000n * avax,
          shares: 20_000,
          delegatorRewardsOwner: [second],
          publicKey: bls.publicKey,
          signature: bls.proof,
        },
        given,
      ),
    )
    const delegator = await wallet.issueP((spending, given) =>
      pvm.newAddPermissionlessDelegatorTx(
        { ...from(spending), ...common, end: start + seconds, weight: 25n * avax },
        given,
      ),
    )
    const { validators } = await ask<{ validators: (Running & { delegators?: Running[] | null })[] }>(
      `${node.url}/ext/bc/P`,
      'platform.getCurrentValidators',
      { nodeIDs: [nodeId] },
    )
    for (const each of validators.flatMap((found) => [found, ...(found.delegators ?? [])]))
      potentialRewards[each.txID] = each.potentialReward
    return { validator, delegator }
  }

  p['base'] = await wallet.issueP((spending, given) =>
    pvm.newBaseTx(
      {
        ...spending,
        outputs: [
          out(3n * avax),
          out(2n * avax, [address, second].sort(Buffer.compare), undefined, 2),
          out(avax, [address], now() + 86_400n * 365n),
        ],
      },
      given,
    ),
  )
  p['exportToX'] = await exportFromP(context.xBlockchainID)
  p['exportToC'] = await exportFromP(context.cBlockchainID)
  x['import'] = await wallet.issueX(
    avm.newImportTx(context, context.pBlockchainID, await wallet.utxos('X', 'P'), [address], [address]),
  )
  c['importFromP'] = await importToC('P')
  x['base'] = await wallet.issueX(
    avm.newBaseTx(context, [address], await wallet.utxos('X'), [out(avax, [second])]),
  )
  x['exportToP'] = await exportFromX(context.pBlockchainID)
  x['exportToC'] = await exportFromX(context.cBlockchainID)
  p['importFromX'] = await importToP('X', context.xBlockchainID)
  c['importFromX'] = await importToC('X')
  c['exportToP'] = await exportFromC(context.pBlockchainID)
  c['exportToX'] = await exportFromC(context.xBlockchainID)
  p['importFromC'] = await importToP('C', context.cBlockchainID)
  Object.assign(x, await playAssets(wallet))

  async function exportFromP(destinationChainId: string): Promise<string> {
    return wallet.issueP((spending, given) =>
      pvm.newExportTx({ ...spending, destinationChainId, outputs: [out(10n * avax), out(4n * avax)] }, given),
    )
  }

  async function exportFromX(destination: string): Promise<string> {
    const utxos = await wallet.utxos('X')
    return wallet.issueX(avm.newExportTx(context, destination, [address], utxos, [out(2n * avax)]))
  }

  async function importToP(source: 'X' | 'C', sourceChainId: string): Promise<string> {
    const utxos = await wallet.utxos('P', source)
    return wallet.issueP((spending, given) =>
      pvm.newImportTx({ ...spending, utxos, sourceChainId, toAddressesBytes: [address] }, given),
    )
  }

  async function importToC(source: 'P' | 'X'): Promise<string> {
    const atomics = await wallet.utxos('C', source)
    const chain = source === 'P' ? context.pBlockchainID : context.xBlockchainID
    const fee = await atomicFee()
    const to = utils.hexToBuffer(wallet.evmAddress)
    return wallet.issueC(evm.newImportTxFromBaseFee(context, to, [address], atomics, chain, fee))
  }

  /** nAVAX per unit of gas: twice the base fee, which may rise before the block is built. Genesis has no base fee. */
  async function atomicFee(): Promise<bigint> {
    const fee = await ask<string | null>(`${node.url}/ext/bc/C/rpc`, 'eth_baseFee', [])
    return (2n * BigInt(fee ?? 25n * avax)) / avax + 1n
  }

  async function exportFromC(destination: string): Promise<string> {
    const rpc = `${node.url}/ext/bc/C/rpc`
    const [fee, nonce] = await Promise.all([
      atomicFee(),
      ask<string>(rpc, 'eth_getTransactionCount', [wallet.evmAddress, 'latest']),
    ])
    const from = utils.hexToBuffer(wallet.evmAddress)
    return wallet.issueC(
      evm.newExportTxFromBaseFee(context, fee, avax, destination, from, [address], BigInt(nonce)),
    )
  }

  const subnetId = await createSubnet()
  p['createSubnet'] = subnetId
  p['createChain'] = await createChain(subnetId)
  const { validators } = await ask<{ validators: { nodeID: string; endTime: string }[] }>(
    `${node.url}/ext/bc/P`,
    'platform.getCurrentValidators',
  )
  // A subnet validation must lie within the node's validation of the primary network; those of the genesis last a year.
  const lasting = validators.find(({ endTime }) => BigInt(endTime) > now() + 3n * 86_400n)
  if (lasting === undefined) throw new Error('no validator lasts for three days')
  p['addSubnetValidator'] = await wallet.issueP((spending, given) =>
    pvm.newAddSubnetValidatorTx(
      {
        ...spending,
        subnetId,
        subnetAuth: [0],
        nodeId: lasting.nodeID,
        start: now(),
        end: now() + 2n * 86_400n,
        weight: 30n,
      },
      given,
    ),
  )
  p['removeSubnetValidator'] = await wallet.issueP((spending, given) =>
    pvm.newRemoveSubnetValidatorTx({ ...spending, subnetId, subnetAuth: [0], nodeId: lasting.nodeID }, given),
  )
  p['transferOwnership'] = await wallet.issueP((spending, given) =>
    pvm.newTransferSubnetOwnershipTx(
      {
        ...spending,
        subnetId,
        subnetAuth: [0],
        subnetOwners: [address, second].sort(Buffer.compare),
        threshold: 1,
      },
      given,
    ),
  )

  const l1SubnetId = await createSubnet()
  const blockchainId = await createChain(l1SubnetId)
  p['createL1Subnet'] = l1SubnetId
  p['createL1Chain'] = blockchainId
  const manager = utils.hexToBuffer('feedc0de00000000000000000000000000000001')
  // One balance lasts long; the other is used up within the scenario.
  p['convert'] = await wallet.issueP((spending, given) =>
    pvm.newConvertSubnetToL1Tx(
      {
        ...spending,
        subnetId: l1SubnetId,
        chainId: context.cBlockchainID,
        address: manager,
        subnetAuth: [0],
        validators: [initial('lasting', 40n, avax), initial('poor', 30n, 8n)].sort((a, b) =>
          Buffer.compare(a.nodeId.toBytes().subarray(4), b.nodeId.toBytes().subarray(4)),
        ),
      },
      given,
    ),
  )

  function initial(name: string, weight: bigint, balance: bigint): L1Validator {
    const { publicKey, proof } = blsKeyOf(name)
    const owners = PChainOwner.fromNative([address], 1)
    const signer = new pvmSerial.ProofOfPossession(publicKey, proof)
    return L1Validator.fromNative(nodeIdOf(name).text, weight, balance, signer, owners, owners)
  }

  async function say(payload: Uint8Array): Promise<Uint8Array> {
    const set = await ask<Record<string, { publicKey: string | null }>>(
      `${node.url}/ext/bc/P`,
      'platform.getValidatorsAt',
      { height: 'proposed' },
    )
    return signedMessage({
      networkId: context.networkID,
      sourceChainId: idBytes(context.cBlockchainID),
      manager,
      payload,
      secretKey,
      publicKeys: Object.values(set).flatMap(({ publicKey }) => publicKey ?? []),
    })
  }
  const joining = blsKeyOf('joining')
  const { payload, validationId } = registration({
    subnetId: idBytes(l1SubnetId),
    nodeId: nodeIdOf('joining').bytes,
    publicKey: joining.publicKey,
    expiry: now() + 3_600n,
    address,
    weight: 10n,
  })
  const message = await say(payload)
  p['register'] = await wallet.issueP((spending, given) =>
    pvm.newRegisterL1ValidatorTx(
      { ...spending, balance: avax / 2n, blsSignature: joining.proof, message },
      given,
    ),
  )
  p['setWeight'] = await setWeight(1n, 12n)
  p['increaseBalance'] = await wallet.issueP((spending, given) =>
    pvm.newIncreaseL1ValidatorBalanceTx(
      { ...spending, balance: avax / 4n, validationId: cb58(validationId) },
      given,
    ),
  )
  p['disable'] = await wallet.issueP((spending, given) =>
    pvm.newDisableL1ValidatorTx({ ...spending, disableAuth: [0], validationId: cb58(validationId) }, given),
  )
  p['remove'] = await setWeight(2n, 0n)

  async function setWeight(nonce: bigint, weight: bigint): Promise<string> {
    const message = await say(weightChange(validationId, nonce, weight))
    return wallet.issueP((spending, given) => pvm.newSetL1ValidatorWeightTx({ ...spending, message }, given))
  }

  async function createSubnet(): Promise<string> {
    return wallet.issueP((spending, given) =>
      pvm.newCreateSubnetTx({ ...spending, subnetOwners: [address] }, given),
    )
  }

  async function createChain(subnetId: string): Promise<string> {
    return wallet.issueP((spending, given) =>
      pvm.newCreateChainTx(
        {
          ...spending,
          subnetId,
          subnetAuth: [0],
          chainName: 'story',
          vmId: 'srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy',
          fxIds: [],
          genesisData: {
            config: { chainId: 99_999 },
            alloc: { '8db97c7cece249c2b98bdc0226cc4c2a57bf52fc': { balance: '0x52b7d2dcc80cd2e4000000' } },
          },
        },
        given,
      ),
    )
  }

  // This stake ends under the current uptime requirement, the next one under a higher one. By then a node that knows
  // Helicon has activated it and replaced its C-Chain's virtual machine.
  await ended(rewarded.validator)
  await untilHelicon(network)
  p['exportToCLater'] = await exportFromP(context.cBlockchainID)
  c['importLater'] = await importToC('P')
  c['exportLater'] = await exportFromC(context.pBlockchainID)
  await network.restart({ uptimeRequirement: 1 })
  c['exportAfterRestart'] = await exportFromC(context.xBlockchainID)
  await lockForLong()
  const unrewarded = await stake('unrewarded')
  p['validatorUnrewarded'] = unrewarded.validator
  p['delegatorUnrewarded'] = unrewarded.delegator
  // The C-Chain's transactions are sent while that stake runs.
  const evmAccounts = await playEvm(`${node.url}/ext/bc/C/rpc`, key)
  await ended(unrewarded.validator)

  /** Every lasting kind of balance: staked, unlocked, locked, and exported with a lock. */
  async function lockForLong(): Promise<void> {
    const day = 86_400n
    // One locked output is staked for long; the other is for the stake that ends.
    const isStaked = (utxo: Utxo): boolean => utils.getUtxoInfo(utxo).amount !== 35n * avax
    const lasting = await stake('lasting stake', day, isStaked)
    p['validatorLasting'] = lasting.validator
    p['delegatorLasting'] = lasting.delegator
    const lock = now() + 365n * day
    for (const [name, destinationChainId, amount] of [
      ['lockedToX', context.xBlockchainID, 3n * avax],
      ['lockedToC', context.cBlockchainID, 6n * avax],
    ] as const) {
      p[name] = await wallet.issueP((spending, given) =>
        pvm.newExportTx(
          { ...spending, destinationChainId, outputs: [out(amount, [address], lock), out(avax / 3n)] },
          given,
        ),
      )
    }
    x['locked'] = await wallet.issueX(
      avm.newBaseTx(context, [address], await wallet.utxos('X'), [out(5n * avax, [address], lock)]),
    )
    x['lockedToP'] = await wallet.issueX(
      avm.newExportTx(context, context.pBlockchainID, [address], await wallet.utxos('X'), [
        out(4n * avax, [address], lock),
        out(avax / 7n),
      ]),
    )
  }

  /** Waits until a validation has ended. */
  async function ended(txID: string): Promise<void> {
    for (;;) {
      const { validators } = await ask<{ validators: { txID: string }[] }>(
        `${node.url}/ext/bc/P`,
        'platform.getCurrentValidators',
      )
      if (!validators.some((each) => each.txID === txID)) return
      await delay(500)
    }
  }

  const subnet = idBytes(l1SubnetId)
  return {
    wallet,
    p,
    x,
    c,
    evmAccounts,
    potentialRewards,
    subnetId,
    l1SubnetId,
    blockchainId,
    validationIds: [convertedValidationId(subnet, 0), convertedValidationId(subnet, 1), validationId].map(
      cb58,
    ),
    joining: {
      nodeId: nodeIdOf('joining').text,
      publicKey: utils.bufferToHex(joining.publicKey),
      weight: 10,
    },
    rewarded: rewarded.validator,
    unrewarded: unrewarded.validator,
  }
}
