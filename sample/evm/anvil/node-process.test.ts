import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startNodeProcess } from './node-process.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridgeline-sample-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Whether the process runs; an exited process that has not been waited for does not. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}

const settings = { chainId: 1, accounts: 1, mnemonicSeed: 1, genesisTime: 1_700_000_000 }

describe('node processes', () => {
  test('have all exited after a stop, also a replacement that was starting', async () => {
    const pids: number[] = []
    const node = await startNodeProcess({ ...settings, cache: folder, onSpawn: (pid) => pids.push(pid) })
    const state = path.join(folder, 'state.json')
    const dump = String(await node.rpc.call('anvil_dumpState'))
    writeFileSync(state, gunzipSync(Buffer.from(dump.slice(2), 'hex')))
    const replacing = node.replace(state).catch((error: unknown) => error)
    await node.stop()
    expect(await replacing).toBeInstanceOf(Error)
    expect(pids).toHaveLength(2)
    expect(pids.filter(isAlive)).toEqual([])
  })

  /** Starts a node in a program of its own, which then does `next`. */
  async function startElsewhere(next: string) {
    const program = `
      import { startAnvil } from ${JSON.stringify(new URL('anvil.ts', import.meta.url).href)}
      const options = { ...${JSON.stringify(settings)}, cache: ${JSON.stringify(folder)}, onSpawn() {} }
      const { pid } = await startAnvil(options)
      process.send(pid, () => { ${next} })`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const exit = once(child, 'exit')
    const [pid] = (await once(child, 'message')) as [number]
    return { child, exit, pid }
  }

  test('exit with a program that does not stop them', async () => {
    const { exit, pid } = await startElsewhere('process.exit(1)')
    expect(await exit).toEqual([1, null])
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('exit with a program that is killed', async () => {
    const { child, exit, pid } = await startElsewhere('')
    expect(isAlive(pid)).toBe(true)
    child.kill('SIGKILL')
    expect(await exit).toEqual([null, 'SIGKILL'])
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})
