// The instructions of a Dockerfile, run in folders without Docker: a stage is a root folder, RUN is a chroot in
// namespaces of its own. It knows what ops/docker/Dockerfile uses, and refuses anything else.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What `debootstrap` calls the releases of Debian. */
const codenames = { 12: 'bookworm', 13: 'trixie', 14: 'forky' }

/** Runs a program with this one's output, or with its output returned as text. */
export const run = (command, args, options = {}) =>
  execFileSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], encoding: 'utf8', ...options })

/** A Dockerfile's instructions, as `{ word, rest }`; lines that end with a backslash are continued. */
export function readInstructions(text) {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n')
  return lines.flatMap((line) => {
    const found = /^([A-Z]+)\s+(.+)$/.exec(line.trim())
    if (found === null && line.trim() !== '' && !line.startsWith('#'))
      throw new Error(`unknown line: ${line}`)
    return found === null ? [] : [{ word: found[1], rest: found[2] }]
  })
}

/**
 * Runs the instructions and returns the last stage: `root`, the folder of its files, `env`, `folder`, `user`, `command`,
 * `health` and `volumes`. `context` is the folder of COPY, `ignored` the text of its dockerignore file, and `scratch` an
 * empty folder for the roots.
 */
export function buildImage(instructions, { context, ignored, scratch }) {
  const stages = new Map()
  let stage
  for (const { word, rest } of instructions) {
    console.log(`\n${word} ${rest}`)
    if (word === 'FROM') {
      const [image, , name = 'the image'] = rest.split(' ')
      stage = { root: join(scratch, name.replaceAll(' ', '-')), env: {}, folder: '/', volumes: [] }
      run('cp', ['-a', '--reflink=auto', makeBase(image, scratch), stage.root])
      stages.set(name, stage)
    } else if (word === 'WORKDIR') {
      stage.folder = rest
      run('mkdir', ['-p', join(stage.root, rest)])
    } else if (word === 'ENV') {
      const [name, value] = rest.split('=')
      stage.env[name] = value
    } else if (word === 'RUN') runIn(stage, ['/bin/sh', '-c', rest])
    else if (word === 'COPY') copy(stage, rest.split(' '), { stages, context, ignored })
    else if (word === 'USER') stage.user = rest
    else if (word === 'VOLUME') stage.volumes.push(rest)
    else if (word === 'ENTRYPOINT') stage.command = JSON.parse(rest)
    else if (word === 'HEALTHCHECK') stage.health = JSON.parse(rest.slice(rest.indexOf('CMD') + 3))
    else if (word !== 'EXPOSE') throw new Error(`the instruction ${word} is not known here`)
  }
  return stage
}

/** The root folder of a Debian image, made from Debian's packages once. */
export function makeBase(image, scratch) {
  const version = /^debian:((\d+)\.\d+)-slim$/.exec(image)
  if (version === null) throw new Error(`${image}: only debian:N.N-slim can be made from Debian's packages`)
  const root = join(scratch, `debian-${version[2]}`)
  if (existsSync(root)) return root
  const mirror = process.env.DEBIAN_MIRROR === undefined ? [] : [process.env.DEBIAN_MIRROR]
  run('debootstrap', ['--variant=minbase', codenames[version[2]], root, ...mirror], { stdio: 'ignore' })
  const made = readFileSync(join(root, 'etc/debian_version'), 'utf8').trim()
  console.log(`debootstrap made Debian ${made}; the Dockerfile names ${version[1]}`)
  return root
}

