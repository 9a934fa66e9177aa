import type { FastifyInstance } from 'fastify'
import type { Operation } from '../../contract/base/operation.ts'
import { openApiDocument } from '../../contract/document/openapi.ts'

/** `/llms.txt`: what assistants and crawlers should know of the service (https://llmstxt.org). */
const llmsText = `# Ridgeline

> A self-hosted explorer and analytics service for a network of P-, X-, C- and EVM chains: blocks, transactions, addresses,
> tokens, validators, L1s, cross-chain messages and metrics, now and at any past block.

Ask with tools rather than by reading pages, which are drawn by scripts. All data is open to read without an account, unless
the operator asks for an API key (header x-service-api-key). Times are in UTC; timestamps are Unix seconds; amounts are
decimal strings in the smallest unit of a token.

## Tools and APIs

- [MCP](/mcp): the Model Context Protocol over streamable HTTP, read-only: find, explain a transaction, balances at a date,
  validators, L1s, metrics, SQL
- [OpenAPI](/openapi.json): every operation, its parameters and records
- [API documentation](/docs): the same for people
- [Chains](/v1/chains): the EVM chains of this service and their IDs
- [Search](/v1/search?query=): the meanings of a height, hash, address, name or ID
- [State](/v1/status): how far every chain is indexed
- [SQL tables](/v1/sql/tables): the tables of POST /v1/sql, for who may use it
`

/** `/openapi.json`, which the page `/docs` shows, and `/llms.txt`. */
export function serveDocuments(
  app: FastifyInstance,
  operations: readonly Operation[],
  version: string,
): void {
  // Made when it is first asked for: it takes a second.
  let document: string | undefined
  app.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(operations, version))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/llms.txt', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(llmsText),
  )
}
