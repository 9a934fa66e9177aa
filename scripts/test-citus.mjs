// npm run test:citus: the service on a Citus cluster beside one on plain PostgreSQL, with the short sample network; see
// docs/citus.md. Needs a PostgreSQL with Citus (CITUS_BIN) or its source (CITUS_SOURCE); takes a few minutes.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ensureBuilt, ensureInstalled, fail, root, say } from './support/bootstrap.mjs'
import { findCitus, freePort, joinCluster, startServer } from './support/citus.mjs'
import { comparable, listRequests, ofTheService } from './support/compare.mjs'
import { writeConfig } from './support/sample.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'ridgeline-citus-'))
chmodSync(scratch, 0o755)
const found = findCitus(scratch)
if (found.missing !== undefined) {
  rmSync(scratch, { recursive: true, force: true })
  say(`tests on Citus are skipped: ${found.missing}`)
  process.exit(0)
}
ensureInstalled()
await ensureBuilt()

const children = []
const servers = []
process.on('exit', (code) => {
  for (const child of children) child.kill('SIGKILL')
  for (const server of servers) server.kill()
  if (code === 0) rmSync(scratch, { recursive: true, force: true })
  else console.error(`the logs are in ${scratch}`)
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

let passed = 0
/** Ends the run with the first expectation that does not hold. */
function expect(what, holds, found) {
  if (!holds) fail(`not ${what}: ${typeof found === 'string' ? found : JSON.stringify(found)}`)
  passed += 1
  say(`ok: ${what}`)
}

async function until(what, probe, seconds = 120) {
  const deadline = Date.now() + seconds * 1000
  for (let last; ; await delay(100)) {
    try {
      last = await probe()
      if (last === true) return
    } catch (error) {
      last = String(error)
    }
    if (Date.now() > deadline) expect(`${what} within ${seconds} s`, false, last)
  }
}

/** Starts one of the built programs; resolves with its process once it sends `ready`. */
async function start(program, args, env, ready) {
  const child = fork(join(root, `dist/node/${program}.js`), args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  children.push(child)
  child.output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (child.output += part))
  const message = await new Promise((resolve, reject) => {
    child.on('message', (each) => {
      if (each.type === ready) resolve(each)
      if (each.type === 'failed') reject(new Error(each.message))
    })
    child.once('exit', (code) => reject(new Error(`${program} ended with ${code}: ${child.output.slice(-2000)}`)))
  })
  return { child, message }
}

async function end({ child }) {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** A program that ends by itself: its output, and its exit code. */
function run(program, args, env) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, `dist/node/${program}.js`), ...args], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  })
  return { output: stdout + stderr, status }
}

const samplePort = await freePort()
const startSample = (live) =>
  start(
    'sample',
    ['--hours', '6', '--live', live, '--port', String(samplePort), '--home', join(scratch, 'sample')],
    {},
    'listening',
  )

async function startService(name, server, config) {
  const home = join(scratch, name)
  mkdirSync(home, { recursive: true })
  const port = await freePort()
  const env = { DATABASE_URL: server.url, RIDGELINE_HOME: home, PORT: String(port), RIDGELINE_CONFIG: config }
  const service = await start('server', [], env, 'listening')
  const base = `http://127.0.0.1:${port}`
  const get = async (path) => {
    const answer = await fetch(base + path)
    return { status: answer.status, retry: answer.headers.get('retry-after'), text: await answer.text() }
  }
  const json = async (path) => JSON.parse((await get(path)).text)
  const isReady = async () => {
    const { status, text } = await get('/ready')
    return status === 200 || text
  }
  return { ...service, base, get, json, isReady }
}

/** The messages of errors in a server's log from an offset on. */
const errorsOf = (server, from = 0) =>
  server
    .log()
    .slice(from)
    .split('\n')
    .filter((line) => /\s(?:ERROR|FATAL|PANIC):/.test(line))

const began = Date.now()
for (const name of ['plain', 'coordinator', 'worker-1', 'worker-2'])
  servers.push(await startServer({ bin: found.bin, folder: scratch, name, citus: name !== 'plain' }))
