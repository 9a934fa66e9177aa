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
    isSignInOn: z.boolean(),
    user: z.optional(z.string()),
    groups: z.array(z.string()),
    role: z.optional(openEnum(roles)),
    mayReadWatch: z.boolean(),
    mayChangeWatch: z.boolean(),
    mayAdministrate: z.boolean(),
  }),
})
