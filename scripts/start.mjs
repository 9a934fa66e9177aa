// npm start: installs and builds what is missing, then starts everything a person needs, or another command of `ridgeline`.
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root } from './support/bootstrap.mjs'

const began = Date.now()
ensureInstalled()
await ensureBuilt()
// It needs packages.
const { runCommand } = await import('./support/cli.mjs')
await runCommand(process.argv.slice(2), { folder: join(root, '.ridgeline'), began })
