// npm run backup, restore, config, lake and others: a program beside the service, built first where sources changed. The
// first argument is its name.
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { ensureBuilt, ensureInstalled, root } from './support/bootstrap.mjs'

ensureInstalled()
await ensureBuilt(['node'])
const [name, ...flags] = process.argv.slice(2)
const child = spawn(process.execPath, [join(root, `dist/node/${name}.js`), ...flags], { stdio: 'inherit' })
child.once('exit', (code) => process.exit(code ?? 1))
