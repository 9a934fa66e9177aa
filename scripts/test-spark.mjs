// npm run test:spark: counts lakes of the sample network with Spark, on a master and two workers, and compares with the
// store; see docs/testing.md. Makes a Python environment of its own in the cache folder.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './support/avalanchego.mjs'
import { ensureBuilt, ensureInstalled, root, runBinary, say } from './support/bootstrap.mjs'

/** What a command prints on both outputs; undefined if it fails. */
function outputOf(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  return status === 0 ? `${stdout}${stderr}` : undefined
}

ensureInstalled()
const environment = findEnvironment()
if (environment.missing !== undefined) {
  say(`tests of Spark are skipped: ${environment.missing}`)
  process.exit(0)
}
await ensureBuilt(['node'])
process.exit(
  await runBinary('vitest', 'vitest', ['run', 'server/lake/spark.test.ts'], {
    RIDGELINE_SPARK_PYTHON: environment.python,
    RIDGELINE_SPARK_HOME: environment.spark,
  }),
)

/** A Python with the packages of ops/spark/requirements.txt, installed once, and the folder of pyspark. */
function findEnvironment() {
  const java = /version "(\d+)/.exec(outputOf('java', ['-version']) ?? '')?.[1]
  if (!(Number(java) >= 17)) return { missing: `Java 17 or newer is needed${java ? `, not ${java}` : ''}` }
  const version = outputOf('python3', ['-c', 'import sys, venv; print(sys.version_info >= (3, 10))'])
  if (version?.trim() !== 'True') return { missing: 'Python 3.10 or newer with venv is needed' }
  const requirements = join(root, 'ops/spark/requirements.txt')
  const state = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)
  const folder = cacheFolder(`spark-${state}`)
  if (!existsSync(join(folder, 'complete'))) {
    say('installing PySpark with pip, once; 0.5 GB …')
    rmSync(folder, { recursive: true, force: true })
    const install = ['install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]
    if (
      outputOf('python3', ['-m', 'venv', folder]) === undefined ||
      outputOf(join(folder, 'bin/python'), ['-m', 'pip', ...install]) === undefined
    )
      return { missing: 'PySpark can’t be installed with pip' }
    writeFileSync(join(folder, 'complete'), '')
  }
  const python = join(folder, 'bin/python')
  const spark = outputOf(python, ['-c', 'import pyspark; print(pyspark.__path__[0])'])?.trim()
  return spark === undefined ? { missing: 'pyspark can’t be loaded' } : { python, spark }
}
