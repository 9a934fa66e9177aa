import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compilerFile } from '../testing/compilers.ts'
import { CompilerFailure, runCompiler } from './run-compiler.ts'

const limits = { seconds: 60, memoryMegabytes: 512, outputBytes: 10_000_000 }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-compiler-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A build whose compiler is a piece of JavaScript, as hostile as no real one. */
async function build(name: string, body: string): Promise<string> {
  const file = join(folder, `${name}.js`)
  await writeFile(file, `module.exports = { _solidity_compile() {}, cwrap: () => (input) => { ${body} } }`)
  return file
}

test.each(['solc-0.4', 'solc-0.5', 'solc-0.6', 'solc-0.7', 'solc-0.8.17', 'solc'] as const)(
  '%s compiles, and finds imports among the given sources only',
  async (name) => {
    const ask = async (text: string) =>
      JSON.parse(
        await runCompiler(
          compilerFile(name),
          JSON.stringify({
            language: 'Solidity',
            sources: { 'a.sol': { content: text }, 'd/b.sol': { content: 'contract B {}' } },
            settings: { outputSelection: { 'a.sol': { A: ['evm.bytecode.object'] } } },
          }),
          limits,
        ),
      ) as { contracts?: Record<string, object>; errors: { severity: string; message: string }[] }
    expect((await ask('import "./d/b.sol"; contract A is B {}')).contracts?.['a.sol']).toHaveProperty('A')
    const { errors } = await ask('import "./c.sol"; contract A {}')
    expect(errors.filter(({ severity }) => severity === 'error')).toHaveLength(1)
    expect(errors.find(({ severity }) => severity === 'error')?.message).toMatch(/c\.sol.*not found/)
  },
)

test('a compiler that never ends is ended', async () => {
  const file = await build('endless', 'for (;;) {}')
  await expect(runCompiler(file, '{}', { ...limits, seconds: 2 })).rejects.toThrow(
    new CompilerFailure('the compiler took longer than 2 seconds'),
  )
})

test('a compiler that takes too much memory is ended, on the heap and in WebAssembly', async () => {
  const file = await build('hungry', 'const kept = []; for (;;) kept.push({ text: String(Math.random()) })')
  await expect(runCompiler(file, '{}', { ...limits, memoryMegabytes: 64 })).rejects.toThrow(
    'the compiler needed more than 64 megabytes',
  )
  const growing = await build(
    'growing',
    'const memory = new WebAssembly.Memory({ initial: 1 }); for (;;) memory.grow(64)',
  )
  await expect(runCompiler(growing, '{}', { ...limits, memoryMegabytes: 64 })).rejects.toThrow(
    'the compiler needed more than 64 megabytes',
  )
})

test('an answer that is too long ends the compiler', async () => {
  const file = await build('long', "return 'x'.repeat(1_000_000)")
  await expect(runCompiler(file, '{}', { ...limits, outputBytes: 1_000 })).rejects.toThrow(
    'the compiler wrote more than 1000 bytes',
  )
})

test('a compiler that fails, or is none, gives no details of the process', async () => {
  const file = await build('broken', "throw new Error('/home/somebody')")
  await expect(runCompiler(file, '{}', limits)).rejects.toThrow('the compiler ended without an answer')
})

test('a compiler has none of our environment', async () => {
  process.env['A_SECRET_OF_TESTS'] = 'secret'
  const file = await build('curious', 'return JSON.stringify(process.env)')
  expect(await runCompiler(file, '{}', limits)).not.toContain('A_SECRET_OF_TESTS')
  delete process.env['A_SECRET_OF_TESTS']
})

test('who no longer waits ends the compiler', async () => {
  const file = await build('waiting', 'for (;;) {}')
  const gone = new AbortController()
  const running = runCompiler(file, '{}', limits, gone.signal)
  gone.abort(new Error('nobody waits'))
  await expect(running).rejects.toThrow('nobody waits')
})
