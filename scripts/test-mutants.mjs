// npm run test:mutants: proves the tests. Copies the project, breaks one thing at a time (mutants.mjs), and
// demands that the tests that should notice turn red; docs/testing.md. Words after `--` choose some of them, by name or by what
// must notice them.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findAvalanchego } from './support/avalanchego.mjs'
import { binary, ensureBuilt, ensureInstalled, fail, root, say } from './support/bootstrap.mjs'
import { mutants } from './support/mutants.mjs'
import { findSubnetEvm } from './support/go-programs.mjs'

const words = process.argv.slice(2)
const chosen = mutants.filter(
  (mutant) => words.length === 0 || words.some((word) => lineOf(mutant).includes(word)),
)
if (chosen.length === 0) fail(`no mutant is called "${words.join('", "')}"`, 2)
// A mutant whose text no longer exists would break nothing.
for (const mutant of chosen) mutated(mutant)
ensureInstalled()
await ensureBuilt()
const scratch = mkdtempSync(join(tmpdir(), 'ridgeline-mutants-'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
const results = new Map()

const inUnits = chosen.filter(({ tests }) => tests !== undefined)
const inSuites = chosen.filter(({ suite }) => suite !== undefined)
const inIndex = chosen.filter(({ comparison }) => comparison !== undefined)
if (inUnits.length > 0) await runUnits()
if (inIndex.length + inSuites.length > 0) await runRealNodes()

console.log('')
for (const mutant of chosen)
  console.log(`${(results.get(mutant.name) ?? 'not run').padEnd(9)} ${lineOf(mutant)}`)
const failed = chosen.filter(({ name }) => results.get(name) !== 'noticed')
console.log(`${chosen.length - failed.length} of ${chosen.length} mutants were noticed`)
process.exit(failed.length === 0 ? 0 : 1)

/** A mutant and the tests that must detect it. */
function lineOf({ name, comparison, tests, suite }) {
  const by = comparison === undefined ? (suite ?? tests.join(', ')) : `real nodes: ${comparison}`
  return `${name} (${by})`
}

/** The mutant's file, broken. Ends the program unless its text occurs exactly once. */
function mutated({ name, file, from, to }) {
  const parts = readFileSync(join(root, file), 'utf8').split(from)
  if (parts.length !== 2) fail(`"${name}": ${file} has its anchor ${parts.length - 1} times instead of once`)
  return parts.join(to)
}

/** A copy of the project's files, with the same packages. */
function copyProject(to) {
  const list = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root })
  for (const file of list.stdout.toString().split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(root, file), join(to, file))
  }
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'))
  cpSync(join(root, 'dist'), join(to, 'dist'), { recursive: true })
}

/** Runs vitest; resolves with its report, or undefined if there is none. */
function vitest(cwd, args, env = {}) {
  const report = join(scratch, 'report.json')
  rmSync(report, { force: true })
  const all = ['run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  spawnSync(process.execPath, [binary('vitest', 'vitest'), ...all], {
    cwd,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  try {
    return JSON.parse(readFileSync(report, 'utf8'))
  } catch {
    return undefined
  }
}

function isRed(report) {
  return (report?.numFailedTests ?? 0) > 0
}

function isGreen(report) {
  return report?.success === true
}

async function runUnits() {
  const copy = join(scratch, 'units')
  copyProject(copy)
  const files = [...new Set(inUnits.flatMap(({ tests }) => tests))]
  say(`tests as they are: ${files.join(', ')}`)
  if (!isGreen(vitest(copy, files))) fail('the tests fail without any mutant: see above')
  for (const mutant of inUnits) {
    say(`mutant: ${mutant.name}`)
    writeFileSync(join(copy, mutant.file), mutated(mutant))
    results.set(mutant.name, isRed(vitest(copy, mutant.tests, killing(mutant))) ? 'noticed' : 'SURVIVED')
    cpSync(join(root, mutant.file), join(copy, mutant.file))
  }
}

/** More moments than `npm test` takes, so that one of them falls where it has to. */
function killing({ kills }) {
  return kills === undefined ? {} : { RIDGELINE_KILL_ROUNDS: String(kills) }
}

/** Breaks and builds a copy. */
function buildMutant(mutant, at) {
  const copy = join(scratch, `mutant-${at}`)
  copyProject(copy)
  writeFileSync(join(copy, mutant.file), mutated(mutant))
  const built = spawnSync(process.execPath, [join(copy, 'scripts/build.mjs')], { stdio: 'inherit' })
  if (built.status !== 0) fail(`"${mutant.name}" does not build`)
  return copy
}

async function runRealNodes() {
  const avalanchego = await findAvalanchego()
  if (avalanchego.missing !== undefined) {
    say(`mutants of the tests against real nodes are skipped: ${avalanchego.missing}`)
    return
  }
  const env = { RIDGELINE_AVALANCHEGO: avalanchego.path }
  const config = ['--config', 'vitest.real-node.config.ts']
  if (inIndex.length > 0) {
    // One network and one scenario for all of them.
    const copies = inIndex.map((mutant, at) => {
      say(`building: ${mutant.name}`)
      return { name: mutant.name, comparison: mutant.comparison, root: buildMutant(mutant, at) }
    })
    const report = vitest(root, config, { ...env, RIDGELINE_MUTANTS: JSON.stringify(copies) })
    const [control, ...tests] = report?.testResults.flatMap((file) => file.assertionResults) ?? []
    if (control?.status !== 'passed') fail('the comparisons fail without any mutant: see above')
    for (const [at, { name }] of inIndex.entries())
      results.set(name, tests[at]?.status === 'passed' ? 'noticed' : 'SURVIVED')
  }
  for (const [at, mutant] of inSuites.entries()) {
    const subnetEvm = await findSubnetEvm()
    if (subnetEvm.missing !== undefined) {
      say(`"${mutant.name}" is skipped: ${subnetEvm.missing}`)
      continue
    }
    say(`mutant: ${mutant.name}`)
    const copy = buildMutant(mutant, `suite-${at}`)
    const report = vitest(copy, [...config, mutant.suite], { ...env, RIDGELINE_SUBNET_EVM: subnetEvm.path })
    results.set(mutant.name, isRed(report) ? 'noticed' : 'SURVIVED')
  }
}
