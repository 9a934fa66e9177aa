import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { TEST_NOW } from './testing/start.ts'
import { allHashes, notesOf, withHome } from './testing/with-home.ts'

const home = withHome(24)

describe('the sample network', () => {
  it('makes the same blocks from the same seed and time, and others from another seed', async () => {
    const first = await home.start()
    const expected = await allHashes(first)
    expect(Object.values(expected).map((list) => list.length)).toEqual([25, 9, 9])
    await first.stop()
    home.empty()
    // Twenty minutes later in the same hour: the history ends at the same full hour.
    const again = await home.start({ now: TEST_NOW + 1200 })
    expect(await allHashes(again)).toEqual(expected)
    await again.stop()
    home.empty()
    const other = await home.start({ seed: 2 })
    const heads = (all: Record<string, string[]>): (string | undefined)[] =>
      Object.values(all).map((list) => list.at(-1))
    expect(new Set([...heads(expected), ...heads(await allHashes(other))]).size).toBe(6)
  })

  it('makes a block every few seconds for ever, tells subscribers, and follows the clock', async () => {
    const sample = await home.start({ live: true })
    const socket = new WebSocket(sample.chain('C-Chain').wsUrl)
    await new Promise((resolve) => socket.once('open', resolve))
    const times: number[] = []
    const three = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        const { params } = JSON.parse(data.toString('utf8')) as { params?: { result: { timestamp: string } } }
        if (params !== undefined) times.push(Number(params.result.timestamp))
        if (times.length === 3) resolve()
      })
    })
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
    await three
    socket.terminate()
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(2)
    expect(times[0]).toBeGreaterThanOrEqual(TEST_NOW)
  })

  it('says so in one line and starts anew when its home cannot be read or was made otherwise', async () => {
    const first = await home.start()
    const before = await allHashes(first)
    await first.stop()
    writeFileSync(path.join(home.folder, 'network.json'), '{"version":1,')
    const second = await home.start({ now: TEST_NOW + 7200 })
    expect(notesOf(second)).toMatch(/^the state in .* cannot be read \(network\.json: .*\); starting anew$/m)
    expect(second.listening.state).toBe('new')
    expect((await allHashes(second))['C-Chain']?.[0]).not.toBe(before['C-Chain']?.[0])
    await second.stop()
    const third = await home.start({ seed: 9 })
    expect(notesOf(third)).toContain('was made with other settings; starting anew')
  })

  it('refuses a home in use and a port in use, and leaves the one that runs alone', async () => {
    const first = await home.start()
    await expect(home.start()).rejects.toThrow(/is in use by process \d+; stop it or choose another folder/)
    const other = mkdtempSync(path.join(tmpdir(), 'ridgeline-other-'))
    try {
      await expect(home.start({ home: other, port: Number(new URL(first.url).port) })).rejects.toThrow(
        /port \d+ is in use; choose another with SAMPLE_PORT or --port/,
      )
      expect(readdirSync(other)).not.toContain('owner.json')
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
    expect((await allHashes(first))['C-Chain']).toHaveLength(25)
  })

  it('fails with a clear line when one of its nodes dies', async () => {
    const sample = await home.start()
    const owner = JSON.parse(readFileSync(path.join(home.folder, 'owner.json'), 'utf8')) as {
      nodes: { pid: number }[]
    }
    const victim = owner.nodes[0]
    if (victim === undefined) throw new Error('no node noted')
    const failed = new Promise<string>((resolve) => {
      sample.child.on('message', (message: { type: string; message?: string }) => {
        if (message.type === 'failed') resolve(message.message ?? '')
      })
    })
    const exit = new Promise((resolve) => sample.child.once('exit', resolve))
    process.kill(victim.pid, 'SIGKILL')
    expect(await failed).toMatch(/^the node of .* is gone: anvil ended with SIGKILL$/)
    expect(await exit).toBe(1)
    expect(home.nodesLeft()).toBe(0)
  })
})
