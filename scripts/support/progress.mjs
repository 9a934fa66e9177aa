// Says on the terminal how far the chains are indexed, until all of them follow their heads.
import { setTimeout as delay } from 'node:timers/promises'
import { say } from './bootstrap.mjs'

/**
 * Polls the service's status once a second; prints a line when a chain changes its state, and one when all
 * follow their heads. `complete` settles when the nodes have their complete history.
 */
export async function followProgress(url, began, complete) {
  const news = createNews()
  let isComplete = false
  void complete.then(() => {
    isComplete = true
  })
  for (;;) {
    await delay(1000)
    const { lines, areLive } = news(await readStatus(url), isComplete)
    for (const line of lines) say(line)
    if (areLive) break
  }
  say(`every chain is live (after ${((Date.now() - began) / 1000).toFixed(1)} s). Ctrl-C ends everything.`)
}

/** What is new in the states of chains, one look after the other: lines to print, and whether every chain is live. */
export function createNews() {
  const states = new Map()
  const reasons = new Map()
  return (chains, isComplete) => {
    const lines = []
    for (const chain of chains) {
      if (chain.state === 'live' && !isComplete) continue
      // A reason that disappears within a second is not reported.
      const { chainId, reason } = chain
      const lasts = reasons.get(chainId) === reason
      reasons.set(chainId, reason)
      if (chain.state === 'waiting' && (!lasts || reason === undefined)) continue
      const state = `${chain.state}${chain.reason ? `: ${chain.reason}` : ''}`
      if (states.get(chain.chainId) === state) continue
      states.set(chain.chainId, state)
      const where = chain.indexedBlock === undefined ? '' : ` at block ${chain.indexedBlock}`
      lines.push(`${chain.chainName} is ${chain.state}${where}${chain.reason ? `: ${chain.reason}` : ''}`)
    }
    const areLive = isComplete && chains.length > 0 && chains.every((chain) => chain.state === 'live')
    return { lines, areLive }
  }
}

/** The states of all chains: the EVM chains, and those of the primary networks that the service has. */
async function readStatus(url) {
  try {
    const [evm, ...networks] = await Promise.all([
      read(new URL('/v1/status', url)),
      ...['mainnet', 'fuji'].map(async (network) => {
        if (absent.has(network)) return []
        const chains = await read(new URL(`/v1/networks/${network}/overview`, url))
        if (!chains) absent.add(network)
        return primaryChains(network, chains ?? [])
      }),
    ])
    return evm ? [...evm, ...networks.flat()] : []
  } catch {
    // The service is starting or stopping; the next poll will show which.
    return []
  }
}

/** Networks that the service does not have: they are asked for once. */
const absent = new Set()

/** The chains of an answer; undefined if there is no such thing. */
async function read(url) {
  const response = await fetch(url)
  if (response.ok) return (await response.json()).chains
  if (response.status === 404) return undefined
  throw new Error(`${url} answered ${response.status}`)
}

/** The chains of a primary network like those of /v1/status, without a C-Chain that is not followed. */
export function primaryChains(network, chains) {
  return chains.flatMap(({ chainName, state, reason, indexedHeight }) => {
    if (chainName === 'c-chain' && indexedHeight === undefined && reason === undefined) return []
    const name = `${chainName[0].toUpperCase()}-Chain of ${network}`
    return [
      { chainId: `${network}/${chainName}`, chainName: name, state, reason, indexedBlock: indexedHeight },
    ]
  })
}
