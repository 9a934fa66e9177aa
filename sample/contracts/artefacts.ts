import type { Abi } from 'viem'
import compiled from './contracts.json' with { type: 'json' }
import type { Hex } from '../evm/hex.ts'
import { isHex } from '../evm/hex.ts'

/** A compiled contract of this folder. */
export interface Artefact {
  readonly abi: Abi
  readonly bytecode: Hex
}

function artefact(name: keyof typeof compiled.contracts): Artefact {
  const { abi, bytecode } = compiled.contracts[name]
  if (!isHex(bytecode)) throw new Error(`contracts.json holds no bytecode of ${name}`)
  return { abi: abi as Abi, bytecode }
}

/** The contracts that the sample network deploys; compile.mjs makes their JSON. */
export const artefacts = {
  Token: artefact('Token'),
  Collectible: artefact('Collectible'),
  Items: artefact('Items'),
  Factory: artefact('Factory'),
  Vault: artefact('Vault'),
  Trouble: artefact('Trouble'),
  Splitter: artefact('Splitter'),
}
