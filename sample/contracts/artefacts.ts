import type { Abi, Hex } from 'viem'
import compiled from './contracts.json' with { type: 'json' }
import { isHex } from '../kernel/hex.ts'

/** A compiled contract of this folder. */
type Artefact = {
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
  Elastic: artefact('Elastic'),
  Taxed: artefact('Taxed'),
  Wrapper: artefact('Wrapper'),
  ShortText: artefact('ShortText'),
  Faceless: artefact('Faceless'),
  Garbled: artefact('Garbled'),
  Longwinded: artefact('Longwinded'),
  YeaSayer: artefact('YeaSayer'),
  Flyer: artefact('Flyer'),
  Confetti: artefact('Confetti'),
  Gallery: artefact('Gallery'),
  Unlabelled: artefact('Unlabelled'),
  Glyphs: artefact('Glyphs'),
  Relics: artefact('Relics'),
  Twofold: artefact('Twofold'),
  Shared: artefact('Shared'),
  SharedRenamed: artefact('SharedRenamed'),
  SlotProxy: artefact('SlotProxy'),
  Beacon: artefact('Beacon'),
  BeaconProxy: artefact('BeaconProxy'),
  CloneMaker: artefact('CloneMaker'),
  Foundry: artefact('Foundry'),
  Workshop: artefact('Workshop'),
  Cast: artefact('Cast'),
  WarpPrecompile: artefact('WarpPrecompile'),
  Messenger: artefact('Messenger'),
  ValidatorManager: artefact('ValidatorManager'),
}
