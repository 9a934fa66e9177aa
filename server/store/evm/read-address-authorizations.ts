import { digits, hex, integer, type Fields } from '../json-rows.ts'

/**
 * SQL for the authorizations that an address signed, in order: one index range. `bounds` restricts
 * `number` and `tx_index`.
 */
export function authorizationBranch(
  order: 'asc' | 'desc',
  cap: number,
  { address, bounds, limit }: { address: string; bounds: string; limit: string },
): string {
  const sort = `order by number ${order}, tx_index ${order}, index ${order}`
  return `
    (select * from (
       select number, tx_index, index, address, nonce from authorizations
       where chain = $1 and authority = ${address} and ${bounds} ${sort} limit ${cap}) range
     ${sort} limit ${limit})`
}

/** The fields of an authorization `a`; `address` is the contract whose code the signer takes. */
export const authorizationFields = {
  index: integer('a.index'),
  address: hex('a.address'),
  nonce: digits('a.nonce'),
} satisfies Fields
