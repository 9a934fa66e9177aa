import type { ChainPlan } from '../evm/chains.ts'
import type { EvmChain } from '../evm/evm-chain.ts'
import { createWarpMessages, type WarpMessages } from '../evm/warp-messages.ts'
import type { LedgerHost } from '../primary/host/host.ts'
import { zeroId } from '../primary/state.ts'
import { type BareHex, hexOfCb58 } from '../../protocol/ids/bare-hex.ts'
import type { PeerChain } from './peers.ts'
import { evmRules } from './sign-evm.ts'
import { pRules } from './sign-p.ts'
import type { Signable } from './sign.ts'

/** An EVM chain of the sample with the messages that it has sent. */
export type WarpChain = {
  readonly chainId: BareHex
  readonly subnetId: BareHex
  readonly messages: WarpMessages
}

function hexOf(cb58: string): BareHex {
  const hex = hexOfCb58(cb58)
  if (hex === undefined) throw new Error(`${cb58} is not an id`)
  return hex
}

/** The EVM chains by key. */
export function warpChainsOf(
  endpoints: readonly { readonly plan: ChainPlan; readonly chain: Promise<EvmChain> }[],
): ReadonlyMap<string, WarpChain> {
  return new Map(
    endpoints.map(({ plan, chain }) => [
      plan.key,
      {
        chainId: hexOf(plan.blockchainId),
        subnetId: hexOf(plan.subnetId),
        messages: createWarpMessages(chain),
      },
    ]),
  )
}

/** The messages that an EVM chain's validators sign. */
function evmSignable({ chainId, subnetId, messages }: WarpChain, ledger: LedgerHost): Signable {
  const { networkId } = ledger
  if (subnetId === zeroId) return { networkId, chainId, verify: evmRules({ messages }) }
  const uptimeOf = (validationId: BareHex): number | undefined => {
    const validator = ledger.l1Validator(validationId)
    if (validator === undefined || validator.subnetId !== subnetId) return undefined
    const { share } = ledger.uptime(validator.nodeId)
    return Math.floor(share * (ledger.chainTime() - validator.start))
  }
  return { networkId, chainId, verify: evmRules({ messages, uptimeOf }) }
}

/** Every chain that validators know, by id. The X-Chain signs nothing. */
export function peerChainsOf(
  ledger: LedgerHost,
  warpChains: ReadonlyMap<string, WarpChain>,
): ReadonlyMap<BareHex, PeerChain> {
  const { networkId, ids } = ledger
  return new Map<BareHex, PeerChain>([
    [ids.P, { subnetId: zeroId, signable: { networkId, chainId: ids.P, verify: pRules(ledger) } }],
    [ids.X, { subnetId: zeroId, signable: undefined }],
    ...[...warpChains.values()].map(
      (chain) => [chain.chainId, { subnetId: chain.subnetId, signable: evmSignable(chain, ledger) }] as const,
    ),
  ])
}
