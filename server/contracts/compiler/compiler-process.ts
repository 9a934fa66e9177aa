import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { compileFunction } from 'node:vm'

/**
 * The program in which a Solidity compiler runs: reads `{file, memoryBytes, input}` from standard input, compiles the
 * standard JSON `input` by the Emscripten build `file`, and writes the compiler's answer to standard output. The compiler
 * sees only the sources of its input: without a callback for imports it has no way to files or the network.
 */

/** What of a build's module is used (the C interface of libsolc, libsolc/libsolc.h of argotorg/solidity). */
type Build = Readonly<Record<string, unknown>> & {
  cwrap(name: string, result: 'string', parameters: readonly string[]): (...values: unknown[]) => string
}

type Job = { readonly file: string; readonly memoryBytes: number; readonly input: string }

const pageBytes = 65_536

/** The memory of a WebAssembly program, which the types of Node leave out. */
type Memory = { readonly buffer: ArrayBuffer; grow(this: Memory, pages: number): number }

/** Refuses memory beyond the limit: the compiler then ends with an error of its own. */
function boundMemory(bytes: number): void {
  const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } })
    .WebAssembly.Memory
  const { grow } = prototype
  prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * pageBytes > bytes)
      throw new RangeError('the memory limit is reached')
    return grow.call(this, pages)
  }
}

function load(file: string): Build {
  const module = { exports: {} }
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname']
  // Builds of Emscripten ask for `fs` and `path` where they run under Node, and use neither.
  const require = (name: string): unknown => (name === 'path' ? { dirname } : {})
  const run = compileFunction(readFileSync(file, 'utf8'), parameters, { filename: file })
  run.call(module.exports, module.exports, require, module, file, dirname(file))
  return module.exports as Build
}

function compile(build: Build, input: string): string {
  // Since 0.5, and since 0.4.11.
  if (build['_solidity_compile'] !== undefined)
    return build.cwrap('solidity_compile', 'string', ['string', 'number', 'number'])(input, 0, 0)
  if (build['_compileStandard'] !== undefined)
    return build.cwrap('compileStandard', 'string', ['string', 'number'])(input, 0)
  throw new Error('this compiler takes no standard JSON')
}

const { file, memoryBytes, input } = JSON.parse(await text(process.stdin)) as Job
boundMemory(memoryBytes)
process.stdout.write(compile(load(file), input))
