import { type Ledger, type LedgerTx } from '../../primary/ledger.ts'
import type { Params, Methods } from '../rpc/json2.ts'
import { explained, ServiceError } from '../rpc/service-errors.ts'
import { chainIdOf, type LocalChain } from './addresses.ts'
import { zeroId, encodingArg, idArg, idsArg, nodeIdsArg, numberArg, textArg, textsArg } from '../rpc/args.ts'
import type { Json } from '../rpc/go-json.ts'
import { pBlockJson, pTxJson } from '../../../protocol/primary/node-json.ts'
import { pBalance, stakeOf } from './stake.ts'
import { addressText, cb58 } from '../../../protocol/ids/text.ts'
import { encode, timeText } from '../rpc/encodings.ts'
import { allValidatorsAt, currentValidators, l1ValidatorJson, sampleOf, validatorsAt } from './validators.ts'
import { chainMethods } from './chain-methods.ts'

/** What the P-Chain's service needs. */
type PlatformFacts = {
  readonly ledger: Ledger
  readonly chain: LocalChain
  /** Blockchains (hex ids) that this node runs. */
  readonly runs: ReadonlySet<string>
}

/** The least stake of a validator and of a delegator on the test network, in nAVAX. */
const minStake = 1_000_000_000n

const feeConfig = {
  weights: [1, 1000, 1000, 4],
  maxCapacity: 1_000_000,
  maxPerSecond: 100_000,
  targetPerSecond: 50_000,
  minPrice: 1,
  excessConversionConstant: 2_164_043,
}

const validatorFeeConfig = {
  capacity: 20_000,
  target: 10_000,
  minPrice: 512,
  excessConversionConstant: 51_937_021,
}

