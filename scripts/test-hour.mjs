// npm run test:hour: does what docs/operations.md says under "From an empty Debian to TLS, replicas and a restore", block by
// block, in Debians that debootstrap makes and systemd-nspawn boots: db1 for everything, db2 and db3 for its replicas. They
// have no network but a bridge, so everything that needs packages runs before they are booted; a self-signed certificate and
// the sample network stand in for certbot's and for a node. Needs root, debootstrap, systemd-container and Debian's mirror;
// takes about fifteen minutes.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail, root, say } from './support/bootstrap.mjs'
import { makeBase, run, runIn } from './support/image.mjs'
import { Bridge, Machine } from './support/machine.mjs'
import { until } from './support/until.mjs'

if (process.getuid?.() !== 0) fail('containers need root', 2)
for (const program of ['debootstrap', 'systemd-nspawn', 'nsenter', 'ip'])
  if (spawnSync(program, ['--help']).error)
    fail(`${program} is not installed: apt-get install debootstrap systemd-container util-linux iproute2`, 2)

const name = 'explorer.example'
const addresses = { db1: '10.0.0.1', db2: '10.0.0.2', db3: '10.0.0.3' }
const scratch = mkdtempSync(join(tmpdir(), 'ridgeline-hour-'))
const machines = { db1: new Machine(), db2: new Machine(), db3: new Machine() }
let bridge
process.on('exit', () => {
  for (const machine of Object.values(machines)) machine.kill()
  bridge?.remove()
  // The kernel ends the processes of the machines meanwhile: their last files may come after the first try.
  for (let tries = 0; tries < 5; tries += 1) if (spawnSync('rm', ['-rf', scratch]).status === 0) break
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
/** The blocks of commands of a step, by the beginning of its heading. */
function blocksOf(step) {
  const section = page.split(/^### /m).find((each) => each.startsWith(`${step}. `)) ?? ''
  const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) =>
    block
      .replaceAll('<this repository>', '/root/ridgeline.bundle')
      .replaceAll('127.0.0.1:9650', '127.0.0.1:4401'),
  )
  if (blocks.length === 0) fail(`docs/operations.md has no commands in step ${step}`)
  return blocks
}
const isPackages = (line) => line.startsWith('apt-get ')
/** What installs the packages of a block, and what is left of it. */
const packagesOf = (block) => block.split('\n').filter(isPackages).join('\n')
const withoutPackages = (block) =>
  block
    .split('\n')
    .filter((line) => !isPackages(line))
    .join('\n')

const durations = []
/** Measures a step. */
function timed(what, action) {
  say(what)
  const began = Date.now()
  const result = action()
  durations.push(`${what} ${Math.round((Date.now() - began) / 1000)} s`)
  return result
}

let passed = 0
function expect(what, holds, found) {
  if (!holds) {
    console.error(found)
    console.error(inside('journalctl --no-pager -n 80 -u "ridgeline*" -u nginx', { mayFail: true }))
    fail(`not ${what}`)
  }
  passed += 1
  say(`ok: ${what}`)
}

/** Runs commands on a machine; returns their output. */
function inside(commands, { on = 'db1', mayFail = false, traced = false } = {}) {
  const { stdout, stderr, status } = machines[on].try(commands, { traced })
  if (traced) process.stdout.write(`${stderr}${stdout}\n`)
  if (status !== 0 && !mayFail) expect(`possible on ${on}: ${commands}`, false, stdout + stderr)
  return stdout
}

/** Runs the blocks of a step, each on these machines in turn. */
function step(number, ...places) {
  timed(`step ${number}`, () => {
    for (const [index, block] of blocksOf(number).entries())
      for (const on of places[index] ?? ['db1']) inside(withoutPackages(block), { on, traced: true })
  })
}
/** The status of a GET on db1. */
const statusOf = (url) =>
  inside(`curl --silent --output /dev/null --write-out '%{http_code}' --max-time 5 '${url}'`, {
    mayFail: true,
  })
const sql = (statement, on = 'db1') =>
  inside(`cd /; runuser -u postgres -- psql --tuples-only --no-align --command="${statement}"`, { on }).trim()

// Empty Debians as machines have them: with systemd. Those of the replicas get their packages as db1 does, before the boot.
const inRoot = (at, commands) =>
  runIn({ root: at, env: {}, folder: '/root' }, ['bash', '-eux', '-c', commands])
const roots = {
  db1: makeBase('debian:13.8-slim', scratch),
  db2: join(scratch, 'db2'),
  db3: join(scratch, 'db3'),
}
inRoot(
  roots.db1,
  'apt-get update -qq && apt-get install -y -qq --no-install-recommends systemd-sysv dbus > /dev/null',
)
run('cp', ['-a', '--reflink=auto', roots.db1, roots.db2])
timed('packages of the replicas', () => inRoot(roots.db2, packagesOf(blocksOf(7)[1])))
run('cp', ['-a', '--reflink=auto', roots.db2, roots.db3])
run('git', ['-C', root, 'bundle', 'create', '--quiet', join(roots.db1, 'root/ridgeline.bundle'), 'HEAD'])
timed('step 1', () => inRoot(roots.db1, blocksOf(1)[0]))
timed('packages of step 8', () => inRoot(roots.db1, packagesOf(blocksOf(8)[0])))

const hosts = Object.entries(addresses).map(([machine, address]) => `${address} ${machine}`)
bridge = new Bridge('ridgeline-hour')
for (const [machine, address] of Object.entries(addresses)) {
  appendFileSync(join(roots[machine], 'etc/hosts'), `127.0.0.1 localhost ${name}\n${hosts.join('\n')}\n`)
  await machines[machine].boot({ root: roots[machine], name: machine, bridge, address: `${address}/24` })
}

// A node to follow, and what certbot would have left.
inside(`systemd-run --quiet --unit=node --property=StateDirectory=node --working-directory=/opt/ridgeline \
  node dist/node/sample.js --hours 6 --port 4401 --home /var/lib/node`)
inside(`mkdir -p /etc/ssl/${name} && cd /etc/ssl/${name} && openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 \
  -nodes -days 2 -subj /CN=${name} -addext subjectAltName=DNS:${name} -out fullchain.pem -keyout privkey.pem 2> /dev/null
  cp fullchain.pem /usr/local/share/ca-certificates/${name}.crt && update-ca-certificates > /dev/null`)

for (const number of [2, 3, 4]) step(number)
await until('readiness', () => statusOf('http://127.0.0.1:4400/ready') === '200')
expect('ready, on a chain that is indexed', true)
step(5)
expect('ready through TLS', statusOf(`https://${name}/ready`) === '200')
expect('plain HTTP moved to TLS', statusOf(`http://${name}/`) === '301')
const dashboard = inside(`curl --silent https://${name}/`)
expect(
  'the dashboard through TLS',
  dashboard.includes('<title>Overview · Ridgeline'),
  dashboard.slice(0, 300),
)
const events = inside(`curl --silent --no-buffer --max-time 3 https://${name}/events`, { mayFail: true })
expect('live updates through the proxy', events.includes('retry: '), events)

const show = (unit, property) => inside(`systemctl show --value --property=${property} ${unit}`).trim()
const pid = show('ridgeline', 'MainPID')
const status = inside(`cat /proc/${pid}/status`)
expect(
  'a user of its own without capabilities',
  /^CapEff:\s*0+$/m.test(status) && !/^Uid:\s*0\b/m.test(status),
  status,
)
expect('a filter of system calls', /^Seccomp:\s*2$/m.test(status), status)
const lines = inside('journalctl --no-pager --output=cat -u ridgeline').split('\n')
expect(
  'a log of JSON lines in the journal',
  lines.some((line) => line.startsWith('{') && JSON.parse(line).msg === 'listening'),
  lines,
)
inside(`kill -9 ${pid}`)
await until(
  'a new process',
  () =>
    !['0', pid].includes(show('ridgeline', 'MainPID')) && statusOf('http://127.0.0.1:4400/ready') === '200',
)
expect('started again after kill -9', true)
inside('systemctl stop ridgeline')
expect('an end in order', show('ridgeline', 'Result') === 'success', show('ridgeline', 'Result'))

step(6)
const apis = [4400, 4410].map((port) => `http://127.0.0.1:${port}`)
/** The height of the newest block that a process shows. */
const heightOf = (url) =>
  Number(
    JSON.parse(inside(`curl --silent --fail ${url}/v1/status`, { mayFail: true })).chains[0].indexedBlock,
  )
const newBlock = async (what) => {
  const before = Math.max(0, ...apis.filter((url) => statusOf(`${url}/ready`) === '200').map(heightOf))
  for (const url of apis) await until(`a new block ${what}, ${url}`, () => heightOf(url) > before)
}
await until('readiness of both roles', () => statusOf(`https://${name}/ready`) === '200')
const first = heightOf(apis[0])
await until('a new block from the indexer', () => heightOf(apis[0]) > first)
const units = 'ridgeline-indexer ridgeline-api@4400'
expect('both roles at work', inside(`systemctl is-active ${units}`).trim() === 'active\nactive')

step(7, ['db1'], ['db2', 'db3'])
await newBlock('by way of the replicas')
/** The clients of a server that are API processes' reads: their processes on db1 have its address. */
const readers = (on) =>
  Number(
    sql(`select count(*) from pg_stat_activity where usename = 'ridgeline' and client_addr = '10.0.0.1'`, on),
  )
expect('readers on each replica', readers('db2') > 0 && readers('db3') > 0, [readers('db2'), readers('db3')])
expect(
  'two replicas that stream',
  sql('select state from pg_stat_replication') === 'streaming\nstreaming',
  sql('select * from pg_stat_replication'),
)
expect(
  'both processes behind TLS',
  inside('nginx -T 2> /dev/null | grep -c "server 127.0.0.1:44"').trim() === '2',
)

step(8)
const backups = JSON.parse(inside('cd /; runuser -u postgres -- pgbackrest --output=json info'))[0]
expect('a full backup', backups.backup.length === 1 && backups.backup[0].type === 'full', backups)
expect('nothing left of the rehearsal', inside('pg_lsclusters --no-header').trim().split('\n').length === 1)
await newBlock('after the backup')

// The rehearsed failover of "Failover": no process is restarted.
const pids = () => inside(`systemctl show --value --property=MainPID ${units} ridgeline-api@4410`)
const before = pids()
timed('failover', () => {
  inside('systemctl kill --signal=KILL postgresql@17-main')
  sql('select pg_promote()', 'db2')
})
await newBlock('after the failover')
expect('a failover without a restart', pids() === before, pids())
await until('the other replica', () => sql('select state from pg_stat_replication', 'db2') === 'streaming')
expect('the other replica at the new primary', true)

inside(
  'sed -i \'s/"evmChainId"/"evmChain"/\' /etc/ridgeline/config.json; systemctl restart --no-block ridgeline-api@4400',
)
await until('a failure', () => show('ridgeline-api@4400', 'ActiveState') === 'failed')
expect(
  'no restart with an invalid setting',
  show('ridgeline-api@4400', 'ExecMainStatus') === '2' && show('ridgeline-api@4400', 'NRestarts') === '0',
)
inside('logrotate --debug /etc/logrotate.d/ridgeline 2>&1 | grep -q "^error" && exit 1 || true')
const failed = inside('systemctl --failed --plain --no-legend')
  .split('\n')
  .filter((line) => line !== '' && !/ridgeline-api@4400|postgresql@17-main/.test(line))
expect('no crash of another unit', failed.length === 0, failed)
say(durations.join(', '))
console.log(`${passed} passed, 0 failed`)
process.exit(0)
