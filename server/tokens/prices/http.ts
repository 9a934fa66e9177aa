import type { FastifyBaseLogger } from 'fastify'
import type { PriceUrlConfig } from '../../kernel/settings/config.ts'
import { dayOf, isDayKnown, PriceBook, PriceDocumentError } from './document.ts'
import type { Prices } from './prices.ts'
import { within } from '../../kernel/within.ts'

/** Milliseconds for which the document of the current day, and that of a past day, are cached. */
const keepFor = { running: 10 * 60_000, past: 24 * 60 * 60_000 } as const
/** Milliseconds until a failed source is asked again. */
const leaveAlone = 30_000
/** Maximum number of cached documents; the oldest is evicted first. */
const maxKept = 64

type Kept = { readonly until: number; readonly book: Promise<PriceBook | undefined> }

type PriceSourceClock = {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
  /** Unix seconds. */
  readonly today: () => number
}

const defaultClock: PriceSourceClock = { now: () => performance.now(), today: () => Date.now() / 1000 }

/**
 * Prices from a source on the network. It is requested once per required day, at `url` with `{day}` replaced,
 * and answers with a price document that may also contain the seven previous days. An answer that is late,
 * too large or invalid means no prices, and one line in the log until the source answers again. Redirects are
 * not followed. The URL may contain a key, so it appears in no message.
 */
export function createPriceSource(
  config: PriceUrlConfig,
  logger: Pick<FastifyBaseLogger, 'warn'>,
  clock: PriceSourceClock = defaultClock,
): Prices {
  const kept = new Map<string, Kept>()
  const { host } = new URL(config.url.replaceAll('{day}', '2026-01-01'))
  let failing = false
  let silentUntil = Number.NEGATIVE_INFINITY

  const load = async (day: string): Promise<PriceBook | undefined> => {
    try {
      const book = await within(config.timeoutMs, (signal) => fetchBook(config, day, signal))
      failing = false
      return book
    } catch (error) {
      silentUntil = clock.now() + leaveAlone
      if (!failing) logger.warn({ host, reason: reasonOf(error) }, 'the price source gave no usable answer')
      failing = true
      return undefined
    }
  }

  const bookOf = (day: string): Promise<PriceBook | undefined> => {
    const now = clock.now()
    const found = kept.get(day)
    if (found && found.until > now) return found.book
    if (silentUntil > now) return Promise.resolve(undefined)
    const book = load(day)
    kept.delete(day)
    const life = day < dayOf(clock.today()) ? keepFor.past : keepFor.running
    kept.set(day, { until: now + life, book })
    void book.then((answer) => {
      if (answer === undefined && kept.get(day)?.book === book) kept.delete(day)
    })
    for (const oldest of kept.keys()) {
      if (kept.size <= maxKept) break
      kept.delete(oldest)
    }
    return book
  }

  return {
    label: config.label ?? `prices of ${host}`,
    async on(timestamp, currency) {
      if (!isDayKnown(timestamp)) return () => undefined
      const day = dayOf(timestamp)
      const book = await bookOf(day)
      return (asset) => book?.priceOf(asset, day, currency)
    },
  }
}

/** Why a source's answer is unusable, without the URL. */
class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer'
}

async function fetchBook(config: PriceUrlConfig, day: string, signal: AbortSignal): Promise<PriceBook> {
  const response = await fetch(config.url.replaceAll('{day}', day), {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal,
  })
  if (!response.ok || !response.body) {
    await response.body?.cancel()
    throw new UnusableAnswer(`answered ${response.status}`)
  }
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > config.maxBytes) throw new UnusableAnswer(`answered more than ${config.maxBytes} bytes`)
    text += decoder.decode(chunk, { stream: true })
  }
  return new PriceBook(JSON.parse(text + decoder.decode()))
}

/** Errors of fetch may contain the URL, so only their kind is reported. */
function reasonOf(error: unknown): string {
  if (error instanceof UnusableAnswer) return error.message
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'did not answer in time'
  if (error instanceof PriceDocumentError || error instanceof SyntaxError) return 'answered no price document'
  const { code } = (error.cause ?? {}) as { code?: unknown }
  return `the connection failed (${typeof code === 'string' ? code : 'unknown'})`
}
