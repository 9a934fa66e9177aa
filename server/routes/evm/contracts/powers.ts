import { toFunctionSelector } from 'viem'
import { getContractPowers } from '../../../../contract/evm/contract-code.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import type { NodeClient } from '../../../node/client.ts'
import { findProxy } from '../../../node/proxy.ts'
import { askContract, codeOf, isContractCode } from '../../../node/state.ts'
import { powerTopic } from '../../../store/evm/contracts/power-logs.ts'
import { readPowerLogs, type PowerLog } from '../../../store/evm/contracts/read-power-logs.ts'
import type { ContractAbi } from '../../../tokens/abi/operator.ts'
import { abiOf } from './contract-abi.ts'

/** Somebody with a power over a contract. */
export type PowerHolder = {
  readonly power: string
  readonly address: string
  readonly isContract: boolean
}

/**
 * The names by which contracts tell who may do what: OpenZeppelin's Ownable and its kin, and the roles of Circle's, Maker's
 * and Compound's contracts. Each takes nothing and returns an address.
 */
const powerNames = [
  'owner',
  'getOwner',
  'pendingOwner',
  'admin',
  'pendingAdmin',
  'governance',
  'governor',
  'guardian',
  'controller',
  'operator',
  'manager',
  'minter',
  'masterMinter',
  'pauser',
  'blacklister',
  'rescuer',
  'feeRecipient',
  'treasury',
  'timelock',
] as const

/** The holders of roles that are told, and the events of roles that are read. */
const maxHolders = 100
const maxEvents = 1_000

/** Only in Ridgeline: who has power over a contract (contract/evm/contracts.ts). */
export function contractPowerRoutes({ chains, nodes, abis, store }: RouteContext): Implementation[] {
  return [
    implement(getContractPowers, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const client = nodes.of(chain)
      const { database } = store.get()
      const code = await codeOf(client, address)
      if (code === '0x') return { holders: [] }
      const proxy = await findProxy(client, address, code)
      const abi = await abiOf(abis, database, chain, { address, code, proxy }, client)
      const [named, roles, paused] = await Promise.all([
        abi ? namedHolders(client, address, abi) : [],
        readPowerLogs(database, chain.key, [address], maxEvents).then((logs) =>
          roleHolders(client, logs, abi, address),
        ),
        abi?.functions.has(toFunctionSelector('paused()')) ? askWord(client, address, 'paused()') : undefined,
      ])
      return {
        ...(paused !== undefined && { isPaused: BigInt(paused) !== 0n }),
        holders: [...named, ...roles].slice(0, maxHolders),
      }
    }),
  ]
}

async function namedHolders(client: NodeClient, address: string, abi: ContractAbi): Promise<PowerHolder[]> {
  const asked = powerNames.filter((name) => {
    const known = abi.functions.get(toFunctionSelector(`${name}()`))
    return known?.item.outputs.length === 1 && known.item.outputs[0]?.type === 'address'
  })
  const found = await Promise.all(
    asked.map(async (name) => {
      const holder = await askAddress(client, address, `${name}()`)
      return holder === undefined ? undefined : holderOf(client, name, holder)
    }),
  )
  return found.filter((each) => each !== undefined)
}

/** Those who have a role now, by the grants and revocations that the contract emitted, the newest first. */
async function roleHolders(
  client: NodeClient,
  logs: readonly PowerLog[],
  abi: ContractAbi | undefined,
  address: string,
): Promise<PowerHolder[]> {
  const [granted, revoked] = [`0x${powerTopic('roleGranted')}`, `0x${powerTopic('roleRevoked')}`]
  const seen = new Set<string>()
  const held: { role: string; holder: string }[] = []
  for (const { topic0, topic1, topic2 } of logs) {
    if (topic1 === null || topic2 === null || (topic0 !== granted && topic0 !== revoked)) continue
    const key = `${topic1} ${topic2}`
    // The newest event of a role and an account decides.
    if (!seen.has(key) && topic0 === granted) held.push({ role: topic1, holder: `0x${topic2.slice(26)}` })
    seen.add(key)
  }
  if (held.length === 0) return []
  const names = await roleNames(client, address, abi)
  return Promise.all(
    held.slice(0, maxHolders).map(({ role, holder }) => holderOf(client, names.get(role) ?? role, holder)),
  )
}

/** The names of roles, by their values: the constants of the contract that end with `_ROLE`. */
async function roleNames(
  client: NodeClient,
  address: string,
  abi: ContractAbi | undefined,
): Promise<ReadonlyMap<string, string>> {
  const constants = [...(abi?.functions.values() ?? [])]
    .map(({ item }) => item)
    .filter(
      ({ name, inputs, outputs }) =>
        name.endsWith('_ROLE') && inputs.length === 0 && outputs[0]?.type === 'bytes32',
    )
    .slice(0, 32)
  const values = await Promise.all(constants.map(({ name }) => askWord(client, address, `${name}()`)))
  return new Map([
    // Whether the ABI names it or not, it is zero in every AccessControl.
    [`0x${'0'.repeat(64)}`, 'DEFAULT_ADMIN_ROLE'],
    ...constants.flatMap(({ name }, index): [string, string][] => {
      const value = values[index]
      return value === undefined ? [] : [[value, name]]
    }),
  ])
}

/** A holder, with whether it is a contract. */
export async function holderOf(client: NodeClient, power: string, address: string): Promise<PowerHolder> {
  const code = await codeOf(client, address)
  // An account that delegates (EIP-7702) is still somebody's.
  return { power, address, isContract: isContractCode(code) }
}

/** The address that a function without arguments returns; undefined if it refuses, or returns zero or something else. */
export async function askAddress(
  client: NodeClient,
  address: string,
  signature: string,
): Promise<string | undefined> {
  const word = await askWord(client, address, signature)
  return word !== undefined && /^0x0{24}(?!0{40})/.test(word) ? `0x${word.slice(26)}` : undefined
}

/** The word that a function without arguments returns; undefined if it refuses or returns anything else. */
async function askWord(client: NodeClient, address: string, signature: string): Promise<string | undefined> {
  const word = await askContract(client, address, toFunctionSelector(signature))
  return word.length === 66 ? word : undefined
}
