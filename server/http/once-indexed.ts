import { notIndexedHeader } from '../../contract/base/errors.ts'
import type { Operation } from '../../contract/base/operation.ts'
import { HttpError } from '../kernel/http-errors.ts'
import { JsonText, type Implementation } from './bind.ts'
import { toJson } from './json.ts'
import type { RouteContext } from './route-context.ts'

/** The progress of a chain whose index is behind its node, in words and as the header has it. */
export type Behind = {
  readonly progress: string
  readonly mark: string
}

/** What the index has of a chain, and its node; a head is null before the first block. */
export type Indexed = {
  readonly state: string | null
  readonly head: bigint | null
  readonly node: bigint | null
}

/** Whether a chain is further behind its node than `lagLimit`, so that what is now is the node's to say. */
export function isBehind({ state, head, node }: Indexed, lagLimit: number): boolean {
  return head === null || state === 'stopped' || (node ?? 0n) - head > BigInt(lagLimit)
}

/** How far the index of a chain is. `name` is its name in words, `id` that in the header. */
export function behindOf(name: string, id: string, { state, head, node }: Indexed): Behind {
  const at = head === null ? 'has no indexed block' : `is indexed to block ${head}`
  const of = head === null || node === null ? '' : ` of ${node}`
  const stopped = state === 'stopped' ? ', and its indexer has stopped' : ''
  return {
    progress: `${name} ${at}${of}${stopped}`,
    mark: [id, head ?? '-', node ?? '-'].join(' '),
  }
}

/** 503: only the index knows it, and is behind its node. */
export class NotYetKnown extends HttpError {
  constructor({ progress, mark }: Pick<Behind, 'progress' | 'mark'>) {
    super(503, `not known yet: ${progress}`, { headers: { [notIndexedHeader]: mark } })
    this.name = 'NotYetKnown'
  }
}

/** A request about a block that the index does not have; a 503 while that is behind. */
export class NotIndexed extends HttpError {
  constructor(status: 400 | 404, detail: string) {
    super(status, status === 400 ? [detail] : detail)
    this.name = 'NotIndexed'
  }
}

/** What is read of some chains, once for all requests until one of them moves. `Value` is of JSON. */
export async function readOnce<Value>(
  { headCache }: Pick<RouteContext, 'headCache'>,
  scope: string,
  topics: readonly string[],
  read: () => Promise<Value>,
): Promise<Value> {
  const { text } = await headCache.get(`chains behind ${scope}`, topics, async () => toJson(await read()))
  return JSON.parse(text) as Value
}

type Input = Parameters<Implementation['handle']>[0]

/** Operations of some chains. */
export type Rule = {
  readonly isOfThem: (operation: Operation) => boolean
  /** The chains of a request that are behind. */
  readonly readBehind: (operation: Operation, input: Input) => Promise<readonly Behind[]>
  /** Operations whose 404 is not the index's: they have asked the node, too, or are of what no block holds. */
  readonly isAskedElsewhere: ReadonlySet<string>
  /** Operations whose lists may be empty although the index is behind: those about given blocks or transactions. */
  readonly isTrueEmpty?: ReadonlySet<string>
}

/** Operations that answer with a list, or a count, and are not called so. */
const otherLists: ReadonlySet<string> = new Set([
  'getVertexGraph',
  'getMetric',
  'getAverageTps',
  'getNetworkMetric',
  'countDistinct',
])
const isList = (id: string): boolean => /^(list|rank)/.test(id) || otherLists.has(id)

/** The most characters of the JSON of a list without rows. */
const maxEmpty = 256

/**
 * Whether the answer is a list of the index without rows, or a count of 0. That of a node has `isIndexed`, and is known to
 * be empty.
 */
function isEmpty(answer: unknown): boolean {
  if (answer instanceof JsonText) return answer.text.length <= maxEmpty && isEmpty(JSON.parse(answer.text))
  const { isIndexed, nextPageToken, value = 0, ...fields } = answer as Record<string, unknown>
  const lists = Object.values(fields).filter((each) => Array.isArray(each))
  const isOfIndex = isIndexed === undefined && nextPageToken === undefined
  return isOfIndex && value === 0 && lists.every((each) => each.length === 0)
}

/** The most chains that the header names. */
const maxMarks = 16

/**
 * Operations while the index of their chain is behind its node: a list that would be empty, and a 404 of what only the index
 * knows, are a 503 that says how far the index is, because neither is true of the chain. All other answers have a header
 * that says so, because they may lack rows. Operations that no rule is about stay as they are.
 */
export function onceIndexed(
  rules: readonly Rule[],
  implementations: readonly Implementation[],
): Implementation[] {
  return implementations.map((implementation) => {
    const { operation, handle } = implementation
    const rule = rules.find((each) => each.isOfThem(operation))
    return rule ? { ...implementation, handle: onceKnown(rule, operation, handle) } : implementation
  })
}

function onceKnown(rule: Rule, operation: Operation, handle: Implementation['handle']) {
  const { id } = operation
  const mayBeEmpty = !isList(id) || rule.isTrueEmpty?.has(id) === true
  return async (...[input, setHeaders]: Parameters<typeof handle>): Promise<unknown> => {
    // Read before the answer is: an index that catches up meanwhile has not made an empty one true.
    const chains = await rule.readBehind(operation, input)
    const [behind] = chains
    if (!behind) return handle(input, setHeaders)
    let answer
    try {
      answer = await handle(input, setHeaders)
    } catch (error) {
      const isUnknown = error instanceof HttpError && error.status === 404 && !rule.isAskedElsewhere.has(id)
      throw isUnknown || error instanceof NotIndexed ? new NotYetKnown(behind) : error
    }
    const { pageToken } = input.query as { pageToken?: string }
    if (!mayBeEmpty && pageToken === undefined && isEmpty(answer)) throw new NotYetKnown(behind)
    const marks = chains.slice(0, maxMarks).map(({ mark }) => mark)
    setHeaders({ [notIndexedHeader]: marks.join(', ') })
    return answer
  }
}
