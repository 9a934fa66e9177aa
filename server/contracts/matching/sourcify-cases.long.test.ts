import { expect, test } from 'vitest'
import { compileContract } from '../compiler/compile.ts'
import { runCompiler } from '../compiler/run-compiler.ts'
import { compilerFile, testCompilers } from '../testing/compilers.ts'
import { sourcifyCases } from '../testing/sourcify-cases.ts'
import { readStandardJson } from '../verification/request.ts'
import { matchContract, type CodeMatch } from './match.ts'

const limits = { seconds: 120, memoryMegabytes: 1_024, outputBytes: 50_000_000 }

const fileOf = (version: string): string => {
  const names = Object.keys(testCompilers) as (keyof typeof testCompilers)[]
  const name = names.find((each) => testCompilers[each] === version)
  if (!name) throw new Error(`no compiler ${version}`)
  return compilerFile(name)
}

test.each(sourcifyCases)('$name: the verdict of Sourcify', async (given) => {
  const { input, target } = readStandardJson(
    given.stdJsonInput,
    given.compilerVersion,
    given.contractIdentifier,
  )
  const file = fileOf(given.compilerVersion)
  const { compiled } = await compileContract(input, target, (text) => runCompiler(file, text, limits))
  const verdict = matchContract(compiled, {
    runtime: given.onchain.deployedBytecode.slice(2),
    creation: given.onchain.creationBytecode.slice(2),
  })
  if (typeof verdict === 'string') throw new Error(verdict)
  const told = (match: CodeMatch | undefined) => ({
    match: match?.match ?? null,
    transformations: match?.transformations ?? null,
    values: match?.values ?? null,
  })
  const { expected } = given
  expect({ runtime: told(verdict.runtime), creation: told(verdict.creation) }).toEqual({
    runtime: {
      match: expected.runtimeMatch,
      transformations: expected.runtimeTransformations,
      values: expected.runtimeValues,
    },
    creation: {
      match: expected.creationMatch,
      transformations: expected.creationTransformations,
      values: expected.creationValues,
    },
  })
})
