import { expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../../contract/operations.ts'
import { lackedFields, sentFields } from './sent-fields.ts'

/** Lists that an answer may lack, with the reason. */
const absent = {
  // Of a block that is not traced: an empty list would say that there are none.
  internalTransactions: 'the block is not traced',
  // The answer has `missing` instead, which says why.
  calls: 'the node has no trace of them',
  abi: 'a label may be a name alone',
  // Unknown values; few chains ever have any.
  untracedBlocks: 'every block is traced',
  unknownPeriods: 'every period is known',
  notKept: 'every chain keeps all logs',
  // What is behind a proxy of several facets (EIP-2535); others have one.
  implementations: 'not a diamond',
  // Hardly anything in history is.
  oddHistory: 'nothing is odd about it',
  // Few accounts ever sign one.
  authorizations: 'it signed no authorization',
  // Transfers that a hosted service leaves out when there are none.
  erc20Transfers: 'no such transfers',
  erc721Transfers: 'no such transfers',
  erc1155Transfers: 'no such transfers',
  logs: 'hosted services have none',
  enabledFeatures: 'hosted services only',
  reputationReasons: 'no reputation',
  // Fields of some transaction types only.
  accessList: 'types 1 to 4 only',
  blobVersionedHashes: 'type 3 only',
  authorizationList: 'type 4 only',
  // Parts of a record of one chain, which records of other chains do not have.
  unlocked: 'X-Chain only',
  locked: 'X-Chain only',
  amountUnlocked: 'X- and C-Chain only',
  amountCreated: 'X- and C-Chain only',
  vertices: 'X-Chain only',
  evmInputs: 'C-Chain only',
  evmOutputs: 'C-Chain only',
  credentials: 'consumed UTXOs only',
  authorityAddresses: 'a SetAutoRenewedValidatorConfigTx does not name them',
  // A genesis is sent unchanged.
  adminAddresses: 'genesis',
  managerAddresses: 'genesis',
  enabledAddresses: 'genesis',
  // Fields of a signature round that has a result.
  results: 'a round that goes on',
  functions: 'no ABI is known',
  writeFunctions: 'no ABI is known',
  events: 'no ABI is known',
  components: 'not a tuple',
  outputs: 'the call failed',
  missingChains: 'every database server answers',
  // Quiet hours.
  days: 'every day',
} as const

const isList = (schema: unknown): boolean =>
  schema instanceof z.core.$ZodOptional ||
  schema instanceof z.core.$ZodNullable ||
  schema instanceof z.core.$ZodDefault
    ? isList(schema._zod.def.innerType)
    : schema instanceof z.core.$ZodArray

/** The lists of an answer that may be absent. */
function optionalLists(schema: unknown): string[] {
  if (schema instanceof z.core.$ZodOptional || schema instanceof z.core.$ZodNullable)
    return optionalLists(schema._zod.def.innerType)
  if (schema instanceof z.core.$ZodArray) return optionalLists(schema._zod.def.element)
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options.flatMap(optionalLists)
  if (!(schema instanceof z.core.$ZodObject)) return []
  return Object.entries<unknown>(schema._zod.def.shape).flatMap(([name, field]) => {
    const isOptional =
      field instanceof z.core.$ZodOptional && z.globalRegistry.get(field)?.['alwaysSent'] !== true
    return [...(isOptional && isList(field) ? [name] : []), ...optionalLists(field)]
  })
}

test.each(operations.map(({ id, response }) => [id, response] as const))(
  '%s has its lists when they are empty',
  (_id, response) => {
    expect(optionalLists(response).filter((name) => !(name in absent))).toEqual([])
  },
)

test('sends the lists of a primary network transaction always, in lists and alone', () => {
  const lists = [
    'consumedUtxos',
    'emittedUtxos',
    'value',
    'amountBurned',
    'amountStaked',
    'amountL1ValidatorBalanceBurned',
    'l1ValidatorDetails',
    'rewardAddresses',
  ]
  const pathsOf = (id: string): string[] =>
    sentFields(operations.find((each) => each.id === id)?.response).map((path) => path.join('.'))
  expect(pathsOf('getPrimaryTransaction')).toEqual(lists)
  expect(pathsOf('listPrimaryTransactions')).toEqual(lists.map((name) => `transactions.[].${name}`))
})

test('names a field that an answer lacks, but none of an absent record', () => {
  const paths = [
    ['rows', '[]', 'list'],
    ['part', 'list'],
  ]
  expect(lackedFields({ rows: [{ list: [] }, {}], part: {} }, paths)).toEqual(['rows.[].list', 'part.list'])
  expect(lackedFields({ rows: [] }, paths)).toEqual([])
})
