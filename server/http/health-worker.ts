import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { errorAnswer } from '../kernel/http-errors.ts'
import type { HealthNews, HealthWork } from './health-thread.ts'

/** The health listener's thread: see `startHealthThread`. */
const { host, port, beat, stalledAfter } = workerData as HealthWork
const tell = (news: HealthNews): void => parentPort?.postMessage(news, [])

// Whatever connects here asks one small question.
const timeouts = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 5_000 }
const server = createServer(timeouts, ({ method, url }, response) => {
  const silent = Number(process.hrtime.bigint() - Atomics.load(beat, 0)) / 1e9
  const isHealth = url?.split('?', 1)[0] === '/health'
  const answer = !isHealth
    ? errorAnswer(404, 'only /health is answered here')
    : method !== 'GET' && method !== 'HEAD'
      ? errorAnswer(405, 'only GET and HEAD are allowed here')
      : silent > stalledAfter
        ? errorAnswer(503, `the service has been stuck for ${Math.floor(silent)} s`)
        : { status: 'ok' }
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  response.writeHead('statusCode' in answer ? answer.statusCode : 200, headers)
  response.end(JSON.stringify(answer))
})
server.maxConnections = 64
server.on('error', (error: NodeJS.ErrnoException) => tell({ code: error.code ?? error.message }))
server.listen(port, host, () => tell({ port: (server.address() as AddressInfo).port }))
