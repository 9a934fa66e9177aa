#!/usr/bin/env node
// npx ridgeline: what npm start does, from an installed package, which is built already and needs no tools for that.
// Data and logs go below the folder where the command is given. A first word names another program of the package:
// `npx ridgeline verify` is npm run verify.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fail, requireNode, root } from './support/bootstrap.mjs'
import { launch } from './support/launch.mjs'

const began = Date.now()
/** The programs beside the service, by the word that starts them. */
const programs = new Map([
  ['verify', 'verify.js'],
  ['backup', 'backup.js'],
  ['restore', 'restore.js'],
  ['upgrade', 'upgrade.js'],
  ['database', 'database.js'],
  ['lake', 'lake.js'],
])
requireNode()
if (!existsSync(join(root, 'dist/node/server.js')) || !existsSync(join(root, 'dist/web/index.html')))
  fail('this package holds no build: run "npm run build" before "npm pack"', 2)
const program = programs.get(process.argv[2])
if (program === undefined) await launch({ folder: '.ridgeline', began })
else {
  process.argv.splice(2, 1)
  await import(`../dist/node/${program}`)
}
