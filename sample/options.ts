import { parseArgs } from 'node:util'

/** The program's options. Times in Unix seconds. */
export type SampleOptions = {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** Folder of the network's state. */
  readonly home: string
  readonly seed: number
  /** The end of the history of a new home; by default the current time. */
  readonly now: number | undefined
  /** Length of the C-Chain's history. */
  readonly hours: number
  /** The factor for ordinary transactions of P and X: higher values make a longer history to index. */
  readonly density: number
  readonly live: boolean
  /** Whether every old state is kept, as on an archive node. */
  readonly archive: boolean
  /** Whether the admin APIs of node and chains are enabled, like a node's `--api-admin-enabled`. */
  readonly admin: boolean
  readonly testControls: boolean
}

/** An invalid setting; the message names it, its value and the allowed values. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}

export const fullHistoryHours = 2160

function whole(name: string, text: string, low: number, high: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= low && value <= high) return value
  throw new OptionError(
    `${name} is ${JSON.stringify(text)}; it must be a whole number from ${low} to ${high}`,
  )
}

function isOn(name: string, text = 'on'): boolean {
  if (text === 'on' || text === 'off') return text === 'on'
  throw new OptionError(`${name} is ${JSON.stringify(text)}; it must be on or off`)
}

const flags = {
  host: { type: 'string' },
  port: { type: 'string' },
  home: { type: 'string' },
  seed: { type: 'string' },
  now: { type: 'string' },
  hours: { type: 'string' },
  density: { type: 'string' },
  live: { type: 'string' },
  archive: { type: 'boolean' },
  admin: { type: 'string' },
  'test-controls': { type: 'boolean' },
} as const

/** Reads the command line, then the environment, then the defaults. Throws `OptionError`. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): SampleOptions {
  let values
  try {
    values = parseArgs({ args: [...args], options: flags }).values
  } catch (error) {
    const problem = (error instanceof Error ? error.message : String(error)).split('. ')[0]
    const allowed = Object.entries(flags).map(([name, { type }]) =>
      type === 'boolean' ? `--${name}` : `--${name} …`,
    )
    throw new OptionError(`${problem}; allowed: ${allowed.join(', ')}`, { cause: error })
  }
  return {
    host: values.host ?? env['SAMPLE_HOST'] ?? '127.0.0.1',
    port: whole(
      values.port === undefined ? 'SAMPLE_PORT' : '--port',
      values.port ?? env['SAMPLE_PORT'] ?? '4401',
      0,
      65_535,
    ),
    home: values.home ?? '.ridgeline/sample',
    seed: whole('--seed', values.seed ?? '1', 0, 2 ** 32 - 1),
    now: values.now === undefined ? undefined : whole('--now', values.now, 1_000_000_000, 10_000_000_000),
    hours: whole('--hours', values.hours ?? String(fullHistoryHours), 6, fullHistoryHours),
    density: whole('--density', values.density ?? '1', 1, 10),
    live: isOn('--live', values.live),
    archive: values.archive ?? false,
    admin: isOn('--admin', values.admin),
    testControls: values['test-controls'] ?? false,
  }
}
