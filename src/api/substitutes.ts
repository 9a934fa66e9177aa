import type { Operation } from '../../contract/base/operation.ts'
import { hasOperation, type Profile } from '../../contract/profile.ts'
import type { Request } from './client.ts'

/** Answers an operation from what else a deployment has. */
export type Substitute = (request: Request<Operation>, profile: Profile) => Promise<unknown>

const node = 'a node'

/**
 * Operations that have a substitute, and what it is made from: another operation, or the node of the profile. Pages need
 * not know that a deployment lacks them.
 */
const substitutes: Readonly<Record<string, string>> = {
  listChains: 'listBlockchains',
  getChain: 'listBlockchains',
  getBlockchain: 'listBlockchains',
  getPrimaryTransaction: 'listPrimaryTransactions',
  getVertex: 'listVertices',
  getNativeBalance: 'listErc20Balances',
  listCollectibleBalances: 'listErc1155Balances',
  getBlock: node,
  getTransaction: node,
}

/** Whether a deployment that lacks an operation has what a substitute is made from. */
function hasSubstitute(profile: Profile, operationId: string): boolean {
  const from = substitutes[operationId]
  if (from === node) return Boolean(profile.nodeUrl)
  return from !== undefined && hasOperation(profile, from)
}

/** Whether pages of a profile have an operation: from its service, or from what else it has. */
export const canAnswer = (profile: Profile, operationId: string): boolean =>
  hasOperation(profile, operationId) || hasSubstitute(profile, operationId)

/** Answers an operation that a deployment lacks; undefined if it has nothing for it. */
export async function substituteOf(profile: Profile, operationId: string): Promise<Substitute | undefined> {
  if (!hasSubstitute(profile, operationId)) return undefined
  const all: Readonly<Record<string, Substitute>> =
    substitutes[operationId] === node
      ? (await import('./from-node.ts')).fromNode
      : (await import('./from-lists.ts')).fromLists
  return all[operationId]
}
