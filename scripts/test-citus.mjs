// npm run test:citus: the service on a Citus cluster beside one on plain PostgreSQL, with the short sample network; see
// docs/citus.md. Needs a PostgreSQL with Citus (CITUS_BIN) or its source (CITUS_SOURCE); takes a few minutes.
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, fail, root, say } from './support/bootstrap.mjs'
import { until } from './support/until.mjs'
import { cutOff, findCitus, freePort, joinCluster, startServer } from './support/citus.mjs'
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
  // The sample network and the service end what they have started.
  for (const child of children) child.kill('SIGTERM')
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

/** Expects that the probe returns true in the end; anything else that it returns is what was found instead. */
async function eventually(what, probe) {
  await until(
    what,
    async () => {
      const found = await probe()
      if (found === true) return true
      throw new Error(typeof found === 'string' ? found : JSON.stringify(found))
    },
    { seconds: 120 },
  )
  expect(what, true)
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
    child.once('exit', (code) =>
      reject(new Error(`${program} ended with ${code}: ${child.output.slice(-2000)}`)),
    )
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
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(root, `dist/node/${program}.js`), ...args],
    {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    },
  )
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
  const ask = async (sql) => {
    const answer = await fetch(`${base}/v1/sql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-ridgeline-token': readFileSync(join(home, 'token'), 'utf8').trim(),
      },
      body: JSON.stringify({ sql }),
    })
    return answer.json()
  }
  const json = async (path) => JSON.parse((await get(path)).text)
  const isReady = async () => {
    const { status, text } = await get('/ready')
    return status === 200 || text
  }
  return { ...service, base, get, ask, json, isReady }
}

/** The port of the worker that holds a chain, and whether the chain has a shard of its own. */
function placeOf(chain) {
  return coordinator.query(`
    select nodeport || ' ' || (shardminvalue = shardmaxvalue)
    from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('blocks', ${chain}::bigint)`)
}

/** The messages of errors in a server's log from an offset on. */
const errorsOf = (server, from = 0) =>
  server
    .log()
    .slice(from)
    .split('\n')
    .filter((line) => /\s(?:ERROR|FATAL|PANIC):/.test(line))
    // The answer to who asks whether the server has started.
    .filter((line) => !line.endsWith('the database system is starting up'))
    // The distributions that the test kills.
    .filter((line) => !line.endsWith('connection to client lost'))

const began = Date.now()
for (const name of ['plain', 'coordinator', 'worker-1', 'worker-2'])
  servers.push(await startServer({ bin: found.bin, folder: scratch, name, citus: name !== 'plain' }))
const [plain, coordinator, ...workers] = servers
joinCluster(coordinator, workers)
say(
  `${coordinator.query('show server_version')}, Citus ${coordinator.query(`select extversion from pg_extension where extname = 'citus'`)}`,
)

let sample = await startSample('off')
const config = writeConfig(join(scratch, 'sample'), sample.message)
const whole = JSON.parse(readFileSync(config, 'utf8'))
const chains = whole.chains.map(({ evmChainId }) => String(evmChainId))
/** The configuration without its last chain. */
const fewer = join(scratch, 'fewer.json')
writeFileSync(fewer, JSON.stringify({ ...whole, chains: whole.chains.slice(0, -1) }))

// A store with rows is distributed; the last chain comes when it already is.
let service = await startService('citus', coordinator, fewer)
await eventually('the first chains are indexed', service.isReady)
const busy = run('database', ['distribute'], { DATABASE_URL: coordinator.url })
expect(
  'no distribution under a running service',
  busy.status === 1 && busy.output.includes('stop every process'),
  busy,
)
await end(service)
await killedDistribution()
const distributed = run('database', ['distribute'], { DATABASE_URL: coordinator.url })
expect('the store is distributed', distributed.status === 0, distributed)
const again = run('database', ['distribute'], { DATABASE_URL: coordinator.url })
expect(
  'a second distribution changes nothing',
  again.status === 0 && again.output.includes('already') && !again.output.includes('in a shard of its own'),
  again,
)
console.log(distributed.output)

// An upgrade to a made-up later version: what a migration creates for chains is distributed.
coordinator.query(`drop table sync_progress`)
const upgraded = spawnSync(process.execPath, ['--import', 'tsx', 'server/testing/later-version.ts'], {
  cwd: root,
  env: { ...process.env, DATABASE_URL: coordinator.url },
  encoding: 'utf8',
})
coordinator.query(`delete from migrations where name = '9999-later'`)
const kind = coordinator.query(
  `select partmethod from pg_dist_partition where logicalrelid = 'sync_progress'::regclass`,
)
expect('an upgrade distributes new tables of chains', upgraded.status === 0 && kind === 'h', upgraded)
// Rows of another chain, so that one worker has more data than the other.
const portOf = (chain) => Number(placeOf(chain).split(' ')[0])
coordinator.query(`
  insert into seen (chain, role, address, hour_ts, first_block)
  select 999, 0, sha256(int8send(n)), 0, 0 from generate_series(1, 50000) n`)
service = await startService('citus', coordinator, config)
const other = await startService('plain', plain, config)
for (const { isReady } of [service, other]) await eventually('all chains are indexed', isReady)

const places = Object.fromEntries(chains.map((chain) => [chain, placeOf(chain)]))
expect(
  'each chain in a shard of its own',
  Object.values(places).every((place) => place.endsWith(' true')),
  places,
)
expect('chains on both workers', new Set(Object.values(places)).size === 2, places)
expect('a new chain on the worker with less data', portOf(chains.at(-1)) !== portOf('999'), places)
coordinator.query('delete from seen where chain = 999')

const verify = (server) =>
  run('verify', ['--config', config], { DATABASE_URL: server.url, RIDGELINE_HOME: join(scratch, 'verify') })
for (const server of [coordinator, plain]) {
  const verified = verify(server)
  expect(`verify on ${server.name} finds nothing`, verified.status === 0, verified.output.slice(-2000))
}

// Both services read the metadata of tokens and NFTs in the background.
const unread = (server) =>
  server.query(`select (select count(*) from token_facts where asked_ts = 0)
    + (select count(*) from nft_metadata where due_ts is not null and attempts = 0 and status = 'UNINDEXED')`)
for (const server of [coordinator, plain])
  await eventually(`all metadata on ${server.name}`, () => unread(server) === '0' || unread(server))

const names = ['dollar', 'sample', 'tokn', '12', 'c-chain', 'P-fuji1']
const { requests, operations, missed } = await listRequests(other.base, [
  '/v1/chains',
  ...names.map((name) => `/v1/search?query=${name}`),
])
const differences = []
let bodies = 0
for (const path of requests) {
  const [one, two] = [await service.get(path), await other.get(path)]
  if (one.status !== two.status)
    differences.push(
      `${path}: ${one.status} ${one.text.slice(0, 200)} and ${two.status} ${two.text.slice(0, 200)}`,
    )
  else if (two.status === 200 && !ofTheService.some((pattern) => pattern.test(path))) {
    bodies += 1
    const [own, plainly] = [comparable(one.text), comparable(two.text)]
    if (own !== plainly) differences.push(`${path}:\n  ${own.slice(0, 600)}\n  ${plainly.slice(0, 600)}`)
  }
}
say(
  `${requests.length} requests, ${bodies} bodies, ${operations - missed.length} of ${operations} GET operations; ` +
    `nothing to ask for: ${missed.join(', ')}`,
)
expect('the same answers as plain PostgreSQL', differences.length === 0, differences.join('\n'))

for (const sql of [
  ...['blocks', 'transactions', 'logs', 'token_transfers', 'calls', 'contracts', 'stakers', 'rewards'].map(
    (table) => `select count(*) as rows from ${table}`,
  ),
  'select chain, number, hash from blocks order by chain, number',
]) {
  const [one, two] = await Promise.all([service, other].map(({ ask }) => ask(sql)))
  expect(`SQL: ${sql}`, two.rows?.length > 0 && JSON.stringify(one.rows) === JSON.stringify(two.rows), [
    one,
    two,
  ])
}

await measure()

// Pages of a lost server's chains answer 503; all else goes on.
await Promise.all([end(service), end(other)])
await end(sample)
sample = await startSample('on')
writeConfig(join(scratch, 'sample'), sample.message)
service = await startService('citus', coordinator, config)
await eventually('all chains are live', service.isReady)
const logged = servers.flatMap((server) => errorsOf(server).map((line) => `${server.name}: ${line}`))
expect('no error in a log', logged.length === 0, logged)

// A chain is moved while the service reads and indexes.
const moved = chains[0]
const from = portOf(moved)
const to = workers.find(({ port }) => port !== from).port
const reading = { failed: [], count: 0, until: undefined }
const readers = (async () => {
  while (reading.until === undefined || reading.count < reading.until) {
    const { status, text } = await service.get(`/v1/chains/${moved}/blocks?pageSize=5`)
    if (status !== 200) reading.failed.push(`${status} ${text}`)
    reading.count += 1
  }
})()
const started = Date.now()
await coordinator.ask(`select citus_move_shard_placement(get_shard_id_for_distribution_column('blocks', ${moved}),
  '127.0.0.1', ${from}, '127.0.0.1', ${to}, shard_transfer_mode => 'force_logical')`)
say(
  `chain ${moved} was moved in ${((Date.now() - started) / 1000).toFixed(1)} s, ${reading.count} reads meanwhile`,
)
reading.until = reading.count + 10
await readers
expect('the chain is on the other worker', portOf(moved) === to, placeOf(moved))
expect('no read failed while it was moved', reading.failed.length === 0, reading.failed.slice(0, 3))
const atMove = await heads(service)
await eventually('the moved chain goes on', async () => {
  const now = await heads(service)
  return now[moved] > atMove[moved] || now
})

const victim = workers.find(({ port }) => port === portOf(chains[0]))
const lost = chains.filter((chain) => portOf(chain) === victim.port)
const left = chains.filter((chain) => !lost.includes(chain))
// First its machine is gone: nothing answers, and no connection is closed.
const reconnect = cutOff(victim)
if (reconnect) {
  process.on('exit', reconnect)
  await eventually('what needs a silent server is refused', async () => {
    const { status, text } = await service.get(`/v1/chains/${lost[0]}/blocks`)
    return status === 503 || `${status} ${text.slice(0, 200)}`
  })
  for (const chain of left) {
    const asked = Date.now()
    const answer = await service.get(`/v1/chains/${chain}/blocks`)
    expect(
      `chain ${chain} is read beside a silent server, in ${Date.now() - asked} ms`,
      answer.status === 200,
      answer,
    )
  }
  await eventually('readiness names the chains of a silent server', async () => {
    const { status, text } = await service.get('/ready')
    return (status === 503 && lost.every((chain) => text.includes(`${chain} `))) || text
  })
  reconnect()
  await eventually('all chains are live after a silent server', service.isReady)
} else say('nftables is missing or not allowed: no server was cut off')
const before = await heads(service)
await victim.end('SIGKILL')
await eventually('readiness names the lost chains', async () => {
  const { status, text } = await service.get('/ready')
  const named = (chain) => text.includes(`${chain} `) && text.includes('does not answer')
  return (status === 503 && lost.every(named) && !left.some((chain) => text.includes(`"${chain} `))) || text
})
await eventually('status names the lost chains and has the figures of the others', async () => {
  const { chains: statuses } = await service.json('/v1/status')
  return (
    statuses.every(({ chainId, reason, txCount }) =>
      lost.includes(chainId)
        ? reason?.includes('does not answer') && txCount === undefined
        : txCount !== undefined,
    ) || statuses
  )
})
for (const query of ['1', 'dollar', `0x${'ab'.repeat(20)}`, `0x${'ab'.repeat(32)}`, '0xabcdef']) {
  const found = await service.get(`/v1/search?query=${query}`)
  const { missingChains } = JSON.parse(found.text)
  expect(
    `search for ${query.slice(0, 8)} answers for the others and names what is missing`,
    found.status === 200 && [...missingChains].sort().join() === [...lost].sort().join(),
    found,
  )
}
for (const path of [
  '/v1/networks/fuji',
  '/v1/chains',
  `/v1/chains/${lost[0]}`,
  `/v1/chains/${left[0]}/blocks`,
  '/v1/status/storage',
]) {
  const answer = await service.get(path)
  expect(`200 for ${path}`, answer.status === 200, answer)
}
for (const path of [`/v1/chains/${lost[0]}/blocks`, `/v1/chains/${lost[0]}/transactions`]) {
  const answer = await service.get(path)
  expect(`503 for ${path}`, answer.status === 503 && answer.retry !== null, answer)
}
await eventually('the other chains go on', async () => {
  const now = await heads(service)
  return left.some((chain) => now[chain] > before[chain]) || now
})
await victim.start()
const returned = Date.now()
await eventually('all chains are live again', service.isReady)
say(`all chains are ready ${Math.ceil((Date.now() - returned) / 1000)} s after the return of the server`)
await eventually('the lost chains go on', async () => {
  const now = await heads(service)
  return lost.some((chain) => now[chain] > before[chain]) || now
})
await end(service)
const after = verify(coordinator)
expect('verify after the loss finds nothing', after.status === 0, after.output.slice(-2000))
// What a statement meets whose server goes away, between two statements of a transaction too.
const ofLoss = [
  'connection to the remote node',
  'failure on connection',
  'could not receive data from server',
  'statement timeout',
  'terminating connection',
  'current transaction is aborted',
  'savepoint "chain_read" does not exist',
  'not yet accepting connections',
]
const unexpected = errorsOf(coordinator).filter((line) => !ofLoss.some((text) => line.includes(text)))
expect('no other error in the log of the coordinator', unexpected.length === 0, unexpected)

