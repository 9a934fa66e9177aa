import { heartbeatSeconds } from '../../contract/events.ts'
import { expect, test } from '../support/fixtures.ts'
import { serviceUrl } from '../support/stack.ts'

/** Waits for so many heartbeats of the service's events. */
async function heartbeats(count: number): Promise<void> {
  const { body } = await fetch(`${serviceUrl}/events`)
  if (body === null) throw new Error('the events have no body')
  let heard = 0
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    heard += text.split('event: heartbeat').length - 1
    if (heard > count) return
  }
}

test('an overview that stands asks at most twenty times a minute', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('list', { name: 'Latest transactions' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  // The service's own heartbeats tell how long it was.
  await heartbeats(Math.ceil(60 / heartbeatSeconds))
  expect(asked.length, asked.join('\n')).toBeGreaterThan(0)
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(20)
})
