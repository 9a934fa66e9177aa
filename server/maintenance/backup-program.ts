import { gigabytes } from './space.ts'
import { backupFolder, runProgram, say, type Program } from './program.ts'
import { backUp } from './backup.ts'

const program: Program = {
  help: `ridgeline backup DIR

Makes a backup of the home (RIDGELINE_HOME) in the new folder DIR, while the service runs or not:
the bundled PostgreSQL's data with the log that makes them consistent, the local token and the
identity among peers. DIR appears once the backup is complete. Exit code 0 when it is, 1 otherwise,
2 for a setting that can't be used. See docs/operations.md.
`,
  options: {},
  async run(given) {
    const { home, version } = given
    const folder = backupFolder(given)
    const manifest = await backUp({ home, target: folder, version, onNews: say })
    const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0)
    const heights = manifest.chains.map(({ chain, block }) => `${chain} at block ${block}`).join(', ')
    say(`${folder}: ${manifest.files.length} files, ${gigabytes(bytes)}, ${heights || 'no chain yet'}`)
  },
}

runProgram(program)
