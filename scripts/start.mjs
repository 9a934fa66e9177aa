// npm start: installs and builds what is missing, then starts everything a person needs.
import { join } from 'node:path'
import { ensureBuilt, ensureInstalled, root } from './support/bootstrap.mjs'
import { launch } from './support/launch.mjs'

const began = Date.now()
ensureInstalled()
await ensureBuilt()
await launch({ folder: join(root, '.ridgeline'), began })
