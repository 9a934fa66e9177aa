// Writes contract/document/examples.json: an example of every parameter, body and answer of the API, from the sample.
//   RIDGELINE_SAMPLE_ARGS="--hours 72" npm start
//   node scripts/examples.mjs http://127.0.0.1:4400 .ridgeline
// It makes a fleet, a rule, a channel and a silence there, and deletes them.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { root } from './support/bootstrap.mjs'
import { exampleBodies, exampleValues } from './support/example-values.mjs'
import { until } from './support/until.mjs'

/** The most characters of a text in an example. */
const maxText = 140

const [base, home] = process.argv.slice(2)
if (base === undefined || home === undefined) {
  console.error('usage: node scripts/examples.mjs <URL of a service with the sample> <its home>')
  process.exit(2)
}
const token = readFileSync(join(home, 'token'), 'utf8').trim()
const { paths } = await (await fetch(`${base}/openapi.json`)).json()
// What the service serves besides its operations has its examples in the document.
const operations = Object.entries(paths)
  .filter(([path]) => /^\/(v[12]|embed)\//.test(path))
  .flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )

/** Sends a request, and reads an answer of success. */
async function ask(path, method = 'GET', body) {
  const response = await fetch(base + path, {
    method,
    headers: {
      'x-ridgeline-token': token,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} is a ${response.status}: ${text}`)
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
  return isJson && text ? JSON.parse(text) : text
}

/** An answer as an example: the first items of its lists, and the beginnings of long texts. */
function shorten(value, depth = 0) {
  if (typeof value === 'string') return value.slice(0, maxText)
  if (Array.isArray(value)) return value.slice(0, depth < 2 ? 1 : 2).map((item) => shorten(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  // The accounts of a genesis, by address.
  const isMap = entries.length > 2 && entries.every(([key]) => /^(0x)?[0-9a-f]{40,64}$/i.test(key))
  return Object.fromEntries(
    entries.slice(0, isMap ? 1 : undefined).map(([key, item]) => [key, shorten(item, depth + 1)]),
  )
}

const values = await exampleValues(ask)
const bodies = exampleBodies(values)
const examples = {}

/** The example of a parameter: of a list, what the query has. */
function exampleOf({ operationId }, { name, schema }) {
  const { enum: choices, items } = schema
  return (
    values[`${operationId}.${name}`] ?? values[name] ?? schema.default ?? choices?.[0] ?? items?.enum?.[0]
  )
}

/** Calls an operation with its examples, and keeps them and the answer. */
async function show(operation) {
  const { operationId, method, parameters, responses } = operation
  const given = Object.fromEntries(
    parameters.flatMap((parameter) => {
      const value = exampleOf(operation, parameter)
      return value === undefined ? [] : [[parameter.name, value]]
    }),
  )
  const needed = parameters.filter(
    ({ name, required }) => required || bodies.alsoSent[operationId]?.includes(name),
  )
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(given[name]))
  const query = new URLSearchParams(
    needed.filter((parameter) => parameter.in === 'query').map(({ name }) => [name, given[name]]),
  )
  const body = bodies[operationId]
  const [success] = Object.keys(responses)
  const isJson = responses[success].content?.['application/json'] !== undefined
  const example = { parameters: given, ...(body !== undefined && { body }) }
  examples[operationId] = example
  if (operationId === 'readContractViews') {
    // The sample has no ABI.
    example.answer = {
      blockNumber: String(values.endBlock),
      views: [
        { signature: 'symbol()', outputs: [{ name: '', type: 'string', value: 'USDS' }] },
        { signature: 'pausedUntil()', error: 'the call reverted: reverted without a reason' },
      ],
    }
  } else if (operationId === 'readContract') {
    example.answer = {
      blockNumber: String(values.endBlock),
      outputs: [{ name: '', type: 'uint256', value: values.balance }],
    }
  } else if (isJson || responses[success].content?.['text/event-stream'] !== undefined) {
    const answer = await ask(`${path}${query.size > 0 ? `?${query}` : ''}`, method, body)
    example.answer = shorten(answer)
    values.pageToken ??= answer.nextPageToken
    if (answer.nextPageToken !== undefined) given.pageToken = answer.nextPageToken
    return answer
  }
  return undefined
}

const byId = new Map(operations.map((operation) => [operation.operationId, operation]))
const showNamed = (id) => show(byId.get(id))

// What later operations are asked for, in the order in which it is made.
const { fleet } = await showNamed('createWatchFleet')
values.fleetId = fleet.fleetId
values.feedToken = fleet.feedPath.split('/').at(-2)
const channel = await showNamed('createWatchChannel')
values.channelId = channel.channelId
Object.assign(bodies, exampleBodies(values))
const rule = await showNamed('createWatchRule')
values.ruleId = rule.ruleId
const delivery = await until(
  'a message of the rule',
  async () => {
    const [found] = (await ask('/v1/watch/deliveries')).deliveries
    if (found) return found
    throw new Error(JSON.stringify((await ask(`/v1/watch/states?ruleId=${values.ruleId}`)).states))
  },
  { seconds: 120, everyMs: 2_000 },
)
const { deliveryId, alarmId } = delivery
Object.assign(values, { deliveryId, alarmId })
// Only a message that failed for good can be tried again: it is then one that waits, as this one.
examples.retryWatchDelivery = { parameters: { deliveryId }, answer: shorten(delivery) }
const silence = await showNamed('createWatchSilence')
values.silenceId = silence.silenceId
const imported = await showNamed('importWatchFleet')
await ask(`/v1/watch/fleets/${imported.fleet.fleetId}:delete`, 'POST')

const last = [
  'removeWatchMembers',
  'endWatchSilence',
  'deleteWatchRule',
  'deleteWatchChannel',
  'deleteWatchFleet',
]
const shown = new Set([...Object.keys(examples), ...last])
const failures = []
for (const operation of [
  ...operations.filter(({ operationId }) => !shown.has(operationId)),
  ...last.map((id) => byId.get(id)),
]) {
  try {
    await show(operation)
  } catch (error) {
    failures.push(`${operation.operationId}: ${error.message}`)
  }
}
const ordered = Object.fromEntries(
  operations.flatMap(({ operationId }) =>
    examples[operationId] ? [[operationId, examples[operationId]]] : [],
  ),
)
const file = join(root, 'contract/document/examples.json')
const options = { ...(await resolveConfig(file)), filepath: file }
// The sample's usual port.
const text = JSON.stringify(ordered).replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4401')
writeFileSync(file, await format(text, options))
console.log(`${operations.length - failures.length} of ${operations.length} operations`)
for (const failure of failures) console.error(failure)
process.exit(failures.length === 0 ? 0 : 1)
