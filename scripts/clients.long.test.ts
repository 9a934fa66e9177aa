import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { exampleParameter } from '../contract/document/examples.ts'
import { servicePaths } from '../contract/document/service-paths.ts'
import { operations } from '../contract/operations.ts'
import { temporaryFolder } from '../e2e/support/launcher.ts'

/** What others make of `/openapi.json`: typed clients, and requests with its examples. */

const run = promisify(execFile)
const folder = temporaryFolder()
const { url, token } = inject('stack')
afterAll(() => folder.remove())

describe('generated clients compile under strict, and list blocks, validators and a metric', () => {
  const place = join(folder.path, 'generators')
  const node = (...args: string[]) => run(process.execPath, args, { cwd: place, maxBuffer: 1 << 26 })

  beforeAll(async () => {
    cpSync(join(import.meta.dirname, 'generators'), place, { recursive: true })
    await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: place,
    })
    writeFileSync(join(place, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text())
    mkdirSync(join(place, 'generated'))
    await node(
      'node_modules/openapi-typescript/bin/cli.js',
      'openapi.json',
      '-o',
      'generated/openapi-typescript.d.ts',
    )
    const target = ['-i', 'openapi.json', '-o', 'generated/hey-api', '-c', '@hey-api/client-fetch']
    await node('node_modules/@hey-api/openapi-ts/bin/run.js', ...target)
    const env = { ...process.env, SERVICE_URL: url }
    await run(process.execPath, ['node_modules/orval/dist/bin/orval.mjs'], { cwd: place, env })
    await node('node_modules/typescript/bin/tsc', '-p', '.').catch((error: { stdout?: string }) => {
      throw new Error(error.stdout ?? 'tsc failed')
    })
  })

  const programs = readdirSync(join(import.meta.dirname, 'generators')).filter((name) => name.endsWith('.ts'))
  test.each(programs)('%s', async (program) => {
    const { stdout } = await node(join('compiled', program.replace(/\.ts$/, '.js')), url)
    expect(JSON.parse(stdout)).toEqual({
      blockNumber: expect.stringMatching(/^\d+$/),
      nodeId: expect.stringMatching(/^NodeID-/),
      value: expect.any(Number),
    })
  })
})

type Documented = {
  readonly get?: { readonly responses: { readonly 200: { readonly content: object } } }
  readonly post?: {
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly example: object } } }
  }
}

test.each(Object.entries(servicePaths as Readonly<Record<string, Documented>>))(
  '%s answers as its document says',
  async (path, { get, post }) => {
    const stop = new AbortController()
    const answer = await fetch(`${url}${path.replace('{chain}', 'C')}`, {
      signal: stop.signal,
      headers: { 'content-type': 'application/json', 'x-ridgeline-token': token },
      ...(post && {
        method: 'POST',
        body: JSON.stringify(post.requestBody.content['application/json'].example),
      }),
    })
    expect(answer.status).toBe(200)
    const [type = 'application/json'] = Object.keys(get?.responses[200].content ?? {})
    expect(answer.headers.get('content-type')?.split(';', 1)[0]).toBe(type)
    if (post) expect(await answer.json()).toHaveProperty('result')
    stop.abort()
  },
)

/**
 * Parameters whose examples another sample does not have: transactions, whose hashes depend on the hour at which the
 * sample began, what follows from them, and what an operator makes.
 */
const passing = /^(txHash|validationId|fleetId|ruleId|channelId|silenceId|deliveryId|feedToken)$/

/** A day that this sample has, too: the examples are of the day at which they were taken. */
const aDay = Math.floor((Date.now() / 1000 - 3_600) / 86_400) * 86_400

const tried = operations.filter(
  ({ method, params }) => method === 'GET' && !Object.keys(params.shape).some((name) => passing.test(name)),
)

test.each(tried.map((operation) => ({ id: operation.id, operation })))(
  '$id answers to its examples on another sample',
  async ({ id, operation }) => {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(exampleParameter(id, name))),
    )
    const query = new URLSearchParams()
    for (const [name, schema] of Object.entries(operation.query.shape))
      if (!schema.safeParse(undefined).success || name === 'nodeIds')
        query.set(name, String(name === 'timestamp' ? aDay : exampleParameter(id, name)))
    const answer = await fetch(`${url}${path}?${query}`, { headers: { 'x-ridgeline-token': token } })
    expect(answer.status, `${path}: ${(await answer.text()).slice(0, 500)}`).toBe(200)
  },
)
