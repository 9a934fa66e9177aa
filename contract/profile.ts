import * as z from 'zod/mini'

/**
 * The settings of a deployment, read by the dashboard from `/config.json` (architecture.md, "Profiles"): what operators
 * write (profile-settings.ts), completed. `missingOperations` lists the ids that a deployment lacks, so that a page can say so. The schema is made with the first
 * answer, because every page evaluates this file before anything is drawn.
 */
export const profile = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    network: z.enum(['mainnet', 'fuji']),
    networks: z.optional(z.array(z.string())),
    networkLabel: z.string(),
    dataUrl: z.string(),
    metricsUrl: z.string(),
    nodeUrl: z.optional(z.string()),
    nodeOrigins: z._default(z.array(z.string()), []),
    keyHeader: z.string(),
    keyNeeded: z.boolean(),
    atomicNamespace: z.enum(['svc', 'avax']),
    addressPrefix: z.string(),
    priceValue: z.enum(['string', 'number']),
    holderSortKey: z.enum(['integer', 'string']),
    priceLabel: z.optional(z.string()),
    signIn: z.optional(z.boolean()),
    live: z.boolean(),
    missingOperations: z.array(z.string()),
    offeredOperations: z.optional(z.array(z.string())),
    isOther: z.optional(z.boolean()),
    metrics: z.optional(z.array(z.string())),
  }),
)
export type Profile = z.infer<typeof profile>

/** Whether a deployment itself has an operation, as far as is known. */
export const hasOperation = (
  {
    missingOperations,
    offeredOperations,
  }: Pick<Profile, 'missingOperations'> & Partial<Pick<Profile, 'offeredOperations'>>,
  operationId: string,
): boolean => !missingOperations.includes(operationId) && (offeredOperations?.includes(operationId) ?? true)

/** The origins that pages of a profile call: those of its URLs, with those of websockets. */
export function originsOf({ dataUrl, metricsUrl, nodeUrl = '' }: Profile): string[] {
  const of = (url: string): string[] => (url === '' ? [] : [new URL(url).origin])
  return [
    ...new Set([
      ...of(dataUrl),
      ...of(metricsUrl),
      ...of(nodeUrl).flatMap((origin) => [origin, origin.replace(/^http/, 'ws')]),
    ]),
  ]
}

/** The body of `/config.json`: the available profiles and the default one. */
export const dashboardConfig = z.object({
  version: z.string(),
  defaultProfile: z.string(),
  profiles: z.array(profile).check(z.minLength(1)),
})
export type DashboardConfig = z.infer<typeof dashboardConfig>
