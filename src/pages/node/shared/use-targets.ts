import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { chainsQuery, sessionQuery } from '../../../api/chains.ts'
import { nodeBlockchainsQuery } from '../../../api/node/node-queries.ts'
import {
  addedNodes,
  agreedNodes,
  chooseNode,
  nodeTargets,
  type Chosen,
  type NodeTarget,
} from '../../../api/node/node-targets.ts'
import { useStore } from '../../../components/hooks.ts'
import { pageOrigin } from '../../../lib/place.ts'
import { safeText, shorten } from '../../../lib/text.ts'

/** The selectable nodes and the one of the URL; undefined until the session has started. */
export function useTargets(named: string): { targets: readonly NodeTarget[]; chosen: Chosen } | undefined {
  const session = useQuery(sessionQuery()).data
  const added = useStore(addedNodes)
  const agreed = useStore(agreedNodes)
  return useMemo(() => {
    if (!session) return undefined
    const { config, profile } = session
    // Under which address a reader has the page does not matter to the node of the service that draws its document.
    const place = { origin: pageOrigin() || 'http://service' }
    const targets = nodeTargets(config, profile, added, place)
    return { targets, chosen: chooseNode(named, targets, agreed, config, place) }
  }, [session, added, agreed, named])
}

/** A chain for use in paths. */
type ChainOption = {
  id: string
  name: string
  blockchainId?: string
  chainId?: string
  subnetId?: string
}

/** Virtual machines without an EVM. */
const otherMachines = new Set([
  'jvYyfQTxGMJLuGWa55kdP2p2zSUYsQ5Raupu4TW34ZAUBAbtq',
  'rWhpuQPF1kb72esV2momhMuTYGkEb1oL29pt2EBXWmSy4kxnT',
])
const cMachine = 'mgj786NP7uDwBCcq6YwThhaN8FLyybkCa4zBWTQbNgmK6k9A6'
const maxOptions = 200

/**
 * The EVM chains of a node: those of the index if it is this profile's node, else those that its P-Chain created.
 * The C-Chain is always first.
 */
export function useChainOptions(target: NodeTarget): readonly ChainOption[] {
  const indexed = useQuery({ ...chainsQuery(), enabled: target.isOfProfile }).data
  const made = useQuery({ ...nodeBlockchainsQuery(target), enabled: !target.isOfProfile }).data
  return useMemo(() => {
    const cChain: ChainOption = { id: 'C', name: 'C-Chain' }
    if (target.isOfProfile) {
      const options = (indexed ?? []).map((chain): ChainOption => {
        const isC = chain.vmId === cMachine || /^4311[234]$/.test(chain.chainId)
        return {
          id: isC ? 'C' : (chain.platformChainId ?? chain.chainId),
          name: safeText(chain.chainName, 60),
          chainId: chain.chainId,
          ...(chain.platformChainId !== undefined && { blockchainId: chain.platformChainId }),
          ...(chain.subnetId !== undefined && { subnetId: chain.subnetId }),
        }
      })
      return options.some(({ id }) => id === 'C') ? options : [cChain, ...options]
    }
    const others = (made?.blockchains ?? []).filter((one) => !otherMachines.has(one.vmID))
    return [
      cChain,
      ...others
        .filter((one) => one.vmID !== cMachine)
        .slice(0, maxOptions)
        .map(({ id, name, subnetID }): ChainOption => ({
          id,
          name: safeText(name, 60) || shorten(id),
          blockchainId: id,
          subnetId: subnetID,
        })),
    ]
  }, [target.isOfProfile, indexed, made])
}

/** The chain of a path. */
export const chainOption = (options: readonly ChainOption[], id: string): ChainOption =>
  options.find((one) => one.id === id || one.blockchainId === id || one.chainId === id) ?? { id, name: id }