const [plain, coordinator, ...workers] = servers
joinCluster(coordinator, workers)
say(`${coordinator.query('show server_version')}, Citus ${coordinator.query(`select extversion from pg_extension where extname = 'citus'`)}`)

let sample = await startSample('off')
const config = writeConfig(join(scratch, 'sample'), sample.message)
const whole = JSON.parse(readFileSync(config, 'utf8'))
const chains = whole.chains.map(({ evmChainId }) => String(evmChainId))
/** The configuration without its last chain. */
const fewer = join(scratch, 'fewer.json')
writeFileSync(fewer, JSON.stringify({ ...whole, chains: whole.chains.slice(0, -1) }))


// A store with rows is distributed; the last chain comes when it already is.
let service = await startService('citus', coordinator, fewer)
await until('the first chains are indexed', service.isReady)
const busy = run('database', ['distribute'], { DATABASE_URL: coordinator.url })
expect('no distribution under a running service', busy.status === 1 && busy.output.includes('stop every process'), busy)
await end(service)
const distributed = run('database', ['distribute'], { DATABASE_URL: coordinator.url })
expect('the store is distributed', distributed.status === 0, distributed)
const again = run('database', ['distribute'], { DATABASE_URL: coordinator.url })
expect('a second distribution changes nothing', again.status === 0 && again.output.includes('already') && !again.output.includes('in a shard of its own'), again)
console.log(distributed.output)
service = await startService('citus', coordinator, config)
const other = await startService('plain', plain, config)
for (const { isReady } of [service, other]) await until('all chains are indexed', isReady)

const places = Object.fromEntries(
  chains.map((chain) => [
    chain,
    coordinator.query(`
      select nodeport || ' ' || (shardminvalue = shardmaxvalue)
      from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
      where shardid = get_shard_id_for_distribution_column('blocks', ${chain}::bigint)`),
  ]),
)
expect('each chain in a shard of its own', Object.values(places).every((place) => place.endsWith(' true')), places)
expect('chains on both workers', new Set(Object.values(places)).size === 2, places)

const verify = (server) => run('verify', ['--config', config], { DATABASE_URL: server.url, RIDGELINE_HOME: join(scratch, 'verify') })
for (const server of [coordinator, plain]) {
  const verified = verify(server)
  expect(`verify on ${server.name} finds nothing`, verified.status === 0, verified.output.slice(-2000))
}

// What workers read in the background must have settled on both sides.
const settled = (server) =>
  server.query(`select (select count(*) from token_facts where asked_ts = 0) + (select count(*) from nft_metadata where status = 'UNINDEXED')`)
for (const server of [coordinator, plain])
  await until(`metadata on ${server.name}`, () => settled(server) === '0' || settled(server))

const names = ['dollar', 'sample', 'tokn', '12', 'c-chain', 'P-fuji1']
const { requests, operations, missed } = await listRequests(
  other.base,
  ['/v1/chains', ...names.map((name) => `/v1/search?query=${name}`)],
)
const differences = []
let compared = 0
for (const path of requests) {
  const [one, two] = [await service.get(path), await other.get(path)]
  const body = ({ text }) => {
    try {
      return comparable(JSON.parse(text))
    } catch {
      return text
    }
  }
  if (one.status !== two.status) differences.push(`${path}: ${one.status} ${one.text.slice(0, 200)} and ${two.status} ${two.text.slice(0, 100)}`)
  else if (!ofTheService.some((pattern) => pattern.test(path)) && two.status === 200) {
    compared += 1
    if (body(one) !== body(two)) differences.push(`${path}:\n  ${body(one).slice(0, 600)}\n  ${body(two).slice(0, 600)}`)
  }
}
say(`${requests.length} requests of ${operations - missed.length} of ${operations} operations; ${compared} bodies; not reached: ${missed.join(' ')}`)
if (process.env.CITUS_KEEP) console.log(differences.join('\n'))
expect('the same answers as plain PostgreSQL', differences.length === 0, differences.join('\n'))
const logged = servers.flatMap((server) => errorsOf(server).map((line) => `${server.name}: ${line}`))
expect('no error in a log', logged.length === 0, logged)

console.log(`${passed} passed in ${Math.round((Date.now() - began) / 1000)} s`)
process.exit(0)
