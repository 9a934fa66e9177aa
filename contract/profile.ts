import * as z from 'zod/mini'

/**
 * The settings of a deployment, read by the dashboard from `/config.json` (architecture.md, "Profiles").
 * `missingOperations` lists the ids that a deployment lacks, so that a page can say so. The schema is made with the first
 * answer, because every page evaluates this file before anything is drawn.
 */
export const profile = z.lazy(() =>
  z.object({
    id: z.string(),
    name: z.string(),
    network: z.enum(['mainnet', 'fuji']),
    networks: z
      .optional(z.array(z.string()))
      .with(z.describe('Networks with P-, X- and C-chains in this deployment; defaults to `network`')),
    networkLabel: z.string().with(z.describe('The network’s name on pages, such as "Sample network"')),
    dataUrl: z.string().with(z.describe('Base URL of the data API; empty for the dashboard’s origin')),
    metricsUrl: z.string(),
    nodeUrl: z
      .string()
      .with(z.describe('Base URL of the node for `/ext/…`; empty for the gateway on the dashboard’s origin')),
    nodeOrigins: z
      ._default(z.array(z.string()), [])
      .with(z.describe('Origins of other nodes that pages may contact, besides nodes on this machine')),
    keyHeader: z.enum(['x-service-api-key', 'x-glacier-api-key']),
    keyNeeded: z.boolean(),
    atomicNamespace: z.enum(['svc', 'avax']),
    addressPrefix: z.string(),
    priceValue: z.enum(['string', 'number']).with(z.describe('The type of PricedValue.value')),
    holderSortKey: z.enum(['integer', 'string']),
    priceLabel: z.optional(z.string()).with(z.describe('The source of fiat values, such as "sample prices"')),
    signIn: z
      .optional(z.boolean())
      .with(
        z.describe('Whether a proxy in front of this deployment signs people in: `/v1/session` says who'),
      ),
    live: z.boolean().with(z.describe('Whether `/events` exists')),
    missingOperations: z.array(z.string()).with(z.describe('Ids of operations that this deployment lacks')),
    metrics: z
      .optional(z.array(z.string()))
      .with(z.describe('Metrics in this deployment; defaults to all of the contract')),
  }),
)
export type Profile = z.infer<typeof profile>

/** The body of `/config.json`: the available profiles and the default one. */
export const dashboardConfig = z.object({
  version: z.string(),
  defaultProfile: z.string(),
  profiles: z.array(profile).check(z.minLength(1)),
})
export type DashboardConfig = z.infer<typeof dashboardConfig>
