#!/usr/bin/env node
// npx ridgeline: what npm start does, from an installed package, which is built already and needs no tools for that.
// Data and logs go below the folder where the command is given.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fail, requireNode, root } from './support/bootstrap.mjs'
import { runCommand } from './support/cli.mjs'

const began = Date.now()
requireNode()
if (!existsSync(join(root, 'dist/node/server.js')) || !existsSync(join(root, 'dist/web/index.html')))
  fail('this package holds no build: run "npm run build" before "npm pack"', 2)
await runCommand(process.argv.slice(2), { folder: '.ridgeline', began })
