// npm run genesis: makes the files of server/primary/genesis again, with Go, from the released module of avalanchego.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { missingTools } from './support/avalanchego.mjs'
import { fail, root, say } from './support/bootstrap.mjs'

const source = join(root, 'scripts/genesis')
const missing = missingTools('the genesis', ['mod', 'download'], source)
if (missing !== undefined) fail(missing)
const folder = mkdtempSync(join(tmpdir(), 'ridgeline-genesis-'))
try {
  const { status } = spawnSync('go', ['run', '-mod=readonly', '.', folder], {
    cwd: source,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) fail('the program that prints the genesis failed: see above')
  for (const name of ['mainnet', 'fuji']) {
    const bytes = readFileSync(join(folder, `${name}.bin`))
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    }
    const path = join(root, `server/primary/genesis/${name}.bin.br`)
    writeFileSync(path, brotliCompressSync(bytes, { params }))
    say(`${name}: ${bytes.length} bytes`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
