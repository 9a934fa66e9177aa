import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { localTokenHeader } from '../../contract/base/local-token.ts'
import { keyHeader } from '../http/identity.ts'
import { packageVersion } from '../kernel/package-version.ts'
import { problemOf, SettingsError } from '../kernel/settings/config.ts'
import { whyUnreadable } from '../kernel/unreadable.ts'
import { Ask, RefusedError, type Send } from './tools/ask.ts'
import { createMcpServer } from './server.ts'
import { within } from '../kernel/within.ts'

const help = `ridgeline mcp [--service URL] [--key KEY] [--token-file FILE]

Lets an assistant ask a Ridgeline service: speaks the Model Context Protocol on standard input and output. It changes
nothing. Exit code 0 when the assistant ends it, 2 for a flag that can't be used.

  --service URL      the service, or RIDGELINE_URL; by default http://127.0.0.1:4400
  --key KEY          an API key of it, or RIDGELINE_KEY
  --token-file FILE  the file of its local token, or RIDGELINE_TOKEN_FILE, for what only the operator may ask
`

/** Milliseconds after which a request to the service is given up. */
const timeoutMs = 60_000

type Settings = {
  readonly service: string
  readonly key: string | undefined
  readonly token: string | undefined
}

/** The settings of the flags, or of the environment; undefined if only help is wanted. */
function readSettings(): Settings | undefined {
  const { env } = process
  const { service, key, 'token-file': tokenFile, help: isHelp } = readFlags()
  if (isHelp) return undefined
  const url = service ?? env['RIDGELINE_URL'] ?? 'http://127.0.0.1:4400'
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new SettingsError([`--service: got "${url}"; allowed: a URL that starts with http:// or https://`])
  const file = tokenFile ?? env['RIDGELINE_TOKEN_FILE']
  return {
    service: url.replace(/\/$/, ''),
    key: key ?? env['RIDGELINE_KEY'],
    token: file === undefined ? undefined : readToken(file),
  }
}

function readFlags() {
  try {
    return parseArgs({
      options: {
        service: { type: 'string' },
        key: { type: 'string' },
        'token-file': { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new SettingsError([`${problemOf(error)}; allowed: --service, --key, --token-file, --help`])
  }
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new SettingsError([`--token-file: ${file}: ${whyUnreadable(error)}; allowed: a readable file`])
  }
}

/** Sends requests to a service by HTTP. */
function sendTo({ service, key, token }: Settings): Send {
  return ({ method, path, body }) =>
    within(timeoutMs, async (signal) => {
      const response = await fetch(`${service}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          ...(key !== undefined && { [keyHeader]: key }),
          ...(token !== undefined && { [localTokenHeader]: token }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body }),
        signal,
      }).catch((error: unknown) => {
        throw new RefusedError(503, `Can't reach the service at ${service}: ${problemOf(error)}`)
      })
      return { status: response.status, body: await response.text() }
    })
}

/** The program behind `ridgeline mcp`; see docs/assistants.md. Standard output belongs to the protocol. */
async function main(): Promise<void> {
  const settings = readSettings()
  if (settings === undefined) {
    process.stdout.write(help)
    return
  }
  const server = createMcpServer({
    ask: new Ask(sendTo(settings)),
    origin: settings.service,
    version: packageVersion(),
    onDefect: (error, tool) => process.stderr.write(`${tool} failed: ${problemOf(error)}\n`),
  })
  await server.connect(new StdioServerTransport())
}

try {
  await main()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
