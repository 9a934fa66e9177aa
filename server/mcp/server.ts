import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { listSqlTables } from '../../contract/sql/sql.ts'
import { metricEntry, metricNames } from '../../contract/metrics/catalogue.ts'
import { networkMetricEntry, networkMetricNames } from '../../contract/metrics/network-catalogue.ts'
import { RefusedError, type Ask } from './tools/ask.ts'
import { createContext } from './tools/tool.ts'
import { tools } from './tools/all.ts'

const instructions = `Ridgeline is an explorer of P-, X-, C- and EVM chains. Start with find or list_chains. Times are in UTC; timestamps are Unix seconds. Amounts are in whole tokens unless a field says otherwise. Answers have links into the dashboard: give them to people. Nothing here changes anything.`

type Options = {
  readonly ask: Ask
  /** The origin of the dashboard, which links lead to. */
  readonly origin: string
  readonly version: string
  /** Where a failure is logged that is a defect. */
  readonly onDefect: (error: unknown, tool: string) => void
}

/** A server of the Model Context Protocol with all tools and resources, not yet connected to a transport. */
export function createMcpServer({ ask, origin, version, onDefect }: Options): McpServer {
  const server = new McpServer(
    { name: 'ridgeline', title: 'Ridgeline', version, websiteUrl: origin },
    { instructions, capabilities: { tools: {}, resources: {} } },
  )
  const context = createContext(ask, origin)
  for (const { name, title, description, input, output, run } of tools) {
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: input,
        outputSchema: output,
        annotations: {
          title,
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      async (given) => {
        try {
          // The SDK has parsed it with the schema of this tool.
          const { text, data } = await run(given as never, context)
          return {
            content: [{ type: 'text', text: text.join('\n') }],
            structuredContent: data as Record<string, unknown>,
          }
        } catch (error) {
          const isRefused = error instanceof RefusedError
          if (!isRefused) onDefect(error, name)
          const text = isRefused ? error.message : 'the service failed; its log has the reason'
          return { content: [{ type: 'text', text }], isError: true }
        }
      },
    )
  }
  addResources(server, ask)
  return server
}

function addResources(server: McpServer, ask: Ask): void {
  server.registerResource(
    'glossary',
    'ridgeline://glossary',
    { title: 'Glossary', description: 'What the words of answers and pages mean', mimeType: 'text/markdown' },
    async ({ href: uri }) => ({
      contents: [{ uri, mimeType: 'text/markdown', text: await readFile(glossaryFile(), 'utf8') }],
    }),
  )
  server.registerResource(
    'metrics',
    'ridgeline://metrics',
    { title: 'Metrics', description: 'What every metric counts, and its unit', mimeType: 'text/markdown' },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: 'text/markdown', text: metricsText() }] }),
  )
  server.registerResource(
    'sql-tables',
    'ridgeline://sql/tables',
    {
      title: 'Tables for SQL',
      description: 'The tables and columns of the tool sql, as JSON',
      mimeType: 'application/json',
    },
    async ({ href: uri }) => {
      const { tables } = await ask.operation(listSqlTables, {})
      return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(tables) }] }
    },
  )
}

/** Where the glossary is: beside the built programs, or beside the chunks that they share; in a clone. */
const glossaryPlaces = ['./docs/glossary.md', '../docs/glossary.md', '../../docs/glossary.md']

function glossaryFile(): string {
  const paths = glossaryPlaces.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const path = paths.find((each) => existsSync(each))
  if (path === undefined) throw new Error('the glossary is missing from this installation')
  return path
}

const metricsText = (): string =>
  [
    '# Metrics of EVM chains',
    ...metricNames.map((name) => line(name, metricEntry(name))),
    '',
    '# Metrics of a network',
    ...networkMetricNames.map((name) => line(name, networkMetricEntry(name))),
  ].join('\n')

const line = (name: string, { title, unit, about }: { title: string; unit: string; about: string }): string =>
  `- \`${name}\`: ${title} (${unit}). ${about}`
