import { addCompiler, shortVersion } from '../contracts/compiler/add-compiler.ts'
import { compilersFolder, readCompilers } from '../contracts/compiler/compilers.ts'
import { SettingsError } from '../kernel/settings/config.ts'
import { runProgram, say, type Program } from './program.ts'

/** The program behind `ridgeline compilers`; see docs/contracts.md. */
const program: Program = {
  help: `ridgeline compilers list
ridgeline compilers add VERSION … [--from FOLDER|URL]

Shows the Solidity compilers that sources of contracts are checked by, or puts more into the home's folder
compilers/: builds that run inside Node, from the npm package solc of that version. The service needs no
restart. See docs/contracts.md.
Exit code 0 when it was done, 1 otherwise, 2 for a flag that can't be used.

  --from FOLDER|URL  take them from a copy of the official list of builds, whose checksums they must have
`,
  options: { from: { type: 'string' } },
  async run({ words, values, home }) {
    const [command, ...versions] = words
    const folder = compilersFolder(home)
    if (command === 'list' && versions.length === 0) {
      const builds = await readCompilers(folder)
      for (const { longVersion, sha256 } of builds) say(`${longVersion.padEnd(32)} sha256 ${sha256.slice(2)}`)
      if (builds.length === 0) say(`there are none in ${folder}: add one by "ridgeline compilers add 0.8.30"`)
      return
    }
    const unusable = versions.find((version) => !shortVersion.test(version))
    if (command !== 'add' || versions.length === 0 || unusable !== undefined)
      throw new SettingsError([
        `got ${JSON.stringify(words.join(' '))}; allowed: list, or add with versions such as 0.8.30`,
      ])
    const from = typeof values['from'] === 'string' ? values['from'] : undefined
    for (const version of versions) say(`${await addCompiler(folder, version, from)} is there`)
  },
}

runProgram(program)
