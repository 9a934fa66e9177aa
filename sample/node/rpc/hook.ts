import type { ServerResponse } from 'node:http'
import type { Ledger } from '../../primary/ledger.ts'
import type { RpcAnswer, RpcRequest } from './jsonrpc.ts'

/** What a test does to one HTTP call and its answer. */
export type Interference = {
  /** Answers instead of the node. */
  readonly refuse?: (response: ServerResponse) => void
  /** Changes a call before the node reads it, or answers it. */
  readonly before?: (request: RpcRequest) => RpcRequest | RpcAnswer
  /** Changes the node's answer to a call. */
  readonly after?: (request: RpcRequest, answer: RpcAnswer) => RpcAnswer
  /** Changes a batch answer as a whole. */
  readonly batch?: (answers: readonly RpcAnswer[]) => readonly RpcAnswer[]
  /** Sends the body itself. */
  readonly deliver?: (body: Buffer, response: ServerResponse) => void
}

/** Lets tests make the node misbehave. Undefined outside tests; every answer then passes unchanged. */
export type NodeHook = {
  /** Called once for every HTTP call or websocket message, with all the calls in it. */
  begin(
    chain: string,
    requests: readonly RpcRequest[],
    transport: 'http' | 'ws',
  ): Promise<Interference | undefined>
  /** The ledger as the endpoints of the primary network show it. */
  shownLedger(ledger: Ledger): Ledger
  /** `silent`: the websocket is accepted and nothing is ever sent. `closed`: it is not accepted. */
  socketFault(chain: string): 'silent' | 'closed' | undefined
  /** Whether this message of a subscription is passed on. */
  mayPush(chain: string, message: Buffer): boolean
}

export function isAnswer(value: RpcRequest | RpcAnswer): value is RpcAnswer {
  return !('method' in value)
}
