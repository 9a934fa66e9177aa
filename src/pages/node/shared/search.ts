import * as z from 'zod/mini'

const nodeTabs = ['node', 'rpc', 'sockets', 'chain', 'l1', 'atomic', 'admin'] as const
export type NodeTab = (typeof nodeTabs)[number]

/** The console's state in its URL. Input of forms that change a node is never part of it. */
export const consoleSchema = z.object({
  tab: z.catch(z.enum(nodeTabs), 'node'),
  /** `gateway`, the base URL of a node, or empty for the profile's own. */
  node: z.catch(z.string().check(z.maxLength(2_000)), ''),
  /** An alias or a blockchain ID. */
  chain: z.catch(z.string().check(z.minLength(1), z.maxLength(128)), 'C'),
  /** The time of the shown rules in Unix seconds; empty for the newest block. */
  at: z.catch(z.string().check(z.regex(/^\d{1,12}$/)), ''),
  /** Node IDs that filter the validators of a chain. */
  ids: z.catch(z.string().check(z.maxLength(4_000)), ''),
  /** The method that is in the editor at first. */
  method: z.catch(z.string().check(z.maxLength(80)), ''),
})

type ConsoleSearch = z.output<typeof consoleSchema>

/** The state of the URL for tabs, and how to change it. */
export type TabProps = {
  search: ConsoleSearch
  onSearch: (patch: Partial<ConsoleSearch>, options?: { push?: boolean }) => void
}
