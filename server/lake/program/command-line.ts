import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { problemOf, SettingsError } from '../../kernel/settings/config.ts'
import type { ExtractOptions, ExtractReports } from '../extract.ts'
import type { LakeChain } from '../manifest.ts'
import type { LoadPrimaryOptions } from '../primary/load.ts'
import type { PrimaryExtractOptions } from '../primary/extract.ts'
import type { PrimaryNetwork } from '../../primary/chains.ts'
import type { PrimaryLakeChain } from '../primary/tables.ts'
import { isRemote } from '../s3/on-folder.ts'
import type { SealOptions } from '../seal.ts'

/** What `lake verify` is asked for; all chains of the lake if none is given. */
export type VerifyFlags = {
  readonly root: string
  readonly chain: LakeChain | undefined
  readonly filesOnly: boolean
}

/** What `lake load` is asked for. */
type LoadFlags = { readonly root: string; readonly chain: number; readonly bulk: boolean } & StoreFlags
/** Like `LoadFlags`, for the P- or the X-Chain. */
type PrimaryLoadFlags = Omit<LoadFlags, 'chain' | 'bulk'> &
  Pick<LoadPrimaryOptions, 'chain' | 'network' | 'isCFollowed'>
/** What `lake pull` is asked for; all chains of the lake if none is given. `into` is a folder. */
type PullFlags = {
  readonly root: string
  readonly chain: LakeChain | undefined
  readonly into: string
}
/** The store: a server of one's own, or the one below the home folder. */
export type StoreFlags = { readonly databaseUrl: string | undefined; readonly home: string }

/** What the extraction of the P- or the X-Chain is asked for. */
export type PrimaryFlags = Pick<
  PrimaryExtractOptions,
  'chain' | 'nodeUrl' | 'root' | 'size' | 'concurrency'
> & { readonly genesisFile: string | undefined }

type Flags<Options> = Omit<Options, 'signal' | 'database' | 'onFailure' | keyof ExtractReports>

export type LakeCommand =
  | { readonly name: 'help' }
  | { readonly name: 'verify'; readonly options: VerifyFlags }
  | { readonly name: 'extract'; readonly options: Flags<ExtractOptions> }
  | { readonly name: 'extractPrimary'; readonly options: PrimaryFlags & { readonly to: number | undefined } }
  | {
      readonly name: 'sealPrimary'
      readonly options: PrimaryFlags &
        Pick<StoreFlags, 'databaseUrl'> & { readonly once: boolean; readonly network: PrimaryNetwork }
    }
  | { readonly name: 'seal'; readonly options: Flags<SealOptions> & Pick<StoreFlags, 'databaseUrl'> }
  | { readonly name: 'load'; readonly options: LoadFlags }
  | { readonly name: 'loadPrimary'; readonly options: PrimaryLoadFlags }
  | { readonly name: 'pull'; readonly options: PullFlags }

