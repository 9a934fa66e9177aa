import { type Hex, encodeDeployData, encodeFunctionData } from 'viem'
import { artefacts } from '../contracts/artefacts.ts'

/** A contract compiled by compile.mjs. */
export type ArtefactName = keyof typeof artefacts

/** A transaction without its sender, nonce and price. Without `to` it is a creation. */
export type Draft = {
  readonly to?: Hex
  readonly data?: Hex
  /** Wei. */
  readonly value?: bigint
  readonly gas: number
}

/** A call of a contract's function. */
export function call(
  name: ArtefactName,
  to: Hex,
  gas: number,
  functionName: string,
  args: readonly unknown[] = [],
  value = 0n,
): Draft {
  const data = encodeFunctionData({ abi: artefacts[name].abi, functionName, args })
  return { to, data, gas, ...(value > 0n ? { value } : {}) }
}

/** The creation of a contract. */
export function deploy(contract: ArtefactName, args: readonly unknown[], gas = 2_600_000): Draft {
  const { abi, bytecode } = artefacts[contract]
  return { data: encodeDeployData({ abi, bytecode, args }), gas }
}