// What a chain does not keep is dropped on its server, and said. Its first blocks are made older than the rest, and all
// final.
const old = Math.ceil(Number(coordinator.query(`select max(number) from blocks where chain = ${moved}`)) / 2)
const rowsOf = (table, where) =>
  Number(coordinator.query(`select count(*) from ${table} where chain = ${moved} and ${where}`))
const keptRows = rowsOf('logs', `number >= ${old}`)
coordinator.query(`update blocks set ts = ts - 10 * 86400 where chain = ${moved} and number < ${old}`)
coordinator.query(
  `update chains set finalized_block = (select max(number) from blocks where chain = ${moved}) where chain = ${moved}`,
)
const keeping = join(scratch, 'keeping.json')
writeFileSync(
  keeping,
  JSON.stringify({
    ...whole,
    chains: whole.chains.map((chain) =>
      String(chain.evmChainId) === moved ? { ...chain, keepLogs: 1, keepTraces: 1 } : chain,
    ),
  }),
)
await end(sample)
service = await startService('citus', coordinator, keeping)
await eventually('logs and calls that are not kept are dropped', () => {
  const left = rowsOf('logs', `number < ${old}`) + rowsOf('calls', `number < ${old}`)
  return left === 0 || left
})
expect('the others are kept', rowsOf('logs', `number >= ${old}`) >= keptRows, keptRows)
const anyone = `0x${'1'.repeat(40)}`
const gone = await service.get(
  `/v1/chains/${moved}/addresses/${anyone}/transactions:listInternals?startBlock=0&endBlock=${old - 1}`,
)
expect('a request for dropped calls is refused', gone.status === 410, gone)
await end(service)

