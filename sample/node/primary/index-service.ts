import type { Container } from '../../primary/ledger.ts'
import type { Params, Methods } from '../rpc/json2.ts'
import { ServiceError } from '../rpc/service-errors.ts'
import { encodingArg, idArg, numberArg } from '../rpc/args.ts'
import type { Json } from '../rpc/go-json.ts'
import { cb58 } from '../../../protocol/ids/text.ts'
import { encode, timeText, type Encoding } from '../rpc/encodings.ts'

/** The containers of one index, in order of acceptance. */
export type ContainerSource = {
  count(): number | Promise<number>
  /** The containers from `start` (inclusive) to `end` (exclusive), all below the count. */
  range(start: number, end: number): readonly Container[] | Promise<readonly Container[]>
  indexOf(id: string): number | undefined | Promise<number | undefined>
}

const maxFetched = 1024

/** The methods of one index's service, `index.…`, by name. */
export function indexMethods(source: ContainerSource): Methods {
  async function countOf(): Promise<number> {
    const count = await source.count()
    if (count === 0) throw new ServiceError('no containers have been accepted')
    return count
  }

  function formatted({ id, bytes, time, index }: Container, encoding: Encoding): Json {
    return {
      id: cb58(id),
      bytes: encode(encoding, bytes),
      timestamp: timeText(time),
      encoding,
      index: String(index),
    }
  }

  async function one(index: number, params: Params): Promise<Json> {
    const encoding = encodingArg(params)
    const [found] = await source.range(index, index + 1)
    if (found === undefined) throw new ServiceError(`no container at index ${index}`)
    return formatted(found, encoding)
  }

  async function indexArg(params: Params): Promise<number> {
    const found = await source.indexOf(idArg(params, 'id'))
    if (found === undefined) throw new ServiceError('not found')
    return found
  }

  return {
    getLastAccepted: async (params) => one((await countOf()) - 1, params),
    async getContainerByIndex(params) {
      const wanted = numberArg(params, 'index')
      if (wanted >= BigInt(await source.count())) throw new ServiceError(`no container at index ${wanted}`)
      return one(Number(wanted), params)
    },
    getContainerByID: async (params) => one(await indexArg(params), params),
    async getContainerRange(params) {
      const start = numberArg(params, 'startIndex')
      const wanted = numberArg(params, 'numToFetch')
      const encoding = encodingArg(params)
      if (wanted === 0n || wanted > BigInt(maxFetched)) {
        throw new ServiceError(`numToFetch must be in [1,${maxFetched}] but is ${wanted}`)
      }
      const count = await countOf()
      if (start >= BigInt(count)) {
        throw new ServiceError(`start index (${start}) > last accepted index (${count - 1})`)
      }
      const from = Number(start)
      const containers = await source.range(from, Math.min(from + Number(wanted), count))
      return { containers: containers.map((each) => formatted(each, encoding)) }
    },
    getIndex: async (params) => ({ index: String(await indexArg(params)) }),
    isAccepted: async (params) => ({
      isAccepted: (await source.indexOf(idArg(params, 'id'))) !== undefined,
    }),
  }
}
