import type { FastifyRequest, preParsingAsyncHookHandler } from 'fastify'
import { HttpError } from '../kernel/http-errors.ts'
import type { LocalToken } from '../kernel/local-token.ts'
import type { Config } from '../kernel/settings/config.ts'
import { hasPrivilege, type Privilege } from './identity.ts'
import { createOperatorCheck, isLoopback, type Denial } from './operator.ts'

/** The parts of the service that ask who the caller is. Everything else is open to whoever reaches the service. */
export type Surface =
  'administration' | 'changeWatch' | 'readWatch' | 'sql' | 'verify' | 'label' | 'prometheus'

type Rule = {
  /** Why nobody may, if the configuration turns it off. */
  readonly off?: string | undefined
  /** Whether the configuration opens it to everybody. */
  readonly isOpen: boolean
  /** The privileges of keys and roles that open it, the usual one first. */
  readonly privileges: readonly [Privilege, ...Privilege[]]
  /** Whether everybody who signed in with a role may. */
  readonly isForReaders?: boolean
  /** The setting that opens it to everybody, for the refusal. */
  readonly setting?: string
}

/**
 * The one table of who may do what. A caller proves to be allowed by a key or a role with one of the privileges, or by
 * the local token, which is the operator's and opens all of them. An address proves nothing: behind a proxy that does
 * not say so, everybody comes from this machine.
 */
function rulesOf({
  sql,
  watch,
  verification,
  host,
  publicUrl,
  trustedProxies,
  signIn,
  protectPrometheus,
}: Config): Readonly<Record<Surface, Rule>> {
  const isOnlyOurs =
    isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0 && signIn === undefined
  return {
    administration: { isOpen: false, privileges: ['administration'] },
    changeWatch: { isOpen: false, privileges: ['watch', 'administration'] },
    readWatch: {
      isOpen: watch.publicRead,
      privileges: ['watch', 'administration'],
      isForReaders: true,
      setting: 'watch.publicRead',
    },
    sql: {
      off: sql.enabled ? undefined : 'SQL is turned off here (sql.enabled)',
      isOpen: sql.public,
      privileges: ['sql', 'administration'],
      setting: 'sql.public',
    },
    verify: {
      off: verification.who === 'off' ? 'contracts are not verified here (verification.who)' : undefined,
      isOpen: (verification.who ?? (isOnlyOurs ? 'everyone' : 'keys')) === 'everyone',
      privileges: ['verify', 'administration'],
      setting: 'verification.who',
    },
    // Nothing proves a label, so that it is never open to everybody.
    label: { isOpen: false, privileges: ['verify', 'administration'] },
    prometheus: { isOpen: !protectPrometheus, privileges: ['prometheus'] },
  }
}

export type Access = {
  /** Whether the caller has proved to be allowed, whatever is open to everybody. */
  isProved(request: FastifyRequest, surface: Surface): boolean
  /**
   * The refusal of a request; undefined if it may pass. 401 without a proof, 403 for a valid key or a user who lacks
   * the privilege, and for the local token from a place where it does not count.
   */
  denialOf(request: FastifyRequest, surface: Surface): Denial | undefined
  /** The options of a route that refuses requests before it reads anything of their bodies. */
  guard(surface: Surface): { readonly preParsing: preParsingAsyncHookHandler }
  /** Throws the refusal. */
  require(request: FastifyRequest, surface: Surface): void
}

const forbidden = (reason: string): Denial => ({ status: 403, reason })

/** Creates the check of the table with a configuration and the operator's token. */
export function createAccess(config: Config, token: LocalToken): Access {
  const rules = rulesOf(config)
  const isOperator = createOperatorCheck(token, config.gateway.hosts)

  const unproved = (request: FastifyRequest, surface: Surface): Denial | undefined => {
    const { privileges, isForReaders, setting } = rules[surface]
    const { caller } = request
    if (hasPrivilege(caller, ...privileges)) return undefined
    if (isForReaders && caller.kind === 'user' && caller.role !== undefined) return undefined
    const denial = isOperator(request)
    if (denial === undefined) return undefined
    const [wanted] = privileges
    if (caller.kind === 'key') return forbidden(`the key lacks the privilege "${wanted}"`)
    if (caller.kind === 'user')
      return forbidden(
        `you are signed in as ${caller.name}: your role, ${caller.role ?? 'none'}, lacks the privilege "${wanted}"`,
      )
    const others = `a key with the privilege "${wanted}" is taken from anywhere`
    return {
      ...denial,
      reason: `${denial.reason}; ${others}${setting === undefined ? '' : `, and ${setting} opens it to everybody`}`,
    }
  }
  const denialOf = (request: FastifyRequest, surface: Surface): Denial | undefined => {
    const { off, isOpen } = rules[surface]
    if (off !== undefined) return forbidden(off)
    return isOpen ? undefined : unproved(request, surface)
  }
  const require = (request: FastifyRequest, surface: Surface): void => {
    const denial = denialOf(request, surface)
    if (denial) throw new HttpError(denial.status, denial.reason)
  }
  return {
    isProved: (request, surface) => unproved(request, surface) === undefined,
    denialOf,
    guard: (surface) => ({
      preParsing: async (request, _reply, payload) => {
        require(request, surface)
        return payload
      },
    }),
    require,
  }
}
