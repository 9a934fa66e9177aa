import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { createLogOutput } from './log-output.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A stream whose reader accepts a line on request. */
function slowReader() {
  const lines: string[] = []
  const takes: (() => void)[] = []
  const stream = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      lines.push(line)
      takes.push(done)
    },
  })
  return { stream, lines, take: () => takes.shift()?.() }
}

test('unread lines are dropped, and counted once the reader continues', async () => {
  const { stream, lines, take } = slowReader()
  const output = createLogOutput(stream, 10)
  for (const line of ['first\n', 'second\n', 'third\n', 'fourth\n']) output.write(line)
  expect(stream.writableLength).toBe(13)
  take()
  take()
  await new Promise((resolve) => process.nextTick(resolve))
  output.write('fifth\n')
  for (let left = 3; left > 0; left -= 1) {
    take()
    await new Promise((resolve) => process.nextTick(resolve))
  }
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual(['first\n', 'second\n', 'fifth\n'])
  expect(JSON.parse(lines[2] ?? '')).toMatchObject({ level: 40, dropped: 2, msg: 'log lines were dropped' })
})

test('a broken stream accepts no more lines and throws nothing', () => {
  const { stream, lines } = slowReader()
  const output = createLogOutput(stream, 10)
  stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
  output.write('lost\n')
  expect(lines).toEqual([])
})

// pino's own destination hangs in both cases: it retries forever when the process ends.
test.each(['broken', 'full'])('a process whose standard output is %s answers, and ends', async (state) => {
  const script = fileURLToPath(new URL('../testing/log-lines.ts', import.meta.url))
  const child = fork(script, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
  children.push(child)
  await once(child, 'message')
  if (state === 'broken') child.stdout?.destroy()
  child.send('fill')
  const [answer] = (await once(child, 'message')) as [string]
  expect(answer).toBe('alive')
  child.send('end')
  expect(await once(child, 'exit')).toEqual([0, null])
})