/** Kills a distribution after each of its first tables: what is done stays, and no row is lost. */
async function killedDistribution() {
  const count = () =>
    coordinator.query('select (select count(*) from blocks) || $$ $$ || (select count(*) from logs)')
  const rows = count()
  for (const table of ['blocks', 'transactions', 'logs']) {
    const child = fork(join(root, 'dist/node/database.js'), ['distribute'], {
      env: { ...process.env, DATABASE_URL: coordinator.url },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    children.push(child)
    const ended = once(child, 'exit')
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        if (String(part).includes(`distributing ${table} `)) child.kill('SIGKILL')
      })
    const [, signal] = await ended
    expect(`a distribution is killed at ${table}`, signal === 'SIGKILL', signal)
    // The server ends the statement of a client that is gone once it notices.
    await eventually('no statement is left', () => sessionsAt(coordinator) === '0' || 'a session is left')
    expect('no row is lost', count() === rows, [rows, count()])
  }
}

/** Sessions of the service's programs at a server. */
function sessionsAt(server) {
  return server.query(`select count(*) from pg_stat_activity where application_name like 'ridgeline%'`)
}

async function heads({ json }) {
  const { chains: all } = await json('/v1/status')
  return Object.fromEntries(all.map(({ chainId, indexedBlock }) => [chainId, Number(indexedBlock ?? -1)]))
}

