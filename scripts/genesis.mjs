// npm run genesis: makes the files of server/primary/genesis again, with Go, from the released module of avalanchego: the
// genesis bytes of the public networks, and the ids of their blocks that the module ships as checkpoints. With the path of
// a folder, it changes nothing: it writes the bytes there, and prints what the module says of each genesis.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { buildEnvironment, buildFlags, missingTools } from './support/avalanchego.mjs'
import { fail, root, say } from './support/bootstrap.mjs'

const source = join(root, 'scripts/genesis')
const missing = missingTools('the genesis', ['mod', 'download'], source)
if (missing !== undefined) fail(missing)

function go(...args) {
  const { status, stdout } = spawnSync('go', args, {
    cwd: source,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...buildEnvironment },
    maxBuffer: 64 * 1_048_576,
  })
  if (status !== 0) fail('the program that prints the genesis failed: see above')
  return stdout.toString('utf8')
}
const factsOf = (folder) => go('run', ...buildFlags, '.', folder)

function makeFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'ridgeline-genesis-'))
  try {
    const facts = JSON.parse(factsOf(folder))
    const { Path, Version, Time } = JSON.parse(go('list', '-m', '-json', 'github.com/ava-labs/avalanchego'))
    const checkpoints = {
      source: `genesis/checkpoints.json of ${Path} ${Version} (BSD 3-Clause)`,
      releasedTimestamp: Date.parse(Time) / 1000,
      mainnet: facts.mainnet.Checkpoints,
      fuji: facts.fuji.Checkpoints,
    }
    const path = join(root, 'server/primary/genesis/checkpoints.json')
    writeFileSync(path, `${JSON.stringify(checkpoints, null, 2)}\n`)
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
}

const [chosen] = process.argv.slice(2)
if (chosen === undefined) makeFiles()
else process.stdout.write(factsOf(chosen))
