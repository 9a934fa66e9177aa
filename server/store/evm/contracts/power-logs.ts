import { keccak256, stringToBytes } from 'viem'

/** Events by which a contract's code, or who has power over it, changes; the names are their signatures. */
const powerEvents = {
  /** EIP-1967: proxies and beacons. */
  upgraded: 'Upgraded(address)',
  beaconUpgraded: 'BeaconUpgraded(address)',
  adminChanged: 'AdminChanged(address,address)',
  /** Compound: the old and the new implementation, neither indexed. */
  newImplementation: 'NewImplementation(address,address)',
  /** Safe, before 1.3. */
  changedMasterCopy: 'ChangedMasterCopy(address)',
  /** EIP-2535. */
  diamondCut: 'DiamondCut((address,uint8,bytes4[])[],address,bytes)',
  /** OpenZeppelin's AccessControl. */
  roleGranted: 'RoleGranted(bytes32,address,address)',
  roleRevoked: 'RoleRevoked(bytes32,address,address)',
} as const
export type PowerEvent = keyof typeof powerEvents

/** The first topic of an event, as hex without 0x. */
export const powerTopic = (event: PowerEvent): string => keccak256(stringToBytes(powerEvents[event])).slice(2)

const topics = (Object.keys(powerEvents) as PowerEvent[]).map((event) => `'\\x${powerTopic(event)}'`)

/** The condition for such logs, which a statement must have word for word for the planner to use their index. */
export const powerLogs = `topic0 in (${topics.join(', ')})`
