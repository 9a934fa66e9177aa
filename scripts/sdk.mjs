// Runs every operation of the official SDK against a service and says which answers the SDK can't read.
//   npm install --prefix /tmp/sdk @avalanche-sdk/chainkit@0.3.13
//   node scripts/sdk.mjs /tmp/sdk http://127.0.0.1:4400
// The SDK is not a dependency of this package; docs/api.md explains what its run leaves.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { explanationOf } from './support/sdk-explained.mjs'
import { readCases } from './support/sdk-cases.mjs'

const [folder, base = 'http://127.0.0.1:4400'] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: node scripts/sdk.mjs <folder that the SDK is installed in> [URL of the service]')
  process.exit(2)
}
const home = join(resolve(folder), 'node_modules/@avalanche-sdk/chainkit')
const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
const load = (path) => import(pathToFileURL(join(home, 'dist/esm', path)).href)
// The SDK reports each call to a statistics service, so requests to other hosts are blocked.
const ask = globalThis.fetch
globalThis.fetch = (input, init) =>
  new URL(input instanceof Request ? input.url : input).origin === new URL(base).origin
    ? ask(input, init)
    : Promise.resolve(new Response())
const { AvalancheCore } = await load('core.js')
// The format of the hosted services, which the SDK is made for.
const serverURL = `${base}/hosted`
const client = new AvalancheCore({ serverURL, retryConfig: { strategy: 'none' } })

/** Maximum number of pages read of a list. */
const maxPages = 200

/** The SDK's functions, with the method and the path that each requests. */
const functions = readdirSync(join(home, 'dist/esm/funcs'))
  .filter((file) => file.endsWith('.js'))
  .map((file) => {
    const source = readFileSync(join(home, 'dist/esm/funcs', file), 'utf8')
    return {
      name: file.slice(0, -3),
      path: /pathToFunc\(\s*"(\/[^"]*)"/.exec(source)?.[1],
      method: /method: "([A-Z]+)"/.exec(source)?.[1],
    }
  })
  .filter(({ path }) => path !== undefined)

const { paths } = await (await fetch(`${base}/openapi.json`)).json()
const shapeOf = (path) => path.replaceAll(/\{\w+\}/g, '{}')
const offered = new Set(
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${shapeOf(path)}`),
  ),
)
const isOffered = ({ method, path }) => offered.has(`${method} ${shapeOf(path)}`)

/** Calls a function page by page. Returns the number of pages, or the problem in words. */
async function call(name, request) {
  const imported = (await load(`funcs/${name}.js`))[name]
  let result = await imported(client, request, { serverURL })
  for (let pages = 1; ; pages += 1) {
    if (!result.ok) return { pages, failure: describe(result.error) }
    if (typeof result.next !== 'function' || pages === maxPages) return { pages }
    const next = await result.next()
    if (next === null) return { pages }
    result = next
  }
}

/** The HTTP status and message of a refusal, or the fields of an answer that the SDK does not accept. */
function describe(error) {
  if (error.name === 'ResponseValidationError')
    return [...new Set(fieldsOf(error.cause.issues, error.rawValue))].toSorted()
  return [`${error.statusCode ?? error.name}: ${error.message}`.slice(0, 200)]
}

/**
 * The paths of issues without indexes. For a union, the intended member counts: the one whose literals match,
 * and of those the one with the fewest wrong fields.
 */
function fieldsOf(issues) {
  return issues.flatMap((issue) => {
    if (issue.code === 'invalid_union') {
      const members = issue.unionErrors.map(({ issues: own }) => ({
        fields: [...new Set(fieldsOf(own))],
        misfits: literalsIn(own),
      }))
      return (
        members.toSorted((a, b) => a.misfits - b.misfits || a.fields.length - b.fields.length)[0]?.fields ??
        []
      )
    }
    const path = issue.path.filter((part) => typeof part === 'string' && part !== 'Result').join('.')
    return [issue.code === 'invalid_enum_value' ? `${path} = ${issue.received}` : path]
  })
}

function literalsIn(issues) {
  return issues.filter(({ code }) => code === 'invalid_literal').length
}

const cases = await readCases(base)
let failures = 0
let explained = 0
let passed = 0
for (const { name } of functions.filter(isOffered)) {
  const own = cases.filter((each) => each.name === name)
  if (own.length === 0) {
    console.log(`no case   ${name}`)
    failures += 1
  }
  for (const { label, request } of own) {
    const { pages, failure } = await call(name, request)
    const reasons = failure?.map((field) => [field, explanationOf(field)]) ?? []
    if (failure === undefined) passed += 1
    else if (reasons.every(([, reason]) => reason !== undefined)) explained += 1
    else failures += 1
    const word =
      failure === undefined ? 'ok       ' : reasons.every(([, reason]) => reason) ? 'explained' : 'FAILED   '
    console.log(`${word} ${name} ${label} (${pages} ${pages === 1 ? 'page' : 'pages'})`)
    for (const [field, reason] of reasons) console.log(`          ${field}${reason ? `: ${reason}` : ''}`)
  }
}
const missing = functions.filter((each) => !isOffered(each))
console.log(
  `\nSDK ${version}: ${functions.length} operations, ${functions.length - missing.length} that this service has.`,
)
console.log(`Not offered: ${missing.map(({ method, path }) => `${method} ${path}`).join(', ')}`)
console.log(`${passed} calls passed, ${explained} left fields that docs/api.md explains, ${failures} failed.`)
process.exit(failures === 0 ? 0 : 1)
