import { z } from 'zod'

export const nodeTabs = ['node', 'chain', 'l1', 'atomic', 'rpc', 'sockets'] as const
export type NodeTab = (typeof nodeTabs)[number]

/** The state of the console that a link carries. What is typed into forms that change a node never is. */
export const consoleSchema = z.object({
  tab: z.enum(nodeTabs).catch('node'),
  /** `gateway`, the base URL of a node, or nothing for the profile's own. */
  node: z.string().max(2_000).catch(''),
  /** An alias or a blockchain id. */
  chain: z.string().min(1).max(128).catch('C'),
  /** The moment whose rules are shown, in Unix seconds; empty for the newest block. */
  at: z
    .string()
    .regex(/^\d{1,12}$/)
    .catch(''),
  /** Node ids that the validators of a chain are narrowed to. */
  ids: z.string().max(4_000).catch(''),
  /** The method that the editor opens with. */
  method: z.string().max(80).catch(''),
})

export type ConsoleSearch = z.output<typeof consoleSchema>

/** What the tabs are given of the URL, and how they change it. */
export type TabProps = {
  search: ConsoleSearch
  onSearch: (patch: Partial<ConsoleSearch>, options?: { push?: boolean }) => void
}