/** Runs a command as root with a stage's files as the root file system, as RUN does. */
export function runIn({ root, env, folder }, command) {
  // The certificates that this machine trusts: a registry may be reached through a proxy with its own.
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  const trust =
    certificates === undefined ? '' : `touch "$1/run/ca.crt"; mount --bind '${certificates}' "$1/run/ca.crt";`
  const script = `set -e
    mount --rbind /dev "$1/dev"; mount -t proc proc "$1/proc"; mount -t tmpfs tmpfs "$1/run"
    cp -L /etc/resolv.conf "$1/etc/resolv.conf"; ${trust}
    root="$1"; shift; exec chroot "$root" "$@"`
  const variables = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/root',
    DEBIAN_FRONTEND: 'noninteractive',
    ...(certificates !== undefined && { NODE_EXTRA_CA_CERTS: '/run/ca.crt' }),
    ...env,
  }
  const there = ['env', '-i', `--chdir=${folder}`, ...pairs(variables), ...command]
  run('unshare', [
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    '/bin/sh',
    '-c',
    script,
    'sh',
    root,
    ...there,
  ])
}

const pairs = (variables) => Object.entries(variables).map(([name, value]) => `${name}=${value}`)

function copy({ root, folder }, words, { stages, context, ignored }) {
  const from = words[0].startsWith('--from=') ? stages.get(words.shift().slice('--from='.length)) : undefined
  const target = join(root, folder, words.pop())
  if (from === undefined) {
    if (words.join(' ') !== '.') throw new Error('only "COPY . ." is known for the context')
    const pack = `tar -C "$1" ${excludes(ignored).join(' ')} -cf - . | tar -C "$2" --no-same-owner -xf -`
    run('/bin/sh', ['-c', pack, 'sh', context, target])
    return
  }
  for (const word of words) {
    const isFolder = words.length === 1
    run('cp', ['-a', ...(isFolder ? ['-T'] : []), join(from.root, word), target])
  }
}

/** The patterns of a dockerignore file as options of tar: those without `**` count from the context's root. */
function excludes(ignored) {
  return ignored.split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#')) return []
    if (line.startsWith('**/')) return [`--no-anchored --exclude='${line.slice(3)}'`]
    return [`--anchored --exclude='./${line}'`]
  })
}

/**
 * Starts a command in an image as a container would run it with a read-only root file system: as its user, without
 * capabilities. `mounts` are files or folders of this machine by their path in the image, read-only unless `writable`
 * lists the path; besides, only /tmp can be written to. The network is this machine's.
 */
export function startContainer(
  { root, env, folder, user },
  command,
  { mounts, writable, variables = {}, as = user },
) {
  const binds = Object.entries(mounts).map(([path, source]) => {
    const at = join(root, path)
    run('/bin/sh', [
      '-c',
      '[ -e "$2" ] || { mkdir -p "$(dirname "$2")"; if [ -d "$1" ]; then mkdir "$2"; else : > "$2"; fi; }',
      'sh',
      source,
      at,
    ])
    const readOnly = writable.includes(path) ? '' : `; mount -o remount,ro,bind '${at}'`
    return `mount --bind '${source}' '${at}'${readOnly}`
  })
  const script = `set -e
    mount --bind '${root}' '${root}'; mount -o remount,ro,bind '${root}'
    mount -t proc proc '${root}/proc'; mount -t tmpfs tmpfs '${root}/tmp'; mount --rbind /dev '${root}/dev'
    ${binds.join('\n')}
    exec chroot '${root}' "$@"`
  const identity = as === 'root' ? [] : [`--reuid=${as}`, `--regid=${as}`, '--clear-groups']
  const bounds = ['setpriv', ...identity, '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all']
  const all = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/', ...env, ...variables }
  const there = [...bounds, 'env', '-i', `--chdir=${folder}`, ...pairs(all), ...command]
  const flags = ['--mount', '--pid', '--fork', '--kill-child', '/bin/sh', '-c', script, 'sh', ...there]
  return spawn('unshare', flags, { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The processes that a process started, in its own namespace. */
export const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

/** Ends a container that runs. Its first process is killed itself: with another user it forgets to die with its parent. */
export function killContainer(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  for (const pid of childrenOf(child.pid)) process.kill(pid, 'SIGKILL')
  child.kill('SIGKILL')
}
