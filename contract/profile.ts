import * as z from 'zod/mini'

/**
 * The settings of a deployment, read by the dashboard from `/config.json` (architecture.md, decision 6).
 * `missingOperations` lists the ids that a deployment lacks, so that a page can say so.
 */
export const profile = z.object({
  id: z.string(),
  name: z.string(),
  network: z.enum(['mainnet', 'fuji']),
  networks: z
    .optional(z.array(z.string()))
    .with(z.describe('Networks whose P-, X- and C-chains this deployment has; without it, `network`')),
  networkLabel: z.string().with(z.describe('How pages call the network, such as "Sample network"')),
  dataUrl: z.string().with(z.describe('Base of the data API; empty for the own origin')),
  metricsUrl: z.string(),
  nodeUrl: z
    .string()
    .with(z.describe('Base of the node for `/ext/…`; empty for the own origin, where the gateway is')),
  nodeOrigins: z
    ._default(z.array(z.string()), [])
    .with(z.describe('Origins of other nodes that this page may talk to, beside those on this machine')),
  keyHeader: z.enum(['x-service-api-key', 'x-glacier-api-key']),
  keyNeeded: z.boolean(),
  atomicNamespace: z.enum(['svc', 'avax']),
  addressPrefix: z.string(),
  priceValue: z.enum(['string', 'number']).with(z.describe('How PricedValue.value is sent')),
  holderSortKey: z.enum(['integer', 'string']),
  priceLabel: z.optional(z.string()).with(z.describe('The source of fiat values, such as "sample prices"')),
  live: z.boolean().with(z.describe('Whether `/events` exists')),
  missingOperations: z
    .array(z.string())
    .with(z.describe('Ids of operations that this deployment does not have')),
  metrics: z
    .optional(z.array(z.string()))
    .with(z.describe('Metrics that this deployment has; without it, all that the contract has')),
})
export type Profile = z.infer<typeof profile>

/** The body of `/config.json`: the available profiles and the default one. */
export const dashboardConfig = z.object({
  version: z.string(),
  defaultProfile: z.string(),
  profiles: z.array(profile).check(z.minLength(1)),
})
export type DashboardConfig = z.infer<typeof dashboardConfig>
