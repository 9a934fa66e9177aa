import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * A contract of Sourcify's own tests: standard JSON, the codes on a chain, and Sourcify's verdict, copied from the
 * repository that `sourcify-cases.json` names (MIT).
 */
type SourcifyCase = {
  readonly name: string
  readonly compilerVersion: string
  readonly contractIdentifier: string
  readonly stdJsonInput: Record<string, unknown>
  readonly onchain: { readonly creationBytecode: string; readonly deployedBytecode: string }
  readonly expected: {
    readonly creationMatch: string | null
    readonly creationValues: unknown
    readonly creationTransformations: unknown
    readonly runtimeMatch: string | null
    readonly runtimeValues: unknown
    readonly runtimeTransformations: unknown
  }
}

/** All of them whose compilers the tests have. */
export const sourcifyCases = (
  JSON.parse(readFileSync(fileURLToPath(new URL('sourcify-cases.json', import.meta.url)), 'utf8')) as {
    cases: readonly SourcifyCase[]
  }
).cases

/** One of them by its name. */
export function sourcifyCase(name: string): SourcifyCase {
  const found = sourcifyCases.find((each) => each.name === name)
  if (!found) throw new Error(`no case ${name}`)
  return found
}
