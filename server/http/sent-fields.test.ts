import { expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../../contract/operations.ts'
import { lackedFields, sentFields } from './sent-fields.ts'

/** Lists that an answer may do without, and when. */
const absent = {
  // Of a block that is not traced: an empty list would say that there are none.
  internalTransactions: 'the block is not traced',
  // What an answer does not know; few chains ever have any.
  untracedBlocks: 'every block is traced',
  unknownPeriods: 'every period is known',
  // Of the kinds of transfers that a hosted service leaves out when there are none.
  erc20Transfers: 'no such transfers',
  erc721Transfers: 'no such transfers',
  erc1155Transfers: 'no such transfers',
  logs: 'hosted services have none',
  enabledFeatures: 'hosted services only',
  reputationReasons: 'no reputation',
  // Parts of a record of one chain alone, which the record of another one does not have.
  unlocked: 'X-chain only',
  locked: 'X-chain only',
  amountUnlocked: 'X- and C-chain only',
  amountCreated: 'X- and C-chain only',
  vertices: 'X-chain only',
  evmInputs: 'C-chain only',
  evmOutputs: 'C-chain only',
  credentials: 'consumed UTXOs only',
  authorityAddresses: 'a SetAutoRenewedValidatorConfigTx does not name them',
  // A genesis is shown as it was written.
  adminAddresses: 'genesis',
  managerAddresses: 'genesis',
  enabledAddresses: 'genesis',
  // Of a round of signatures, once there is a result.
  results: 'a round that goes on',
  functions: 'no ABI is known',
} as const

const isList = (schema: unknown): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault
    ? isList(schema.unwrap())
    : schema instanceof z.ZodArray

/** The lists of an answer that may be absent. */
function optionalLists(schema: unknown): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return optionalLists(schema.unwrap())
  if (schema instanceof z.ZodArray) return optionalLists(schema.element)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(optionalLists)
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries<unknown>(schema.shape).flatMap(([name, field]) => {
    const isOptional = field instanceof z.ZodOptional && field.meta()?.['alwaysSent'] !== true
    return [...(isOptional && isList(field) ? [name] : []), ...optionalLists(field)]
  })
}

test.each(operations.map(({ id, response }) => [id, response] as const))(
  '%s has its lists when they are empty',
  (_id, response) => {
    expect(optionalLists(response).filter((name) => !(name in absent))).toEqual([])
  },
)

test('the lists of a transaction of the primary network are always sent, in lists and alone', () => {
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

test('a field that an answer lacks is named, and one of a record that is absent is not', () => {
  const paths = [
    ['rows', '[]', 'list'],
    ['part', 'list'],
  ]
  expect(lackedFields({ rows: [{ list: [] }, {}], part: {} }, paths)).toEqual(['rows.[].list', 'part.list'])
  expect(lackedFields({ rows: [] }, paths)).toEqual([])
})
