import { answerOf, failures } from './responses.ts'
import type { serviceRecords } from './service-records.ts'
import { ofEveryAnswer, type FailureStatus, type HeaderName } from './statuses.ts'

type Json = Record<string, unknown>

export const serviceTags = [
  { name: 'Service', description: 'Live updates; what browsers and monitors read' },
  {
    name: 'Node gateway',
    description: 'JSON-RPC of the nodes behind the service (docs/gateway.md)',
  },
]

const record = (name: keyof typeof serviceRecords): Json => ({ $ref: `#/components/schemas/${name}` })

/** Headers of what is not limited. */
const unlimited: readonly HeaderName[] = ['x-request-id']

function read(
  operationId: string,
  summary: string,
  answer: Json,
  statuses: readonly FailureStatus[] = [],
): Json {
  const responses = { 200: answer, ...failures(statuses) }
  return { get: { operationId, summary, tags: ['Service'], parameters: [], responses } }
}

const chainParameter: Json = {
  name: 'chain',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'C, a blockchain ID, an EVM chain ID, or an alias of the node',
  example: 'C',
}

/** A path that takes calls of a node. */
function calls(
  operationId: string,
  summary: string,
  method: string,
  params: unknown,
  inPath: Json[] = [],
): Json {
  const example = { jsonrpc: '2.0', id: 1, method, params }
  const answer = { schema: record('JsonRpcAnswer') }
  return {
    post: {
      operationId,
      summary,
      tags: ['Node gateway'],
      parameters: inPath,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: record('JsonRpcRequest'), example } },
      },
      responses: {
        200: answerOf('application/json', answer, ofEveryAnswer),
        ...Object.fromEntries(
          Object.entries(gatewayFailures).map(([status, description]) => [
            status,
            { description, content: { 'application/json': answer } },
          ]),
        ),
      },
    },
  }
}

/** When a call is answered with another status than 200 (docs/gateway.md, Errors). */
const gatewayFailures: Readonly<Record<number, string>> = {
  400: 'Too many calls in a batch',
  401: 'An unknown key, or no local token',
  403: 'From elsewhere than the operator, or without the privilege',
  404: 'No such endpoint',
  413: 'A body that is too large',
  415: 'A body that is not JSON',
  429: 'More calls than allowed',
  502: 'The node does not answer, or not with JSON',
  503: 'Too many calls or sockets at once',
  504: 'The node has not answered in time',
}

/** What the service serves besides the operations. */
export const servicePaths: Readonly<Record<string, Json>> = {
  '/events': read(
    'getEvents',
    'Live updates as server-sent events: head, reorg, primaryHead, progress, heartbeat',
    answerOf(
      'text/event-stream',
      { schema: { type: 'string' }, example: 'event: heartbeat\ndata: {"time":1795957200}\n\n' },
      ofEveryAnswer,
    ),
    [401, 403, 429, 503],
  ),
  '/health': read(
    'getHealth',
    'Whether the process is alive',
    answerOf('application/json', { schema: record('Health'), example: { status: 'ok' } }, unlimited),
  ),
  '/ready': read(
    'getReadiness',
    'Whether every chain is within its limits; 503 with the reasons',
    answerOf('application/json', { schema: record('Health'), example: { status: 'ready' } }, unlimited),
    [503],
  ),
  '/config.json': read(
    'getConfig',
    'What the dashboard needs to know of the service',
    answerOf('application/json', { schema: record('DashboardConfig') }, unlimited),
  ),
  '/ext/bc/{chain}/rpc': calls('callChain', 'Call an EVM chain', 'eth_blockNumber', [], [chainParameter]),
  '/ext/bc/P': calls('callPChain', 'Call the P-Chain', 'platform.getHeight', {}),
  '/ext/bc/X': calls('callXChain', 'Call the X-Chain', 'avm.getHeight', {}),
  '/ext/bc/C/svc': calls('callAtomic', 'Call the atomic transactions of the C-Chain', 'svc.getUTXOs', {
    addresses: ['C-fuji160hpvlktdck7pmn5t7zmc6xm2h6lrs6pyp22zh'],
    sourceChain: 'X',
  }),
  '/ext/info': calls('callInfo', 'Call the node for what it knows of itself', 'info.getNodeVersion', {}),
  '/ext/health': calls('callHealth', 'Call the node for its health', 'health.health', {}),
  '/ext/admin': calls('callAdmin', 'Administrate the node', 'admin.getLoggerLevel', {}),
}
