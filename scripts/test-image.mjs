// npm run test:image: builds what ops/docker/Dockerfile says in root folders made from Debian's packages, without Docker, and
// runs it as compose.yaml would: beside a PostgreSQL of its own, as an ordinary user, on a read-only root file system.
// Needs root, debootstrap and Debian's mirror; takes about five minutes.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, root, say } from './support/bootstrap.mjs'
import { until } from './support/until.mjs'
import {
  buildImage,
  childrenOf,
  killContainer,
  readInstructions,
  run,
  runIn,
  startContainer,
} from './support/image.mjs'

if (process.getuid?.() !== 0) fail('chroot and mounts need root', 2)
for (const program of ['debootstrap', 'unshare', 'setpriv'])
  if (spawnSync(program, ['--version']).error)
    fail(`${program} is not installed: apt-get install debootstrap util-linux`, 2)

const ports = { service: '4690', health: '4693', database: '4691', sample: '4692' }
const scratch = mkdtempSync(join(tmpdir(), 'ridgeline-image-'))
const running = []
process.on('exit', (code) => {
  for (const child of running) {
    if (code !== 0) console.error(child.output.slice(-3000))
    killContainer(child)
  }
  rmSync(scratch, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

let passed = 0
/** Ends the run with the first expectation that does not hold. */
function expect(what, holds, found) {
  if (!holds) fail(`not ${what}: ${JSON.stringify(found)}`)
  passed += 1
  say(`ok: ${what}`)
}

const dockerfile = readFileSync(join(root, 'ops/docker/Dockerfile'), 'utf8')
const ignored = readFileSync(join(root, 'ops/docker/Dockerfile.dockerignore'), 'utf8')
const image = buildImage(readInstructions(dockerfile), { context: root, ignored, scratch })
say(`the image takes ${execFileSync('du', ['-sh', image.root], { encoding: 'utf8' }).split('\t')[0]}`)
expect('a user of its own', image.user !== undefined && image.user !== 'root', image.user)

/** Starts a command in the image or another root; its output is kept. */
function start(from, command, options) {
  const child = startContainer(from, command, options)
  child.output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      child.output += chunk
    })
  running.push(child)
  return child
}

/** Runs a command to its end; resolves with its exit code. */
async function exitOf(from, command, options) {
  const child = start(from, command, options)
  const [code] = await once(child, 'exit')
  return code
}

// The image of compose.yaml for the database can't be had either: Debian's PostgreSQL takes its place.
const database = { root: join(scratch, 'database'), env: {}, folder: '/', user: 'postgres' }
run('cp', [
  '-a',
  '--reflink=auto',
  readdirSync(scratch)
    .filter((name) => name.startsWith('debian-'))
    .map((name) => join(scratch, name))[0],
  database.root,
])
runIn(database, [
  '/bin/sh',
  '-c',
  'apt-get update -qq && apt-get install -y -qq --no-install-recommends postgresql > /dev/null',
])
const [version] = readdirSync(join(database.root, 'usr/lib/postgresql'))
const bin = `/usr/lib/postgresql/${version}/bin`
const data = join(scratch, 'data')
mkdirSync(data)
const { uid, gid } = statSync(join(database.root, 'var/lib/postgresql'))
chownSync(data, uid, gid)
const onData = { mounts: { '/data': data }, writable: ['/data'] }
await exitOf(
  database,
  [`${bin}/initdb`, '--pgdata=/data/pg', '--username=ridgeline', '--auth=trust', '--no-sync'],
  onData,
)
start(
  database,
  [`${bin}/postgres`, '-D', '/data/pg', '-p', ports.database, '-k', '/tmp', '-c', 'fsync=off'],
  onData,
)

// A node to follow: the sample network, from the image as well.
const sampleHome = join(scratch, 'sample')
const home = join(scratch, 'home')
const { uid: user, gid: group } = statSync(join(image.root, image.volumes[0]))
for (const folder of [sampleHome, home]) {
  mkdirSync(folder)
  chownSync(folder, user, group)
}
const sampleUrl = `http://127.0.0.1:${ports.sample}/ext/bc/C/rpc`
start(
  image,
  ['node', 'dist/node/sample.js', '--hours', '6', '--port', ports.sample, '--home', '/var/lib/ridgeline'],
  {
    mounts: { '/var/lib/ridgeline': sampleHome },
    writable: ['/var/lib/ridgeline'],
  },
)
const headOf = async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  const answer = await fetch(sampleUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return Number((await answer.json()).result)
}
await until('a block of the sample network', async () => (await headOf()) > 0)

const config = join(scratch, 'config.json')
writeFileSync(
  config,
  JSON.stringify({ chains: [{ evmChainId: 43113, name: 'Sample C', rpcUrl: sampleUrl, traces: 'off' }] }),
)
const options = {
  mounts: { '/etc/ridgeline/config.json': config, [image.volumes[0]]: home },
  writable: image.volumes,
  variables: {
    PORT: ports.service,
    HEALTH_PORT: ports.health,
    DATABASE_URL: `postgres://ridgeline@127.0.0.1:${ports.database}/postgres`,
  },
}
const healthy = () => exitOf(image, image.health, options)
expect('unhealthy while nothing runs', (await healthy()) === 1)

const service = start(image, image.command, options)
await until('health', async () => (await healthy()) === 0)
expect('healthy by the image’s own check', true)
const url = `http://127.0.0.1:${ports.service}`
await until('readiness', async () => (await fetch(`${url}/ready`)).status === 200)
const head = await headOf()
const indexed = await until('the head of the node', async () => {
  const { blocks } = await (await fetch(`${url}/v1/chains/43113/blocks?pageSize=1`)).json()
  return Number(blocks[0].blockNumber) >= head && blocks[0]
})
expect(`block ${head} of the node is served`, Number(indexed.blockNumber) >= head, indexed)
const page = await (await fetch(url)).text()
expect('the dashboard is served', page.includes('<title>Overview · Ridgeline'), page.slice(0, 200))

const [inner] = childrenOf(service.pid)
const status = readFileSync(`/proc/${inner}/status`, 'utf8')
const of = (name) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1]
expect('not root', of('Uid') === [user, user, user, user].join('\t') && user !== 0, of('Uid'))
expect('no capabilities', /^0+$/.test(of('CapBnd')) && /^0+$/.test(of('CapEff')), of('CapBnd'))
expect('no new privileges', of('NoNewPrivs') === '1', of('NoNewPrivs'))
const touch = (path, as) => exitOf(image, ['touch', path], { ...options, as })
expect(
  'read-only, even for root',
  (await touch('/opt/ridgeline/x', 'root')) !== 0 && (await touch('/etc/x', 'root')) !== 0,
)
expect('a home to write to', (await touch('/var/lib/ridgeline/x')) === 0)
expect('a configuration that is read-only', (await touch('/etc/ridgeline/config.json', 'root')) !== 0)
process.kill(inner, 'SIGTERM')
const [code] = await once(service, 'exit')
expect('an end in order', code === 0, { code, output: service.output.slice(-1000) })
console.log(`${passed} passed, 0 failed`)
process.exit(0)
