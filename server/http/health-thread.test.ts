import { execFileSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { startHealthThread, type HealthThread } from './health-thread.ts'

const open: HealthThread[] = []
afterEach(async () => {
  for (const thread of open.splice(0)) await thread.close()
})

async function start(stalledAfter?: number): Promise<HealthThread> {
  const ended: Error[] = []
  const options = { port: 0, onEnd: (error: Error) => ended.push(error) }
  const thread = await startHealthThread({ ...options, ...(stalledAfter !== undefined && { stalledAfter }) })
  open.push(thread)
  return thread
}

const urlOf = ({ port }: HealthThread, path = '/health') => `http://127.0.0.1:${port}${path}`

/**
 * Asks from another process, while this thread does nothing else: first at once, then until the answer has the status.
 * Returns the first status and the last body.
 */
function askWhileStuck(thread: HealthThread, status: number): { first: number; last: { message?: string } } {
  const program = `
    const url = ${JSON.stringify(urlOf(thread))}
    let answer = await fetch(url), first = answer.status
    while (answer.status !== ${status}) answer = await fetch(url)
    console.log(JSON.stringify({ first, last: await answer.json() }))`
  const text = execFileSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 20_000 })
  return JSON.parse(text.toString()) as never
}

test('answers while the main thread is busy', async () => {
  expect(askWhileStuck(await start(), 200)).toEqual({ first: 200, last: { status: 'ok' } })
})

test('is a 503 while the main thread is stuck, and recovers with it', async () => {
  const thread = await start(2)
  const { last } = askWhileStuck(thread, 503)
  expect(last.message).toMatch(/stuck for 2 s/)
  await expect.poll(async () => (await fetch(urlOf(thread))).status).toBe(200)
})

test('answers nothing else', async () => {
  const thread = await start()
  expect((await fetch(urlOf(thread, '/v1/status'))).status).toBe(404)
  expect((await fetch(urlOf(thread), { method: 'POST' })).status).toBe(405)
  expect((await fetch(urlOf(thread), { method: 'HEAD' })).status).toBe(200)
})

test('says that its port is taken', async () => {
  const { port } = await start()
  await expect(startHealthThread({ port, onEnd: () => undefined })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  })
})
