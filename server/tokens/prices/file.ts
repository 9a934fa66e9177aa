import { readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import { SettingsError } from '../../kernel/settings/config.ts'
import { whyUnreadable } from '../../kernel/unreadable.ts'
import { dayOf, isDayKnown, PriceBook } from './document.ts'
import type { Prices } from './prices.ts'

/** Milliseconds between checks for changes of the file. */
const checkEvery = 30_000

const defaultLabel = 'prices of a file'

/**
 * Prices from a JSON file. It is read when the service starts (a SettingsError if it is invalid), and again
 * when it has changed. If the changed file is invalid, the prices stay unchanged, and the log reports it
 * once.
 */
export function openPriceFile(
  path: string,
  logger: Pick<FastifyBaseLogger, 'warn'>,
  now: () => number = () => performance.now(),
): Prices {
  const first = openFirst(path)
  let { book, version } = first
  let looked = now()
  let checking: Promise<void> | undefined
  let warned: string | undefined

  const check = async (): Promise<void> => {
    try {
      const found = versionOf(await stat(path))
      if (found === version) return
      version = found
      book = new PriceBook(JSON.parse(await readFile(path, 'utf8')))
      warned = undefined
    } catch (error) {
      const reason = whyUnreadable(error)
      if (reason !== warned) logger.warn({ reason }, 'the changed price file cannot be used')
      warned = reason
    }
  }

  return {
    label: first.book.label ?? defaultLabel,
    async on(timestamp, currency) {
      if (now() - looked >= checkEvery) {
        looked = now()
        checking = check()
      }
      await checking
      if (!isDayKnown(timestamp)) return () => undefined
      const day = dayOf(timestamp)
      return (asset) => book.priceOf(asset, day, currency)
    },
  }
}

const versionOf = ({ mtimeMs, size }: { mtimeMs: number; size: number }): string => `${mtimeMs} ${size}`

function openFirst(path: string): { book: PriceBook; version: string } {
  try {
    // A write between the two calls is detected by the first check.
    const version = versionOf(statSync(path))
    return { version, book: new PriceBook(JSON.parse(readFileSync(path, 'utf8'))) }
  } catch (error) {
    throw new SettingsError([`prices.file: ${path}: ${whyUnreadable(error)}; allowed: a JSON file of prices`])
  }
}
