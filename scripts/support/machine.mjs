// Debian machines for npm run test:hour: root folders that systemd-nspawn boots, with a bridge between them.
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { run } from './image.mjs'
import { until } from './until.mjs'

/** A bridge of this machine, which has no address on it: only the machines reach each other. */
export class Bridge {
  #name

  constructor(name) {
    this.#name = name
    run('ip', ['link', 'add', name, 'type', 'bridge'])
    run('ip', ['link', 'set', name, 'up'])
  }

  get name() {
    return this.#name
  }

  remove() {
    spawnSync('ip', ['link', 'delete', this.#name])
  }
}

/** A booted machine. */
export class Machine {
  #process
  /** Its first process, whose end ends all others of it. */
  #leader

  /** Boots a root folder, with an address like `10.0.0.1/24` on the bridge. Fails if systemd does not come up. */
  async boot({ root, name, bridge, address }) {
    this.#process = spawn(
      'systemd-nspawn',
      [
        '--quiet',
        '--boot',
        `--directory=${root}`,
        `--machine=${name}`,
        `--network-bridge=${bridge.name}`,
        '--register=no',
        '--keep-unit',
        '--console=read-only',
      ],
      { stdio: 'ignore' },
    )
    const { pid } = this.#process
    this.#leader = await until(`the first process of ${name}`, () =>
      Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]),
    )
    await until(`the boot of ${name}`, () =>
      /running|degraded/.test(this.try('systemctl is-system-running').stdout),
    )
    for (const each of [`address add ${address} dev host0`, 'link set host0 up'])
      run('nsenter', ['--target', String(this.#leader), '--net', 'ip', ...each.split(' ')])
  }

  /** Runs commands in it, as root in a shell that ends with the first failure. */
  try(commands, { traced = false } = {}) {
    const namespaces = ['mount', 'uts', 'ipc', 'net', 'pid', 'cgroup', 'root', 'wd'].map(
      (name) => `--${name}`,
    )
    const clean = ['env', '-i', 'HOME=/root', 'PATH=/usr/sbin:/usr/bin:/sbin:/bin']
    const shell = ['bash', traced ? '-euxc' : '-ec', commands]
    const target = ['--target', String(this.#leader), ...namespaces]
    return spawnSync('nsenter', [...target, ...clean, ...shell], { encoding: 'utf8' })
  }

  /** Ends it at once. */
  kill() {
    if (this.#leader !== undefined) process.kill(this.#leader, 'SIGKILL')
    this.#process?.kill('SIGKILL')
  }
}
