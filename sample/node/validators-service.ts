import type { Ledger } from '../primary/ledger.ts'
import type { Methods } from './rpc/json2.ts'
import type { Json } from './rpc/go-json.ts'
import { nodeIdsArg } from './rpc/args.ts'
import { cb58, nodeIdText } from '../../protocol/ids/text.ts'

/** A validator as the chain's virtual machine reports it. */
type ManagerMessage = {
  readonly id: string
  readonly nodeId: string
  readonly weight: bigint
  readonly start: number
  readonly isActive: boolean
  readonly isL1: boolean
}

/** What the listing is built from. */
type ValidatorFacts = {
  readonly ledger: Ledger
  /** Hex. */
  readonly subnetId: string
}

const wholePercent = 100

/** `validators.…` at `/ext/bc/<chain>/validators`. Numbers are JSON numbers, where the P-Chain has text. */
export function validatorMethods({ ledger, subnetId }: ValidatorFacts): Methods {
  function all(): ManagerMessage[] {
    const stakers = ledger
      .currentStakers(subnetId)
      .filter(({ kind }) => kind === 'validator')
      .map(({ txId, nodeId, weight, start }) => ({
        id: txId,
        nodeId,
        weight,
        start,
        isActive: true,
        isL1: false,
      }))
    const members = ledger.l1Validators(subnetId).map(({ validationId, nodeId, weight, start, balance }) => ({
      id: validationId,
      nodeId,
      weight,
      start,
      isActive: balance > 0n,
      isL1: true,
    }))
    return [...stakers, ...members]
  }

  function shown({ id, nodeId, weight, start, isActive, isL1 }: ManagerMessage): Json {
    const { isConnected, share } = ledger.uptime(nodeId)
    return {
      validationID: cb58(id),
      nodeID: nodeIdText(nodeId),
      weight,
      startTimestamp: start,
      isActive,
      isL1Validator: isL1,
      isConnected,
      uptimePercentage: Math.fround(share * wholePercent),
      uptimeSeconds: Math.floor(share * Math.max(0, ledger.chainTime() - start)),
    }
  }

  return {
    getCurrentValidators(params) {
      const wanted = new Set(nodeIdsArg(params, 'nodeIDs'))
      const found = all().filter(({ nodeId }) => wanted.size === 0 || wanted.has(nodeId))
      return { validators: found.map(shown) }
    },
  }
}
