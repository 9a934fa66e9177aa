import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readCommand } from './command-line.ts'
import { runCommand } from './commands.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ridgeline-seal-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const evm = ['--chain', '1', '--rpc', 'http://127.0.0.1:9']
const primary = ['--chain', 'P', '--network', 'fuji', '--rpc', 'http://127.0.0.1:9']

test.each([
  ['an EVM chain once', [...evm, '--once'], 1],
  ['an EVM chain', evm, 0],
  ['the P-Chain once', [...primary, '--once'], 1],
  ['the P-Chain', primary, 0],
])('a signal ends what seals %s, with a code that tells whether it was cut', async (_, flags, code) => {
  const command = readCommand(['seal', '--root', root, ...flags], {})
  if (command.name !== 'seal' && command.name !== 'sealPrimary') throw new Error('another command')
  expect(await runCommand(command, '', AbortSignal.abort())).toBe(code)
})
