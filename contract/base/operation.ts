import * as z from 'zod/mini'

/** The API of an operation: the data API, the metrics API, or Ridgeline's own additions. */
type Api = 'data' | 'metrics' | 'ridgeline'

type Method = 'GET' | 'POST'

type Parameters = z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType>>>

/**
 * One REST operation: all data that the server, the client, the OpenAPI document and the forms need. `path`
 * contains its parameters in braces, as in the API reference.
 */
export type Operation<
  P extends Parameters = Parameters,
  Q extends Parameters = Parameters,
  R extends z.ZodMiniType = z.ZodMiniType,
  B extends z.ZodMiniType = z.ZodMiniType,
> = {
  readonly id: string
  readonly api: Api
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly params: P
  readonly query: Q
  readonly body?: B
  readonly response: R
  /** The media types of answers that are no JSON; if no answer is, `response` is of unknown shape. */
  readonly mediaTypes?: readonly string[]
  /** The status of success; 200 unless the interface or the hosted service says otherwise. */
  readonly success: number
}

const none = z.object({})
type None = typeof none

type Definition<
  P extends Parameters,
  Q extends Parameters,
  R extends z.ZodMiniType,
  B extends z.ZodMiniType,
> = Pick<Operation<P, Q, R, B>, 'id' | 'path' | 'summary' | 'tag' | 'response'> &
  Partial<Operation<P, Q, R, B>>

/** Defines an operation. Defaults: Ridgeline's own API, no parameters, method GET, success status 200. */
export const operation = <
  R extends z.ZodMiniType,
  P extends Parameters = None,
  Q extends Parameters = None,
  B extends z.ZodMiniType = z.ZodMiniType,
>(
  definition: Definition<P, Q, R, B>,
): Operation<P, Q, R, B> => ({
  api: 'ridgeline',
  method: 'GET',
  // The generics default to `None` exactly if the parameter is absent.
  params: none as unknown as P,
  query: none as unknown as Q,
  success: 200,
  ...definition,
})

/** Defines operations with the same tag. */
export const operationsOf =
  (tag: string) =>
  <
    R extends z.ZodMiniType,
    P extends Parameters = None,
    Q extends Parameters = None,
    B extends z.ZodMiniType = z.ZodMiniType,
  >(
    definition: Omit<Definition<P, Q, R, B>, 'tag'>,
  ): Operation<P, Q, R, B> =>
    operation<R, P, Q, B>({ ...definition, tag } as Definition<P, Q, R, B>)

export type ParamsOf<O extends Operation> = z.input<O['params']>
export type QueryOf<O extends Operation> = z.input<O['query']>
export type ResponseOf<O extends Operation> = z.output<O['response']>
/** The body of a request; undefined for an operation without a body. */
export type BodyOf<O extends Operation> =
  NonNullable<O['body']> extends infer B ? (B extends Parameters ? z.input<B> : undefined) : undefined

/**
 * The path and the query of a request for an operation. The query leaves out undefined and empty values; a list repeats its
 * parameter. Throws a TypeError for a lacking parameter of the path.
 */
export function requestPath(
  { id, path }: Operation,
  params: Readonly<Record<string, unknown>> = {},
  query: Readonly<Record<string, unknown>> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name]
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError(`${id} needs the parameter ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const item of (Array.isArray(value) ? value : [value]) as (string | number | boolean | undefined)[])
      if (item !== undefined && item !== '') search.append(name, String(item))
  const text = search.toString()
  return `${filled}${text && `?${text}`}`
}
