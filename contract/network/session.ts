import * as z from 'zod/mini'
import { openEnum, record } from '../base/fields.ts'
import { operation } from '../base/operation.ts'
import { roles } from '../base/session.ts'

export const getSession = operation({
  id: 'getSession',
  path: '/v1/session',
  summary: 'Who is signed in, and what this caller may do',
  description:
    'Sign-in is done by a proxy in front of the service (docs/sign-in.md). Without it there is no user, and the answer ' +
    'describes the caller’s key or local token.',
  tag: 'Ridgeline',
  response: record({
    isSignInOn: z.boolean().with(z.describe('Whether the service takes users from a proxy')),
    user: z.optional(z.string()),
    groups: z.array(z.string()).with(z.describe('The groups that the proxy names; none without a user')),
    role: z
      .optional(openEnum(roles))
      .with(z.describe('The highest role of these groups; absent if none of them has one')),
    mayReadWatch: z.boolean(),
    mayChangeWatch: z.boolean(),
    mayAdministrate: z.boolean().with(z.describe('Whether calls that administrate a node are passed on')),
  }),
})
