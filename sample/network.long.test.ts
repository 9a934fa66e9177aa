import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { send } from './testing/ask.ts'
import { testNow } from './testing/start.ts'
import { allHashes, noticesOf, withHome } from './testing/with-home.ts'

const home = withHome(24)

describe('the sample network', () => {
  test('makes the same blocks from the same seed and time, and different ones from another seed', async () => {
    const first = await home.start()
    const expected = await allHashes(first)
    expect(Object.values(expected).map((list) => list.length)).toEqual([25, 9, 9])
    await first.stop()
    home.empty()
    // Twenty minutes later in the same hour: the history ends at the same full hour.
    const again = await home.start({ now: testNow + 1200 })
    expect(await allHashes(again)).toEqual(expected)
    await again.stop()
    home.empty()
    const other = await home.start({ seed: 2 })
    const heads = (all: Record<string, string[]>): (string | undefined)[] =>
      Object.values(all).map((list) => list.at(-1))
    expect(new Set([...heads(expected), ...heads(await allHashes(other))]).size).toBe(6)
  })

  test('makes a block every few seconds, notifies subscribers, and follows the clock', async () => {
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
    expect(times[0]).toBeGreaterThanOrEqual(testNow)
  })

  test('reports an unreadable or different home in one line and starts over', async () => {
    const first = await home.start()
    const before = await allHashes(first)
    await first.stop()
    writeFileSync(path.join(home.folder, 'network.json'), '{"version":1,')
    const second = await home.start({ now: testNow + 7200 })
    expect(noticesOf(second)).toMatch(
      /^the state in .* cannot be read \(network\.json: .*\); it is in .*set-aside.* now; starting anew$/m,
    )
    expect(second.listening.state).toBe('new')
    expect((await allHashes(second))['C-Chain']?.[0]).not.toBe(before['C-Chain']?.[0])
    await second.stop()
    const third = await home.start({ seed: 9 })
    expect(noticesOf(third)).toMatch(/was made with other settings; it is in .* now; starting anew$/m)
    await third.stop()
    const origin = path.join(home.folder, 'network.json')
    const { version, ...rest } = JSON.parse(readFileSync(origin, 'utf8')) as { version: number }
    writeFileSync(origin, JSON.stringify({ ...rest, version: version + 1 }))
    const fourth = await home.start({ seed: 9 })
    expect(noticesOf(fourth)).toMatch(new RegExp(`has version ${version + 1}, not ${version}; it is in `))
    // Nothing has been deleted.
    const kept = readdirSync(path.join(home.folder, 'set-aside'))
    expect(kept).toHaveLength(3)
    for (const folder of kept) {
      expect(readdirSync(path.join(home.folder, 'set-aside', folder)).toSorted()).toEqual([
        'c',
        'harbor',
        'meridian',
        'network.json',
        'primary',
      ])
    }
  })

  test('refuses a home or port in use without affecting the running network', async () => {
    const first = await home.start()
    await expect(home.start()).rejects.toThrow(/is in use by process \d+; stop it or choose another folder/)
    const other = mkdtempSync(path.join(tmpdir(), 'ridgeline-other-'))
    try {
      await expect(home.start({ home: other, port: Number(new URL(first.url).port) })).rejects.toThrow(
        /port \d+ is in use: choose another with SAMPLE_PORT=\d+ or --port/,
      )
      expect(readdirSync(other)).not.toContain('owner.json')
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
    expect((await allHashes(first))['C-Chain']).toHaveLength(25)
  })

  test('restarts a chain whose node exits, while the others continue', async () => {
    const sample = await home.start()
    const expected = await allHashes(sample)
    const owner = JSON.parse(readFileSync(path.join(home.folder, 'owner.json'), 'utf8')) as {
      nodes: { pid: number; command: string }[]
    }
    const victim = owner.nodes.find(({ command }) => command.includes('--chain-id 43113 '))
    if (victim === undefined) throw new Error('no node noted')
    const saidOf = (words: RegExp): Promise<string> =>
      new Promise((resolve) => {
        sample.child.on('message', (message: { type: string; message?: string }) => {
          if (message.type === 'note' && words.test(message.message ?? '')) resolve(message.message ?? '')
        })
      })
    const failed = saidOf(/has failed/)
    const again = saidOf(/runs again/)
    process.kill(victim.pid, 'SIGKILL')
    expect(await failed).toBe('C-Chain has failed (anvil ended with SIGKILL); it is started again in 1 s')
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
    // A node's message for a chain that is not bootstrapped.
    expect(await send(sample.chain('C-Chain').rpcUrl, call)).toMatchObject({
      status: 503,
      text: 'API call rejected because chain is not done bootstrapping\n',
    })
    expect((await send(sample.chain('Harbor').rpcUrl, call)).status).toBe(200)
    expect(await again).toBe('C-Chain runs again, from block 24')
    expect(await allHashes(sample)).toEqual(expected)
  })
})