const text = { type: 'string' } as const
const flags = {
  root: text,
  into: text,
  chain: text,
  rpc: text,
  genesis: text,
  network: text,
  from: text,
  to: text,
  'range-size': text,
  workers: text,
  concurrency: text,
  traces: text,
  confirmations: text,
  leases: text,
  bulk: { type: 'boolean', default: false },
  files: { type: 'boolean', default: false },
  once: { type: 'boolean', default: false },
  'without-c': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** Reads the command line. Throws SettingsError for what can't be used. */
export function readCommand(argv: readonly string[], env: NodeJS.ProcessEnv): LakeCommand {
  const { values, positionals } = parse(argv)
  const [name] = positionals
  if (values.help || name === undefined) return { name: 'help' }
  const problems: string[] = []
  const command = commandOf(name, new FlagReader(values, problems), env)
  if (problems.length > 0) throw new SettingsError(problems)
  return command
}

function commandOf(name: string, reader: FlagReader, env: NodeJS.ProcessEnv): LakeCommand {
  const given = reader.text('root')
  const root = isRemote(given) ? given : resolve(given)
  switch (name) {
    case 'extract':
      if (reader.primary() !== undefined)
        return {
          name: 'extractPrimary',
          options: { ...primaryOptions(root, reader), to: reader.number('to') },
        }
      return {
        name,
        options: { root, ...sourceOptions(reader), to: reader.number('to'), ...reader.leases(env) },
      }
    case 'seal':
      if (reader.primary() !== undefined)
        return {
          name: 'sealPrimary',
          options: {
            ...primaryOptions(root, reader),
            once: reader.isSet('once'),
            network: reader.network(),
            databaseUrl: env['DATABASE_URL'],
          },
        }
      return {
        name,
        options: {
          root,
          ...sourceOptions(reader),
          once: reader.isSet('once'),
          databaseUrl: env['DATABASE_URL'],
        },
      }
    case 'load': {
      const home = resolve(env['RIDGELINE_HOME'] ?? '.ridgeline')
      const primary = reader.primary()
      if (primary !== undefined)
        return {
          name: 'loadPrimary',
          options: {
            root,
            chain: primary,
            network: reader.network(),
            isCFollowed: !reader.isSet('without-c'),
            databaseUrl: env['DATABASE_URL'],
            home,
          },
        }
      const bulk = reader.isSet('bulk')
      return { name, options: { root, chain: reader.chain(), bulk, databaseUrl: env['DATABASE_URL'], home } }
    }
    case 'verify':
      return {
        name,
        options: {
          root,
          chain: reader.primary() ?? reader.number('chain'),
          filesOnly: reader.isSet('files'),
        },
      }
    case 'pull':
      return {
        name,
        options: {
          root,
          chain: reader.primary() ?? reader.number('chain'),
          into: resolve(reader.text('into')),
        },
      }
    default:
      throw new SettingsError([`got "${name}"; allowed: extract, seal, verify, load, pull`])
  }
}

function primaryOptions(root: string, reader: FlagReader): PrimaryFlags {
  return {
    chain: reader.primary() ?? 'P',
    nodeUrl: reader.text('rpc'),
    root,
    genesisFile: reader.optional('genesis'),
    size: reader.number('range-size', { least: 1 }) ?? defaultSize,
    concurrency: reader.number('concurrency', { least: 1, max: 256 }) ?? 8,
  }
}

/** Blocks per range. */
const defaultSize = 10_000

function sourceOptions(reader: FlagReader) {
  return {
    chain: reader.chain(),
    rpcUrl: reader.text('rpc'),
    from: reader.number('from') ?? 0,
    size: reader.number('range-size', { least: 1 }) ?? defaultSize,
    workers: reader.number('workers', { least: 1, max: 64 }) ?? 1,
    concurrency: reader.number('concurrency', { least: 1, max: 256 }) ?? 8,
    traces: reader.oneOf('traces', ['trace', 'debug', 'off'] as const),
    confirmations: reader.number('confirmations'),
  }
}

type Values = ReturnType<typeof parse>['values']

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flags, allowPositionals: true })
  } catch (error) {
    throw new SettingsError([`${problemOf(error)}; see --help`])
  }
}

/** Reads flags and collects what is wrong with them. */
class FlagReader {
  readonly #values: Values
  readonly #problems: string[]

  constructor(values: Values, problems: string[]) {
    this.#values = values
    this.#problems = problems
  }

  /** A text that has to be given. */
  text(name: 'root' | 'rpc' | 'into'): string {
    const given = this.#values[name]
    if (given === undefined) this.#problems.push(`--${name}: not given`)
    return given ?? ''
  }

  optional(name: 'genesis'): string | undefined {
    return this.#values[name]
  }

  /** The chain if it is one of the primary network. */
  primary(): PrimaryLakeChain | undefined {
    const { chain } = this.#values
    return chain === 'P' || chain === 'X' ? chain : undefined
  }

  network(): PrimaryNetwork {
    return this.oneOf('network', ['mainnet', 'fuji'] as const) ?? 'mainnet'
  }

  isSet(name: 'bulk' | 'files' | 'once' | 'without-c'): boolean {
    return this.#values[name]
  }

  /** The chain, which has to be given. */
  chain(): number {
    if (this.#values.chain === undefined) this.#problems.push('--chain: not given')
    return this.number('chain', { least: 1 }) ?? 0
  }

  number(
    name: Exclude<keyof Values, 'bulk' | 'files' | 'once' | 'without-c' | 'help'>,
    { least = 0, max = Number.MAX_SAFE_INTEGER }: { least?: number; max?: number } = {},
  ): number | undefined {
    const given = this.#values[name]
    if (given === undefined) return undefined
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
    if (value >= least && value <= max) return value
    const range = max === Number.MAX_SAFE_INTEGER ? `at least ${least}` : `${least} to ${max}`
    this.#problems.push(`--${name}: got "${given}"; allowed: an integer, ${range}`)
    return undefined
  }

  oneOf<Choice extends string>(name: 'traces' | 'network', allowed: readonly Choice[]): Choice | undefined {
    const given = this.#values[name]
    const choice = allowed.find((value) => value === given)
    if (given !== undefined && choice === undefined)
      this.#problems.push(`--${name}: got "${given}"; allowed: ${allowed.join(', ')}`)
    return choice
  }

  leases(env: NodeJS.ProcessEnv): Pick<ExtractOptions, 'leases'> {
    const { leases: lake } = this.#values
    if (lake === undefined) return {}
    const databaseUrl = env['DATABASE_URL']
    if (databaseUrl !== undefined) return { leases: { lake, databaseUrl } }
    this.#problems.push('--leases: needs DATABASE_URL')
    return {}
  }
}
