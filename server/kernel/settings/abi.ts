import { z } from 'zod'
import { resourceLinkTypes } from '../../../contract/evm/contracts.ts'

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'a 0x address of 40 hex digits')
  .toLowerCase()

const link = z
  .string()
  .max(2_048)
  .refine((text) => URL.canParse(text) && /^(https|ipfs):$/.test(new URL(text).protocol), {
    error: 'a URL that starts with https:// or ipfs://',
  })

/** The key `abis`: an ABI that the operator has verified. */
export const abiSetting = z.strictObject({
  /** Only for this chain; for all chains if absent. */
  chainId: z.int().min(1).optional(),
  /**
   * The contract that it describes; if absent, its signatures apply to contracts without an ABI of their own.
   */
  address: address.optional(),
  name: z.string().min(1).max(64),
  /** A JSON file: the ABI, or an artifact with the key `abi`. Relative to the configuration file. */
  path: z.string().min(1),
})
export type AbiSetting = z.infer<typeof abiSetting>

/** The key `contracts`: the operator's information about a contract. */
export const contractSetting = z.strictObject({
  chainId: z.int().min(1),
  address,
  name: z.string().min(1).max(128).optional(),
  description: z.string().max(2_000).optional(),
  officialSite: link.optional(),
  email: z.email().optional(),
  logoUri: link.optional(),
  bannerUri: link.optional(),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'a colour such as #e84142')
    .optional(),
  resourceLinks: z
    .array(z.strictObject({ type: z.enum(resourceLinkTypes), url: link }))
    .max(32)
    .optional(),
  tags: z.array(z.string().min(1).max(64)).max(32).optional(),
})
export type ContractSetting = z.infer<typeof contractSetting>