/** The methods of the P-Chain's service, `platform.…`, by name. */
export function platformMethods(facts: PlatformFacts): Methods {
  const { ledger, chain, runs } = facts
  const { form } = chain

  function acceptedTx(id: string): LedgerTx | undefined {
    const tx = ledger.tx('P', id)
    return tx?.status === 'Processing' ? undefined : tx
  }

  function acceptedTxJson(id: string): Json | undefined {
    const tx = acceptedTx(id)
    return tx === undefined ? undefined : pTxJson(tx.bytes, form)
  }

  /** The unsigned TransformSubnetTx of an elastic subnet. Throws `ServiceError`. */
  function transformation(subnetId: string): Json {
    const id = ledger.subnet(subnetId)?.transformTxId
    const tx = id === undefined ? undefined : acceptedTxJson(id)
    if (tx !== undefined) return tx['unsignedTx'] as Json
    throw new ServiceError(`failed fetching subnet transformation for ${cb58(subnetId)}: not found`)
  }

  function controlKeys(addresses: readonly string[]): readonly string[] {
    return addresses.map((address) => `${form.alias}-${addressText(address, form.prefix)}`)
  }

  function subnetEntry(id: string): Json | undefined {
    if (id === zeroId) return { id: cb58(id), controlKeys: [], threshold: '0' }
    const subnet = ledger.subnet(id)
    if (subnet === undefined) return undefined
    const owner =
      subnet.transformTxId === undefined ? subnet.owner : { addresses: [], threshold: 0, locktime: 0n }
    return {
      id: cb58(id),
      controlKeys: controlKeys(owner.addresses),
      threshold: String(owner.threshold),
    }
  }

  function blockchainsJson(): readonly Json[] {
    const all = ledger.blockchains()
    const isPrimary = ({ subnetId }: { subnetId: string }): boolean => subnetId === zeroId
    return [...all.filter((each) => !isPrimary(each)), ...all.filter(isPrimary)].map(
      ({ id, name, subnetId, vmId }) => ({
        id: cb58(id),
        name,
        subnetID: cb58(subnetId),
        vmID: cb58(vmId),
      }),
    )
  }

  function blockchainStatus(name: string): string {
    if (name === '') throw new ServiceError("argument 'blockchainID' not given")
    const before = `problem parsing blockchainID ${JSON.stringify(name)}: `
    const id = explained(before, () => chainIdOf(chain.names, name))
    if (id === ledger.ids.P || runs.has(id)) return 'Validating'
    return ledger.blockchains().some((each) => each.id === id) ? 'Created' : 'UnknownChain'
  }

  /** A height, or `proposed`, which means the newest on this node. */
  function heightArg(params: Params): bigint {
    if (params['height'] === 'proposed') return BigInt(ledger.height('P'))
    return numberArg(params, 'height')
  }

  const height = (): Json => ({ height: String(ledger.height('P')) })

  return {
    ...chainMethods(ledger, 'P', chain, pBlockJson, "couldn't issue tx: "),
    getProposedHeight: height,
    getTimestamp: () => ({ timestamp: timeText(ledger.chainTime()) }),

    getTx(params) {
      const id = idArg(params, 'txID')
      const encoding = encodingArg(params)
      const tx = acceptedTx(id)
      if (tx === undefined) throw new ServiceError("couldn't get tx: not found")
      return { tx: encoding === 'json' ? pTxJson(tx.bytes, form) : encode(encoding, tx.bytes), encoding }
    },
    getTxStatus(params) {
      return { status: ledger.tx('P', idArg(params, 'txID'))?.status ?? 'Unknown' }
    },
    getBalance: (params) => pBalance(ledger, chain, textsArg(params, 'addresses')),
    getStake: (params) => stakeOf(ledger, chain, params),
    getRewardUTXOs(params) {
      const encoding = encodingArg(params)
      const utxos = ledger.rewardUtxos(idArg(params, 'txID'))
      return {
        numFetched: String(utxos.length),
        utxos: utxos.map(({ bytes }) => encode(encoding, bytes)),
        encoding,
      }
    },

    getCurrentValidators: (params) => ({
      validators: currentValidators(ledger, chain, idArg(params, 'subnetID'), nodeIdsArg(params, 'nodeIDs')),
    }),
    getL1Validator(params) {
      const id = idArg(params, 'validationID')
      const found = ledger.l1Validator(id)
      if (found === undefined) {
        throw new ServiceError(`fetching L1 validator "${cb58(id)}" failed: not found`)
      }
      return { ...l1ValidatorJson(found, chain), subnetID: cb58(found.subnetId), ...height() }
    },
    getValidatorsAt: (params) => validatorsAt(ledger, heightArg(params), idArg(params, 'subnetID')),
    getAllValidatorsAt: (params) => allValidatorsAt(ledger, heightArg(params)),
    sampleValidators: (params) => ({
      validators: sampleOf(ledger, idArg(params, 'subnetID'), Number(numberArg(params, 'size', 0xffffn))),
    }),

    getSubnet(params) {
      const id = idArg(params, 'subnetID')
      if (id === zeroId) throw new ServiceError("the primary network isn't a subnet")
      const subnet = ledger.subnet(id)
      if (subnet === undefined) throw new ServiceError('not found')
      const { owner, transformTxId, conversion } = subnet
      return {
        isPermissioned: transformTxId === undefined && conversion === undefined,
        controlKeys: controlKeys(owner.addresses),
        threshold: String(owner.threshold),
        locktime: String(owner.locktime),
        subnetTransformationTxID: cb58(transformTxId ?? zeroId),
        conversionID: cb58(conversion?.id ?? zeroId),
        managerChainID: cb58(conversion?.managerChainId ?? zeroId),
        managerAddress: conversion === undefined ? null : `0x${conversion.managerAddress}`,
      }
    },
    getSubnets(params) {
      const ids = idsArg(params, 'ids')
      const wanted = ids.length === 0 ? [...ledger.subnets().map(({ id }) => id), zeroId] : new Set(ids)
      const subnets = [...wanted].map(subnetEntry).filter((entry) => entry !== undefined)
      return { subnets: subnets.length === 0 ? null : subnets }
    },
    getBlockchains: () => ({ blockchains: blockchainsJson() }),
    getBlockchainStatus: (params) => ({ status: blockchainStatus(textArg(params, 'blockchainID')) }),
    validatedBy(params) {
      const id = idArg(params, 'blockchainID')
      if (id === ledger.ids.P) return { subnetID: cb58(zeroId) }
      const found = ledger.blockchains().find((each) => each.id === id)
      if (found !== undefined) return { subnetID: cb58(found.subnetId) }
      if (acceptedTx(id) !== undefined) throw new ServiceError(`"${cb58(id)}" is not a blockchain`)
      throw new ServiceError(`problem retrieving blockchain "${cb58(id)}": not found`)
    },
    validates(params) {
      const id = idArg(params, 'subnetID')
      if (id !== zeroId && ledger.subnet(id) === undefined) {
        throw new ServiceError(
          acceptedTx(id) === undefined
            ? `problem retrieving subnet "${cb58(id)}": not found`
            : `"${cb58(id)}" is not a subnet`,
        )
      }
      const found = ledger.blockchains().filter(({ subnetId }) => subnetId === id)
      return { blockchainIDs: found.map((each) => cb58(each.id)) }
    },

    getCurrentSupply(params) {
      const supply = ledger.supply(idArg(params, 'subnetID'))
      if (supply === undefined) throw new ServiceError('fetching current supply failed: not found')
      return { supply: String(supply), ...height() }
    },
    getStakingAssetID(params) {
      const id = idArg(params, 'subnetID')
      if (id === zeroId) return { assetID: cb58(ledger.ids.avax) }
      return { assetID: transformation(id)['assetID'] }
    },
    getMinStake(params) {
      const id = idArg(params, 'subnetID')
      const found =
        id === zeroId ? { minValidatorStake: minStake, minDelegatorStake: minStake } : transformation(id)
      return {
        minValidatorStake: String(found['minValidatorStake']),
        minDelegatorStake: String(found['minDelegatorStake']),
      }
    },
    getTotalStake(params) {
      const stake = String(ledger.totalStake(idArg(params, 'subnetID')))
      return { stake, weight: stake }
    },

    getFeeConfig: () => feeConfig,
    getFeeState() {
      const { capacity, excess, price, time } = ledger.feeState()
      return { capacity, excess, price, timestamp: timeText(time) }
    },
    getValidatorFeeConfig: () => validatorFeeConfig,
    getValidatorFeeState() {
      const { excess, price, time } = ledger.validatorFeeState()
      return { excess, price, timestamp: timeText(time) }
    },
  }
}
