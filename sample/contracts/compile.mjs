/**
 * Compiles the Solidity sources of this folder into contracts.json.
 *
 *   node sample/contracts/compile.mjs
 *
 * The compiler is not a dependency of the project: npm fetches the pinned version when this script runs. The
 * same sources, version and settings give the same bytes (no metadata hash is appended), so running it again must leave the file unchanged.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOLC = '0.8.30'
const command = 'node sample/contracts/compile.mjs'
const folder = new URL('./', import.meta.url)
const sources = readdirSync(folder)
  .filter((name) => name.endsWith('.sol'))
  .sort()

const settings = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
}
const input = {
  language: 'Solidity',
  sources: Object.fromEntries(
    sources.map((name) => [name, { content: readFileSync(new URL(name, folder), 'utf8') }]),
  ),
  settings: { ...settings, outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
}

// The compiler's wrapper ends before a pipe has taken all of its answer, so the answer goes to a file.
const temporary = mkdtempSync(join(tmpdir(), 'ridgeline-solc-'))
const answer = join(temporary, 'answer.json')
const sink = openSync(answer, 'w')
const run = spawnSync('npm', ['exec', '--yes', `--package=solc@${SOLC}`, '--', 'solcjs', '--standard-json'], {
  input: JSON.stringify(input),
  encoding: 'utf8',
  stdio: ['pipe', sink, 'pipe'],
  shell: process.platform === 'win32',
})
closeSync(sink)
const answered = readFileSync(answer, 'utf8')
rmSync(temporary, { recursive: true })
if (run.status !== 0) throw new Error(`solc ${SOLC} did not run: ${run.stderr}`)
const output = JSON.parse(answered.slice(answered.indexOf('{')))
const errors = (output.errors ?? []).filter((found) => found.severity === 'error')
if (errors.length > 0) throw new Error(errors.map((found) => found.formattedMessage).join('\n'))

const hashes = Object.fromEntries(
  Object.entries(input.sources).map(([name, { content }]) => [
    name,
    createHash('sha256').update(content).digest('hex'),
  ]),
)
const contracts = {}
for (const [source, found] of Object.entries(output.contracts)) {
  for (const [name, { abi, evm }] of Object.entries(found)) {
    if (evm.bytecode.object === '') continue
    contracts[name] = { source, abi, bytecode: `0x${evm.bytecode.object}` }
  }
}
writeFileSync(
  new URL('contracts.json', folder),
  `${JSON.stringify({ compiler: `solc ${SOLC}`, command, settings, sources: hashes, contracts }, null, 1)}\n`,
)
console.log(`${Object.keys(contracts).join(', ')} compiled with solc ${SOLC}`)
