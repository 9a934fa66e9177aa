#!/usr/bin/env node
// Starts the Firefox that RIDGELINE_FIREFOX names, where Playwright starts its own, and relays the WebDriver BiDi between
// the two, because Playwright expects more of it than Firefox 153 has.
import { spawn } from 'node:child_process'
import { WebSocket, WebSocketServer } from 'ws'

/** The command that sets media features, sent before each page opens; Firefox has Playwright's default scheme without it. */
const emulation = 'emulation.setMediaFeaturesOverride'
const ownScheme = 'light'

const browser = spawn(process.env.RIDGELINE_FIREFOX, process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
})
browser.once('exit', (code) => process.exit(code ?? 1))
browser.once('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
let rest = ''
browser.stderr.on('data', (chunk) => {
  const lines = `${rest}${chunk}`.split('\n')
  rest = lines.pop() ?? ''
  for (const line of lines) {
    const url = /^WebDriver BiDi listening on (ws:\S+)$/.exec(line)?.[1]
    if (url === undefined) console.error(line)
    else relay(url)
  }
})

/** Listens in front of a browser's address, and prints its own address as the browser does, for Playwright to read. */
function relay(url) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('listening', () => {
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}`)
  })
  server.on('connection', (client, { url: path }) => {
    const target = new WebSocket(`${url}${path}`, { perMessageDeflate: false })
    const isOpen = new Promise((resolve) => target.once('open', resolve))
    /** The ids of commands that the browser need not know. */
    const dispensable = new Set()
    client.on('message', async (data) => {
      const { id, method, params } = JSON.parse(data)
      const scheme = params.features?.['prefers-color-scheme'] ?? ownScheme
      if (method === emulation && scheme === ownScheme) dispensable.add(id)
      await isOpen
      target.send(String(data))
    })
    target.on('message', (data) => {
      const message = JSON.parse(data)
      if (dispensable.delete(message.id) && message.error === 'unknown command')
        client.send(JSON.stringify({ type: 'success', id: message.id, result: {} }))
      else client.send(JSON.stringify(withDownload(message)))
    })
    client.on('close', () => target.close())
    target.on('close', () => client.close())
    target.on('error', () => client.close())
  })
}

/** Gives a download an id, by which Playwright knows its end, if it has none. */
function withDownload(message) {
  const { method, params } = message
  if (!method?.startsWith('browsingContext.download') || (params.download ?? params.navigation))
    return message
  return { ...message, params: { ...params, download: `${params.context} ${params.url}` } }
}
