import { readFileSync } from 'node:fs'
import type { Abi, Hex } from 'viem'

const { contracts } = JSON.parse(
  readFileSync(new URL('../../sample/contracts/contracts.json', import.meta.url), 'utf8'),
) as { contracts: Record<string, { abi: Abi; bytecode: Hex }> }

/** A contract of `sample/contracts`, compiled. Throws for a name that none has. */
export function compiledContract(name: string): { abi: Abi; bytecode: Hex } {
  const found = contracts[name]
  if (!found) throw new Error(`${name} is not compiled`)
  return found
}
