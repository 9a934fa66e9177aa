import { z } from 'zod'
import { networkNames } from '../../../contract/base/fields.ts'
import { pathOf, type PageName, type PathArguments } from '../../../contract/pages.ts'
import { dashboardConfig } from '../../../contract/profile.ts'
import { primaryChainAliases } from '../../../contract/primary/chains.ts'
import type { Ask } from './ask.ts'

type Network = 'mainnet' | 'fuji'

/** What a tool works with: the operations of the service in the name of its caller, and links to the dashboard. */
export type ToolContext = {
  readonly ask: Ask
  /** The absolute URL of a page. */
  readonly page: <Name extends PageName>(name: Name, ...given: PathArguments<Name>) => string
  /** The network that is meant without one: that of the service. */
  readonly networkOf: (given: z.infer<typeof networkInput>) => Promise<Network>
}

/** The context of calls that `ask` answers; `origin` is the dashboard's. */
export function createContext(ask: Ask, origin: string): ToolContext {
  return {
    ask,
    page: (name, ...given) => `${origin}${pathOf(name, ...given)}`,
    async networkOf(given) {
      if (given !== undefined) return given === 'mainnet' ? 'mainnet' : 'fuji'
      const { body } = await ask.path('/config.json')
      const { profiles, defaultProfile } = dashboardConfig.parse(body)
      return profiles.find(({ id }) => id === defaultProfile)?.network ?? 'mainnet'
    },
  }
}

/** What a tool answers: short text to read, and the same as data. */
type ToolAnswer<Output> = { readonly text: readonly string[]; readonly data: Output }

/** A question that a person has, answered from some operations. It changes nothing. */
export type Tool = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly run: (input: never, context: ToolContext) => Promise<ToolAnswer<unknown>>
}

/** Defines a tool whose handler has the types of its schemas. */
export const tool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: Input
    readonly output: Output
    readonly run: (input: z.output<Input>, context: ToolContext) => Promise<ToolAnswer<z.input<Output>>>
  },
): Tool => definition

export const chainInput = z
  .string()
  .regex(/^[0-9A-Za-z]{1,64}$/, 'must be an EVM chain ID or a blockchain ID')
  .describe('The EVM chain ID, such as 43114, or the blockchain ID; list_chains has them')

export const evmAddressInput = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hex digits')

export const transactionInput = z
  .string()
  .regex(/^(0x[0-9a-fA-F]{64}|[1-9A-HJ-NP-Za-km-z]{33,52})$/, 'must be a transaction hash: 0x hex or cb58')

export const networkInput = z
  .enum(networkNames)
  .optional()
  .describe('The network with P-, X- and C-Chain; by default that of the service')

export const primaryChain = z.enum(primaryChainAliases)

export const limitInput = (max: number, initial: number) =>
  z.int().min(1).max(max).default(initial).describe('The most rows of the answer')

/** A time as people write it, or as the operations have it. The output is in Unix seconds. */
export const timeInput = z
  .union([
    z.int().min(0).max(253_402_300_799),
    z
      .string()
      .regex(
        /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/,
        'must be a date such as 2026-03-31, a time such as 2026-03-31T12:00Z, or Unix seconds',
      )
      .refine((text) => !Number.isNaN(secondsOf(text)), 'is a date that does not exist'),
  ])
  .describe(
    'A date (its first second) or time in UTC, such as 2026-03-31 or 2026-03-31T12:00Z, or Unix seconds',
  )

/** Unix seconds of such a text; NaN for one that is none. JavaScript takes February 30 for March 2. */
function secondsOf(text: string): number {
  const [date = '', time] = text.split('T')
  const day = Date.parse(`${date}T00:00Z`)
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(date)) return NaN
  if (time === undefined) return day / 1000
  return Math.floor(Date.parse(/Z|[+-]\d{2}:\d{2}$/.test(time) ? text : `${text}Z`) / 1000)
}

/** Unix seconds of such an input. */
export const unixSeconds = (time: z.output<typeof timeInput>): number =>
  typeof time === 'number' ? time : secondsOf(time)

/** Unix seconds as text, in UTC. */
export const utc = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** A span of seconds in its largest unit, such as `12.5 days`. */
export function span(seconds: number): string {
  const [size, unit] = (
    [
      [86_400, 'days'],
      [3_600, 'hours'],
      [60, 'minutes'],
    ] as const
  ).find(([each]) => Math.abs(seconds) >= each) ?? [1, 'seconds']
  return `${Math.round((seconds / size) * 10) / 10} ${unit}`
}

/** An integer of any size as text, as the answers of tools have it. */
export const whole = (value: number | bigint): string => value.toString()

/** The number of decimals of amounts in nAVAX. */
export const avaxDecimals = 9
