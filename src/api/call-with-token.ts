import type { Operation, ResponseOf } from '../../contract/base/operation.ts'
import type { Request } from './client.ts'
import { tokenHeader } from './local-token.ts'
import { session } from './session.ts'

/**
 * Calls an operation that asks who the caller is, such as those of the validator watch and of SQL: with the local token
 * if this browser has it.
 */
export async function callWithToken<O extends Operation>(
  operation: O,
  request: Request<O> = {},
): Promise<ResponseOf<O>> {
  const { profile, client } = await session()
  return client.call(operation, { ...request, headers: tokenHeader(profile) })
}
