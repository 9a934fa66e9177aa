import { z } from 'zod'
import { addressesOf, proxyRange } from '../address-range.ts'

/** Names that a proxy may give: none that means something else here, such as X-Forwarded-For. */
const headerName = z
  .string()
  .toLowerCase()
  .regex(
    /^(?!x-forwarded-(for|host|proto|port|server)$)(x-(?!ridgeline-|service-)[a-z\d-]+|remote-[a-z-]+)$/,
    'a header such as x-forwarded-user or remote-user',
  )

const groups = z.array(z.string().min(1).max(256)).max(256)

/** Sign-in by the header of a proxy (docs/sign-in.md). */
export const signInSchema = z
  .strictObject({
    /** The addresses from which the proxy connects; a header from any other is ignored. */
    proxies: z.array(proxyRange).min(1).max(256),
    /** What the proxy sends in x-ridgeline-proxy-secret. */
    secret: z
      .string()
      .regex(/^[\w-]{32,256}$/, '32 to 256 letters, digits, - and _')
      .optional(),
    userHeader: headerName.default('x-forwarded-user'),
    /** The groups of the user, separated by commas. */
    groupsHeader: headerName.default('x-forwarded-groups'),
    /** The groups that have each role; "*" is everybody who is signed in. */
    roles: z
      .strictObject({
        read: groups.default(['*']),
        watch: groups.default([]),
        administrate: groups.default([]),
      })
      .prefault({}),
    /** Whether requests without a user may read what is open to everybody. */
    anonymous: z.boolean().default(false),
  })
  .refine(({ userHeader, groupsHeader }) => userHeader !== groupsHeader, 'two different headers')
  .refine(
    ({ proxies, secret }) => secret !== undefined || !proxies.some(includesLoopback),
    'a secret, because every program on this machine connects from the address of a proxy on it',
  )

/** Whether some of a range's addresses are this machine's own: its first one is, or it contains the usual one. */
function includesLoopback(range: string): boolean {
  const { has } = addressesOf([range])
  return /^(127\.|::1|::ffff:127\.)/i.test(range) || has('127.0.0.1') || has('::1')
}

export type SignInSettings = z.infer<typeof signInSchema>
