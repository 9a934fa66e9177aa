// Has the service check the sources of the sample's contracts, once: what a person opens first is then readable. It is the
// way that forge takes (docs/contracts.md); nothing is fetched.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { root, say } from './bootstrap.mjs'

const folder = join(root, 'sample/contracts')

/** Contracts of the C-Chain by their names in the sample, and what they are in the sources; others have the same code. */
const contracts = [
  ['Sample Dollar', 'Token.sol:Token'],
  ['Ridge', 'Token.sol:Token'],
  ['Trouble', 'Trouble.sol:Trouble'],
  ['Factory', 'Factory.sol:Factory'],
  ['Skyline Prints', 'Collectible.sol:Collectible'],
  ['Trail Gear', 'Items.sol:Items'],
  ['Wrapped AVAX', 'Wrapper.sol:Wrapper'],
  ['Splitter', 'Splitter.sol:Splitter'],
]
const chainId = '43113'

/**
 * Gives the sources to the service at `url`, one contract after the other; `sampleUrl` is where the sample's node listens.
 * What was checked before is left out. Does nothing in the published package, which has neither sources nor a compiler.
 */
export async function checkSampleSources({ url, sampleUrl, home }) {
  const compiler = installedCompiler()
  if (compiler === undefined || !existsSync(folder)) return
  try {
    const places = await answerOf(new URL('/sample/addresses', sampleUrl))
    const missing = []
    for (const [name, identifier] of contracts) {
      const address = places.c.contracts[name]
      // A short history has not all of them.
      if (address === undefined) continue
      const { source } = await answerOf(new URL(`/v1/chains/${chainId}/contracts/${address}/source`, url))
      if (!source || source.sameCodeAs) missing.push({ name, identifier, address })
    }
    if (missing.length === 0) return
    const program = join(root, 'dist/node/compilers.js')
    await promisify(execFile)(process.execPath, [program, 'add', compiler], {
      env: { ...process.env, RIDGELINE_HOME: home },
    })
    for (const one of missing) await check(url, compiler, one)
    say(`the sources of ${missing.length} of the sample's contracts were checked`)
  } catch (error) {
    say(`the sources of the sample's contracts were not checked: ${error.message}`)
  }
}

/** Gives the source of one contract to the service, and waits for the end of its check. */
async function check(url, compiler, { name, identifier, address }) {
  const { settings } = JSON.parse(readFileSync(join(folder, 'contracts.json'), 'utf8'))
  const [path] = identifier.split(':')
  const sources = { [path]: { content: readFileSync(join(folder, path), 'utf8') } }
  const { verificationId } = await answerOf(new URL(`/sourcify/v2/verify/${chainId}/${address}`, url), {
    stdJsonInput: { language: 'Solidity', sources, settings },
    compilerVersion: compiler,
    contractIdentifier: identifier,
  })
  const { error } = await endOf(new URL(`/sourcify/v2/verify/${verificationId}`, url))
  if (error) throw new Error(`${name}: ${error.message}`)
}

/** The version of the compiler that the project's own packages have; undefined in the published package. */
function installedCompiler() {
  try {
    return createRequire(import.meta.url)('solc/package.json').version
  } catch {
    return undefined
  }
}

/** What a request answers, a POST if it has a body. */
async function answerOf(url, body) {
  const response = await fetch(url, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const answer = await response.json()
  if (response.ok) return answer
  throw new Error(answer.message ?? `${url} is a ${response.status}`)
}

/** A check that has ended. */
async function endOf(url) {
  for (;;) {
    const job = await answerOf(url)
    if (job.isJobCompleted) return job
    await delay(500)
  }
}
