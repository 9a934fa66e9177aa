import { gigabytes } from './space.ts'
import { backupFolder, runProgram, say, type Program } from './program.ts'
import { checkBackup, restore } from './restore.ts'

const program: Program = {
  help: `ridgeline restore DIR [--replace] [--check]

Restores the backup in the folder DIR into the home (RIDGELINE_HOME), whose service must be stopped.
Every file is compared with the backup's checksums first. Exit code 0 when restored, 1 otherwise,
2 for a setting that can't be used. See docs/operations.md.

  --replace  replace the data that the home has
  --check    only compare the backup with its checksums
`,
  options: { replace: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
  async run(given) {
    const { home, values } = given
    const folder = backupFolder(given)
    if (values['check'] === true) {
      const { files } = await checkBackup(folder)
      say(`${folder} is complete: ${files.length} files are as its manifest lists them`)
      return
    }
    const manifest = await restore({
      source: folder,
      home,
      replace: values['replace'] === true,
      onNews: say,
    })
    const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0)
    const when = new Date(manifest.ended * 1000).toISOString()
    say(`${home} has the data of ${when} (${gigabytes(bytes)}); the next start reads on from the nodes`)
  },
}

runProgram(program)
