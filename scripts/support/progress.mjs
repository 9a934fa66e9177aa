// Says on the terminal how far the chains are indexed, until all of them follow their heads.
import { setTimeout as delay } from 'node:timers/promises'
import { say } from './bootstrap.mjs'

/**
 * Polls the service's status once a second; prints a line when a chain changes its state, and one when all
 * follow their heads. `complete` settles when the nodes have their complete history.
 */
export async function followProgress(url, began, complete) {
  const states = new Map()
  const reasons = new Map()
  let isComplete = false
  void complete.then(() => {
    isComplete = true
  })
  for (;;) {
    await delay(1000)
    const chains = await readStatus(url)
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
      say(`${chain.chainName} is ${chain.state}${where}${chain.reason ? `: ${chain.reason}` : ''}`)
    }
    if (isComplete && chains.length > 0 && chains.every((chain) => chain.state === 'live')) break
  }
  say(`every chain is live (after ${((Date.now() - began) / 1000).toFixed(1)} s). Ctrl-C ends everything.`)
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
        return (chains ?? []).flatMap((chain) => primaryChain(network, chain))
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

/** A chain of a primary network like one of /v1/status; none if it is a C-chain that is not followed. */
function primaryChain(network, { chainName, state, reason, indexedHeight }) {
  if (chainName === 'c-chain' && indexedHeight === undefined && reason === undefined) return []
  const name = `${chainName[0].toUpperCase()}-chain of ${network}`
  return [{ chainId: `${network}/${chainName}`, chainName: name, state, reason, indexedBlock: indexedHeight }]
}
