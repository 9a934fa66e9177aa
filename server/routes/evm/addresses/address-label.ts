import type { FastifyRequest } from 'fastify'
import { getAddressLabel, setAddressLabel, type AddressLabel } from '../../../../contract/evm/labels.ts'
import { behind, implement, type Implementation } from '../../../http/bind.ts'
import { bytesOf, type RouteContext } from '../../../http/route-context.ts'
import { readAbi } from '../../../kernel/settings/abi-file.ts'
import { badRequest, HttpError } from '../../../kernel/http-errors.ts'
import { dropLabel, keepLabel, readLabel, type LabelRow } from '../../../store/evm/address-labels.ts'

/** Only in Ridgeline: what somebody who may has said of an address, and to say it (contract/evm/labels.ts). */
export function addressLabelRoutes({ chains, store, access, clock }: RouteContext): Implementation[] {
  return [
    implement(getAddressLabel, async ({ params, request }) => {
      const chain = chains.find(params.chainId)
      const row = await readLabel(store.get().database, chain.key, bytesOf(params.address.toLowerCase()))
      return {
        ...(row && { label: describe(row) }),
        mayChange: access.denialOf(request, 'label') === undefined,
      }
    }),

    behind(
      'label',
      implement(setAddressLabel, async ({ params, body: { name, abi }, request }) => {
        const chain = chains.find(params.chainId)
        const address = bytesOf(params.address.toLowerCase())
        if (name === undefined && abi === undefined) {
          await store.write((sql) => dropLabel(sql, chain.key, address))
          return {}
        }
        if (abi) checked(abi)
        const row: LabelRow = {
          chain: chain.key,
          address,
          name: name ?? null,
          abi: abi ? JSON.stringify(abi) : null,
          given_by: callerName(request),
          given_ts: BigInt(clock()),
        }
        if (!(await store.write((sql) => keepLabel(sql, row))))
          throw new HttpError(409, 'there are too many labels: remove some first')
        return { label: describe(row) }
      }),
    ),
  ]
}

/** Throws a 400 for what is not an ABI, or has neither functions nor events nor errors. */
function checked(abi: readonly unknown[]): void {
  let items
  try {
    items = readAbi(abi, 'abi')
  } catch (error) {
    throw badRequest((error as Error).message)
  }
  if (items.length === 0) throw badRequest('abi: it has no function, event or error')
  // PostgreSQL's text has no NUL.
  if (JSON.stringify(abi).includes(String.raw`\u0000`)) throw badRequest('abi: it holds a zero byte')
}

const callerName = ({ caller }: FastifyRequest): string =>
  caller.kind === 'key' || caller.kind === 'user' ? `${caller.kind} ${caller.name}` : 'operator'

const describe = ({ name, abi, given_by: givenBy, given_ts: time }: LabelRow): AddressLabel => ({
  ...(name !== null && { name }),
  ...(abi !== null && { abi: JSON.parse(abi) as unknown[] }),
  givenBy,
  givenTimestamp: Number(time),
})