/** Prints how long reads take on both, one at a time: the median of 200. */
async function measure() {
  const chain = chains[0]
  const { transactions } = await other.json(`/v1/chains/${chain}/transactions?pageSize=1`)
  // First pages are kept in memory until the head moves: each request has another range.
  let far = 1_000_000_000
  const range = () => `pageSize=25&startBlock=0&endBlock=${(far += 1)}`
  const paths = {
    'a page of 25 transactions': () => `/v1/chains/${chain}/transactions?${range()}`,
    'a page of 25 blocks': () => `/v1/chains/${chain}/blocks?${range()}`,
    'a transaction': `/v1/chains/${chain}/transactions/${transactions[0].txHash}`,
    'a hash among all chains': `/v1/search?query=${transactions[0].txHash}`,
    'readiness (the status of all chains)': '/ready',
    'the validators of the primary network': '/v1/networks/fuji/validators',
  }
  for (const [what, path] of Object.entries(paths)) {
    const figures = []
    for (const { get } of [other, service]) {
      const times = []
      for (let count = 0; count < 200; count += 1) {
        const started = performance.now()
        await get(typeof path === 'function' ? path() : path)
        times.push(performance.now() - started)
      }
      figures.push(times.sort((one, two) => one - two)[100].toFixed(2))
    }
    say(`${what}: ${figures[0]} ms on plain PostgreSQL, ${figures[1]} ms on Citus`)
  }
}

console.log(`${passed} passed in ${Math.round((Date.now() - began) / 1000)} s`)
process.exit(0)
