import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import path from 'node:path'
import { writeJson } from '../rpc/go-json.ts'
import { ServiceError } from '../rpc/service-errors.ts'

/** From the quietest to the most talkative. */
export const LEVELS = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'TRACE', 'DEBUG', 'VERBO'] as const
export type Level = (typeof LEVELS)[number]

/** What a logger writes to its file, and what it also shows. */
export interface LoggerLevels {
  readonly logLevel: Level
  readonly displayLevel: Level
}

type Fields = Readonly<Record<string, unknown>>

/** One of the node's logs: a file of its own, `<name>.log`. */
export interface Logger {
  /** Whether a line of this level goes anywhere: asked before what is costly to word. */
  isOn(level: Level): boolean
  log(level: Level, message: string, fields?: Fields): void
}

/** The node's logs by their names. */
export interface Loggers {
  readonly names: readonly string[]
  of(name: string): Logger
  /** Throws `ServiceError` for a name that there is not. */
  levels(name: string): LoggerLevels
  /** Changes what is given and leaves the rest. Throws `ServiceError` for a name that there is not. */
  change(name: string, levels: Partial<LoggerLevels>): void
}

/** Where the logs are, and where lines are shown. */
export interface LogPlace {
  readonly folder: string
  show(line: string): void
  /** Milliseconds. */
  now(): number
}

/** The level of a text in any case; undefined when it is none. */
export function levelOf(text: string): Level | undefined {
  return LEVELS.find((level) => level === text.toUpperCase())
}

/** A file is moved aside at this size, and the one moved before is gone. */
const MOST_BYTES = 8 * 1024 * 1024

function stampOf(milliseconds: number): string {
  const iso = new Date(milliseconds).toISOString()
  return `${iso.slice(5, 10)}|${iso.slice(11, 23)}`
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Loggers of these names. They write INFO and what is graver, and show WARN and what is graver. */
export function createLoggers(names: readonly string[], place: LogPlace): Loggers {
  mkdirSync(place.folder, { recursive: true })
  const levels = new Map<string, LoggerLevels>(
    names.map((name) => [name, { logLevel: 'INFO', displayLevel: 'WARN' }]),
  )
  const sizes = new Map<string, number>()

  function found(name: string): LoggerLevels {
    const known = levels.get(name)
    if (known === undefined) throw new ServiceError(`logger with name ${JSON.stringify(name)} not found`)
    return known
  }

  function isWithin(level: Level, limit: Level): boolean {
    return LEVELS.indexOf(level) <= LEVELS.indexOf(limit)
  }

  const failing = new Set<string>()

  /** A log that cannot be written must not stop the node; it is said once. */
  function tryWrite(name: string, line: string): void {
    try {
      write(name, line)
      failing.delete(name)
    } catch (error) {
      if (failing.has(name)) return
      failing.add(name)
      place.show(`${name}.log cannot be written: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }

  function write(name: string, line: string): void {
    const file = path.join(place.folder, `${name}.log`)
    const size = sizes.get(name) ?? sizeOf(file)
    const bytes = Buffer.from(line)
    const isFull = size + bytes.length > MOST_BYTES
    if (isFull) renameSync(file, `${file}.old`)
    appendFileSync(file, bytes)
    sizes.set(name, (isFull ? 0 : size) + bytes.length)
  }

  return {
    names,
    of: (name) => ({
      isOn(level) {
        const { logLevel, displayLevel } = found(name)
        return isWithin(level, logLevel) || isWithin(level, displayLevel)
      },
      log(level, message, fields) {
        const { logLevel, displayLevel } = found(name)
        if (level === 'OFF' || !(isWithin(level, logLevel) || isWithin(level, displayLevel))) return
        const rest = fields === undefined ? '' : ` ${writeJson(fields)}`
        const line = `[${stampOf(place.now())}] ${level} <${name}> ${message}${rest}\n`
        if (isWithin(level, logLevel)) tryWrite(name, line)
        if (isWithin(level, displayLevel)) place.show(line)
      },
    }),
    levels: found,
    change(name, changed) {
      levels.set(name, { ...found(name), ...changed })
    },
  }
}
