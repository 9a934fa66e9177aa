import type { Exchange } from '../../../api/node/node-client.ts'
import type { Call, Wish } from '../../../api/node/node-request.ts'

/** The last answer of a node, with what was asked. */
export type Answer = { exchange: Exchange; path: string; batch: readonly Call[] | undefined }

/** What the console holds for a node while the page is open, so that a look at another tab loses nothing. */
type RpcSession = {
  readonly text: string
  readonly isBatch: boolean
  readonly endpoint: Wish['endpoint']
  readonly answer: Answer | undefined
}

/** By the node's id; gone when the document is. Answers may hold secrets, so nothing is stored. */
export const rpcSessions = new Map<string, RpcSession>()
