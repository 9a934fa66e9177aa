import type { FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import type { Operation, ResponseOf } from '../../contract/base/operation.ts'
import { parseLossless } from '../../contract/base/json.ts'
import { JsonText, type Implementation } from './bind.ts'
import { badRequest } from '../kernel/http-errors.ts'

/** The most items of one list that a picture is drawn from. */
const maxItems = 50_000

type Parameters<O extends Operation> = {
  readonly params: z.input<O['params']>
  readonly query: z.input<O['query']>
}

/**
 * Asks other operations of this service, in this process: a picture, or an answer made of several, shows what they
 * answer, and fails as they do.
 */
export class Ask {
  readonly #implementations: ReadonlyMap<string, Implementation>
  readonly #request: FastifyRequest

  /** `request` is that of the asking operation. */
  constructor(implementations: ReadonlyMap<string, Implementation>, request: FastifyRequest) {
    this.#implementations = implementations
    this.#request = request
  }

  /** The answer of an operation to parameters that its contract allows. */
  async one<O extends Operation>(operation: O, { params, query }: Parameters<O>): Promise<ResponseOf<O>> {
    const implementation = this.#implementations.get(operation.id)
    if (implementation === undefined) throw new Error(`${operation.id} is not implemented`)
    const input = {
      params: operation.params.parse(params),
      query: operation.query.parse(query),
      body: undefined,
      request: this.#request,
    }
    // The answer made of it has headers of its own.
    const answer = await implementation.handle(input, () => undefined)
    // The binding's own check of answers covers the same handler.
    return (answer instanceof JsonText ? parseLossless(answer.text) : answer) as ResponseOf<O>
  }

  /** All items of a list, over its pages. Throws a 400 if there are too many to be drawn. */
  async all<O extends Operation, Item>(
    operation: O,
    { params, query }: Parameters<O>,
    itemsOf: (page: ResponseOf<O>) => readonly Item[],
  ): Promise<Item[]> {
    const items: Item[] = []
    let pageToken: string | undefined
    do {
      const page = await this.one(operation, {
        params,
        query: { ...query, ...(pageToken !== undefined && { pageToken }) },
      } as Parameters<O>)
      items.push(...itemsOf(page))
      if (items.length > maxItems)
        throw badRequest([
          `there are more than ${maxItems.toLocaleString('en')} changes, too many for a picture`,
        ])
      pageToken = (page as { readonly nextPageToken?: string }).nextPageToken
    } while (pageToken !== undefined)
    return items
  }
}
