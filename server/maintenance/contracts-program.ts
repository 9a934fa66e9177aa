import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from '../kernel/settings/config.ts'
import { exportContracts, importContracts } from './contract-folder.ts'
import { runProgram, say, type Program } from './program.ts'

/** The program behind `ridgeline contracts`; see docs/contracts.md. */
const program: Program = {
  help: `ridgeline contracts export FOLDER --chain ID [--url URL]
ridgeline contracts import FOLDER [--url URL]

Writes the verified contracts of a chain into a folder as Sourcify keeps them: full_match or partial_match,
chain, address, with metadata.json and sources. Import gives such a folder to a service, which compiles and
compares every contract again. The service must run. See docs/contracts.md.
Exit code 0 when all were written or verified, 1 otherwise, 2 for a flag that can't be used.

  --chain ID  the EVM chain id
  --url URL   where the service listens; by default http://127.0.0.1:4400
`,
  options: {
    chain: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:4400' },
  },
  async run({ words, values, home }) {
    const [command, folder, ...more] = words
    if (folder === undefined || more.length > 0 || (command !== 'export' && command !== 'import'))
      throw new SettingsError([
        `got ${JSON.stringify(words.join(' '))}; allowed: export FOLDER, import FOLDER`,
      ])
    const service = { url: String(values['url']).replace(/\/$/, ''), token: tokenOf(home) }
    if (command === 'import') {
      const { verified, failed } = await importContracts(service, folder, say)
      if (verified + failed === 0)
        throw new SettingsError([
          `${folder}: holds no contract; allowed: a folder that "contracts export" or Sourcify wrote`,
        ])
      say(`${verified} contracts are verified, ${failed} are not`)
      if (failed > 0) process.exitCode = 1
      return
    }
    const { chain } = values
    if (typeof chain !== 'string' || !/^\d{1,20}$/.test(chain))
      throw new SettingsError(['--chain: is missing; allowed: an EVM chain ID, such as 43114'])
    const { written, left } = await exportContracts(service, chain, folder)
    say(`${written} contracts are in ${folder}`)
    if (left > 0) say(`${left} have no metadata, by which they could be imported, and were left out`)
  },
}

/** The operator's token of the home, where there is one. */
function tokenOf(home: string): string | undefined {
  try {
    return readFileSync(join(home, 'token'), 'utf8').trim()
  } catch {
    return undefined
  }
}

runProgram(program)
