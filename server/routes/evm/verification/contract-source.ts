import { keccak256, type AbiFunction } from 'viem'
import { getContractSource } from '../../../../contract/evm/verification.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'
import { codeOf } from '../../../node/state.ts'
import {
  readVerified,
  readVerifiedByCode,
  type VerifiedContract,
} from '../../../store/evm/contracts/verified-contracts.ts'
import { decodeValues, toText } from '../../../tokens/abi/decode.ts'
import { typeText } from '../../../tokens/abi/arguments.ts'

/**
 * Only in Ridgeline: the sources of a contract. They are those that were checked for its address, if it still has the code
 * that they were checked against, else those of a contract with the same code.
 */
export function contractSourceRoutes({ chains, nodes, store }: RouteContext): Implementation[] {
  return [
    implement(getContractSource, async ({ params }) => {
      const chain = chains.find(params.chainId)
      const address = params.address.toLowerCase()
      const code = await codeOf(nodes.of(chain), address)
      const hash = bytesOf(keccak256(code))
      const { database } = store.get()
      const own = await readVerified(database, chain.key, bytesOf(address), hash)
      const row = own ?? (code === '0x' ? undefined : await readVerifiedByCode(database, chain.key, hash))
      return row ? { source: describe(row, own === undefined) } : {}
    }),
  ]
}

function describe(row: VerifiedContract, isOther: boolean) {
  const sources = Object.entries(JSON.parse(row.sources) as Record<string, { content: string }>)
  const { values = {} } = JSON.parse(row.runtime_changes ?? row.creation_changes ?? '{}') as {
    values?: { libraries?: Record<string, string> }
  }
  // The arguments are those of the contract itself: one with the same code was created with others.
  const args = isOther ? undefined : constructorArguments(row)
  return {
    name: row.name,
    path: row.path,
    ...(isOther && { sameCodeAs: { chainId: row.chain.toString(), address: hexOf(row.address) } }),
    ...(!isOther && row.made_by && { madeBy: hexOf(row.made_by) }),
    ...(row.runtime_match !== null && { runtimeMatch: row.runtime_match }),
    ...(row.creation_match !== null && !isOther && { creationMatch: row.creation_match }),
    verifiedTimestamp: Number(row.verified_ts),
    language: row.language,
    compilerVersion: row.compiler,
    compilerSettings: JSON.parse(row.settings) as Record<string, unknown>,
    ...(args && { constructorArguments: args }),
    libraries: Object.entries(values.libraries ?? {}).map(([name, address]) => ({ name, address })),
    sources: sources
      .sort(([a], [b]) => Number(b === row.path) - Number(a === row.path) || (a < b ? -1 : 1))
      .map(([path, { content }]) => ({ path, content })),
  }
}

const hexOf = (bytes: Uint8Array): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`

function constructorArguments({ constructor_arguments: data, abi }: VerifiedContract) {
  if (data === null) return undefined
  const items = JSON.parse(abi) as { type: string; inputs?: AbiFunction['inputs'] }[]
  const { inputs = [] } = items.find(({ type }) => type === 'constructor') ?? {}
  // They were decoded when the sources were checked.
  const values = decodeValues(inputs, hexOf(data))
  return {
    data: hexOf(data),
    args: inputs.map((input, index) => ({
      name: input.name ?? '',
      type: typeText(input),
      value: toText(values[index], input),
    })),
  }
}
