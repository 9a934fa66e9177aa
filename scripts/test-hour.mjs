// npm run test:hour: does what docs/operations.md says under "From an empty Debian to TLS", block by block, in a Debian that
// debootstrap makes and systemd-nspawn boots. The container has no network but its own loopback, so the first step runs
// before it is booted; a self-signed certificate and the sample network stand in for certbot's and for a node. Needs root,
// debootstrap, systemd-container and Debian's mirror; takes about ten minutes.
import { spawn, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fail, root, say } from './support/bootstrap.mjs'
import { makeBase, run, runIn } from './support/image.mjs'

if (process.getuid?.() !== 0) fail('containers need root', 2)
for (const program of ['debootstrap', 'systemd-nspawn', 'nsenter'])
  if (spawnSync(program, ['--version']).error)
    fail(`${program} is not installed: apt-get install debootstrap systemd-container util-linux`, 2)

const name = 'explorer.example'
const scratch = mkdtempSync(join(tmpdir(), 'ridgeline-hour-'))
let machine
/** The container's first process, whose end ends all others of it. */
let leader
process.on('exit', () => {
  if (leader !== undefined) process.kill(leader, 'SIGKILL')
  machine?.kill('SIGKILL')
  // The kernel ends the processes of the container meanwhile: their last files may come after the first try.
  for (let tries = 0; tries < 5; tries += 1) if (spawnSync('rm', ['-rf', scratch]).status === 0) break
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
/** The commands of a step, by the beginning of its heading. */
function blockOf(step) {
  const section = page.split(/^### /m).find((each) => each.startsWith(`${step}. `))
  const block = /^```sh\n(.*?)^```$/ms.exec(section ?? '')?.[1]
  if (block === undefined) fail(`docs/operations.md has no commands in step ${step}`)
  return block
    .replaceAll('<this repository>', '/root/ridgeline.bundle')
    .replaceAll('127.0.0.1:9650', '127.0.0.1:4401')
}

let passed = 0
function expect(what, holds, found) {
  if (!holds) {
    console.error(found)
    console.error(inside('journalctl --no-pager -n 60 -u "ridgeline*" -u nginx', { mayFail: true }))
    fail(`not ${what}`)
  }
  passed += 1
  say(`ok: ${what}`)
}

// An empty Debian as a machine has it: with systemd.
const debian = { root: makeBase('debian:13.8-slim', scratch), env: {}, folder: '/root' }
runIn(debian, [
  'bash',
  '-c',
  'apt-get update -qq && apt-get install -y -qq --no-install-recommends systemd-sysv dbus > /dev/null',
])
run('git', ['-C', root, 'bundle', 'create', '--quiet', join(debian.root, 'root/ridgeline.bundle'), 'HEAD'])
const began = Date.now()
say('step 1')
runIn(debian, ['bash', '-eux', '-c', blockOf(1)])
say(`step 1 took ${Math.round((Date.now() - began) / 1000)} s`)

machine = spawn(
  'systemd-nspawn',
  [
    '--quiet',
    '--boot',
    `--directory=${debian.root}`,
    '--private-network',
    '--register=no',
    '--keep-unit',
    '--console=read-only',
  ],
  { stdio: 'ignore' },
)
leader = await until('the boot', () => {
  const children = readFileSync(`/proc/${machine.pid}/task/${machine.pid}/children`, 'utf8').trim().split(' ')
  return children[0] !== '' && Number(children[0])
})
await until('all of systemd', () =>
  /running|degraded/.test(inside('systemctl is-system-running', { mayFail: true })),
)
say(`the machine is ${inside('systemctl is-system-running', { mayFail: true }).trim()}`)

/** Runs commands in the container; returns their output. */
function inside(commands, { mayFail = false, quiet = true } = {}) {
  const flags = [
    '--target',
    String(leader),
    '--mount',
    '--uts',
    '--ipc',
    '--net',
    '--pid',
    '--cgroup',
    '--root',
    '--wd',
  ]
  const shell = [
    'env',
    '-i',
    'HOME=/root',
    'PATH=/usr/sbin:/usr/bin:/sbin:/bin',
    'bash',
    quiet ? '-ec' : '-euxc',
    commands,
  ]
  const { stdout, stderr, status } = spawnSync('nsenter', [...flags, ...shell], { encoding: 'utf8' })
  if (!quiet) process.stdout.write(`${stderr}${stdout}\n`)
  if (status !== 0 && !mayFail) expect(`possible: ${commands}`, false, stdout + stderr)
  return stdout
}

async function until(what, probe) {
  for (let tries = 0; tries < 360; tries += 1) {
    try {
      const found = probe()
      if (found) return found
    } catch {
      // Not yet.
    }
    await delay(250)
  }
  return expect(`${what} within 90 s`, false, '')
}

const step = (number) => {
  say(`step ${number}`)
  inside(blockOf(number), { quiet: false })
}
/** The status of a GET in the container. */
const statusOf = (url, flags = '') =>
  inside(`curl --silent --output /dev/null --write-out '%{http_code}' --max-time 5 ${flags} '${url}'`, {
    mayFail: true,
  })

// A node to follow, and what certbot would have left.
inside(`systemd-run --quiet --unit=node --property=StateDirectory=node --working-directory=/opt/ridgeline \
  node dist/node/sample.js --hours 6 --port 4401 --home /var/lib/node`)
appendFileSync(join(debian.root, 'etc/hosts'), `127.0.0.1 localhost ${name}\n`)
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
await until('readiness of both roles', () => statusOf(`https://${name}/ready`) === '200')
const head = () => inside('curl --silent http://127.0.0.1:4400/v1/status')
const first = head()
await until('a new block from the indexer', () => head() !== first)
expect(
  'both roles at work',
  inside('systemctl is-active ridgeline-indexer ridgeline-api@4400').trim() === 'active\nactive',
)
inside(
  'sed -i \'s/"evmChainId"/"evmChain"/\' /etc/ridgeline/config.json; systemctl restart --no-block ridgeline-api@4400',
)
await until('a failure', () => show('ridgeline-api@4400', 'ActiveState') === 'failed')
expect(
  'no restart with an invalid setting',
  show('ridgeline-api@4400', 'ExecMainStatus') === '2' && show('ridgeline-api@4400', 'NRestarts') === '0',
)
inside('logrotate --debug /etc/logrotate.d/ridgeline 2>&1 | grep -q "^error" && exit 1 || true')
expect(
  'no crash of another unit',
  inside('systemctl --failed --plain --no-legend')
    .split('\n')
    .filter((line) => line !== '' && !line.includes('ridgeline-api@4400'))
    .join() === '',
  inside('systemctl --failed'),
)
say(`all steps took ${Math.round((Date.now() - began) / 60_000)} minutes`)
console.log(`${passed} passed, 0 failed`)
process.exit(0)
