/**
 * Compiles the Solidity sources of this folder into contracts.json.
 *
 *   node sample/contracts/compile.mjs
 *
 * The compiler is not a dependency of the project: npm fetches the pinned version when this script runs. The
 * same sources, version and settings give the same bytes (no metadata hash is appended), so running it again must leave the file unchanged.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'

const SOLC = '0.8.30'
const folder = new URL('./', import.meta.url)
const sources = readdirSync(folder).filter((name) => name.endsWith('.sol'))

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

const run = spawnSync('npm', ['exec', '--yes', `--package=solc@${SOLC}`, '--', 'solcjs', '--standard-json'], {
  input: JSON.stringify(input),
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
})
if (run.status !== 0) throw new Error(`solc ${SOLC} did not run: ${run.stderr}`)
const output = JSON.parse(run.stdout.slice(run.stdout.indexOf('{')))
const errors = (output.errors ?? []).filter((found) => found.severity === 'error')
if (errors.length > 0) throw new Error(errors.map((found) => found.formattedMessage).join('\n'))

const contracts = {}
for (const [source, found] of Object.entries(output.contracts)) {
  for (const [name, { abi, evm }] of Object.entries(found)) {
    if (evm.bytecode.object === '') continue
    contracts[name] = { source, abi, bytecode: `0x${evm.bytecode.object}` }
  }
}
writeFileSync(
  new URL('contracts.json', folder),
  `${JSON.stringify({ compiler: `solc ${SOLC}`, settings, contracts }, null, 1)}\n`,
)
console.log(`${Object.keys(contracts).join(', ')} compiled with solc ${SOLC}`)
