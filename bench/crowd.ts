import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { say } from './support/paths.ts'
import { atMost, quantile, type Report } from './support/report.ts'
import { type Service, syntheticChainConfig, withRows } from './support/service.ts'
import { fillSyntheticRows, syntheticChain } from './rows/synthetic-rows.ts'

const port = 18_822
const healthPort = 18_823
const rows = 10_000
const connections = 2_000
/** Requests that each client sends at once, without reading: their answers are larger than a connection's buffers. */
const pipelined = 10
const path = `/v1/chains/${syntheticChain}/transactions?pageSize=100`

/**
 * What one process holds when 2,000 clients ask for long lists and do not read, and how soon it answers `/health` then:
 * on its own port and thread, and on the ordinary one.
 */
export async function runCrowdBench(): Promise<Report> {
  const config = { chains: [syntheticChainConfig(Number(syntheticChain))] }
  const variables = { HEALTH_PORT: String(healthPort) }
  const what = `${rows.toLocaleString('en')} transactions`
  return withRows(
    { name: 'crowd', port, config, variables },
    [`rows_${rows}`, what, (sql) => fillSyntheticRows(sql, rows)],
    measure,
  )
}

async function measure(service: Service): Promise<Report> {
  const [idleThread, idle] = await askHealth(service)
  const before = service.peakMemory()
  say(`${connections} connections …`)
  const clients = await Promise.all(Array.from({ length: connections }, () => open()))
  const statuses: string[] = []
  let seconds = 0
  let again: NodeJS.Timeout | undefined
  const send = (client: Socket, count: number): boolean =>
    client.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: identity\r\n\r\n`.repeat(count))
  // /health is asked while the lists are made, while they wait for their readers, and while those that were refused
  // ask again as `retry-after` says.
  const [onThread, beside] = await askHealth(service, async () => {
    const sent = performance.now()
    const refused: Socket[] = []
    again = setInterval(() => refused.forEach((client) => send(client, 1)), 1_000)
    const first = clients.map(async (client) => {
      const status = await statusOf(client)
      statuses.push(status)
      if (status === '503') refused.push(client.resume())
    })
    for (const client of clients) send(client, pipelined)
    await Promise.all(first)
    seconds = (performance.now() - sent) / 1_000
  })
  clearInterval(again)
  const refused = statuses.filter((status) => status === '503').length
  for (const client of clients) client.destroy()
  return {
    title: `Crowd: ${connections} connections that send ${pipelined} requests each and do not read the answers`,
    figures: [
      {
        name: 'memory of the service, peak',
        value: service.peakMemory() / 1e6,
        unit: 'MB',
        anchor: { name: 'before', value: before / 1e6 },
        budget: atMost(400),
      },
      {
        name: '/health on its thread, p99',
        value: onThread,
        unit: 'ms',
        anchor: { name: 'idle', value: idleThread },
        budget: atMost(50),
      },
      {
        name: '/health beside the API, p99',
        value: beside,
        unit: 'ms',
        anchor: { name: 'idle', value: idle },
      },
      { name: 'clients whose first answer is a list', value: statuses.length - refused, unit: '' },
      { name: 'clients whose first answer is a 503', value: refused, unit: '' },
      { name: 'until every client has its first answer', value: seconds, unit: 's' },
    ],
    notes: ['Peaks are those of the kernel (VmHWM). Service, database and clients share the cores.'],
  }
}

/** The p99 of `/health` on its thread and beside the API, in milliseconds. */
async function askHealth(
  service: Service,
  onceAsking = async (): Promise<void> => undefined,
): Promise<[number, number]> {
  const program = fileURLToPath(new URL('./support/ask-health.ts', import.meta.url))
  const child = fork(program, [`http://127.0.0.1:${healthPort}/health`, `${service.url}/health`])
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code) => code !== 0 && reject(new Error('/health was not answered')))
  })
  await Promise.race([once(child, 'message'), failed])
  const [[times]] = (await Promise.race([Promise.all([once(child, 'message'), onceAsking()]), failed])) as [
    [[number[], number[]]],
    void,
  ]
  return [quantile(times[0], 0.99), quantile(times[1], 0.99)]
}

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  return socket.pause()
}

/** The status of the first answer; reads no further than its beginning. */
async function statusOf(socket: Socket): Promise<string> {
  const beginning = new Promise<string>((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1').slice(9, 12)))
    socket.once('close', () => resolve('none'))
  })
  socket.resume()
  const status = await beginning
  socket.pause()
  return status
}
