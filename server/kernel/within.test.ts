import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { within } from './within.ts'

test('an answer that begins and does not end is given up, whatever is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const server = createServer((_request, response) => void response.writeHead(200).write('{')).listen(0)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const collecting = setInterval(collect, 50)
  const read = async (signal: AbortSignal): Promise<string> => (await fetch(url, { signal })).text()
  const { signal } = new AbortController()
  const asked = Array.from({ length: 20 }, (_, index) =>
    within(1_000, read, index % 2 === 0 ? undefined : signal),
  )
  const ends = await Promise.allSettled(asked)
  clearInterval(collecting)
  for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { name: 'TimeoutError' } })
  server.closeAllConnections()
  server.close()
})
