import type { FastifyRequest } from 'fastify'
import type { GatewayConfig } from '../kernel/settings/config.ts'
import type { Denial } from '../http/operator.ts'
import type { Call } from './calls.ts'
import { Refusal, rpcCodes } from './errors.ts'
import type { KnownMethod } from './names.ts'

/**
 * Throws a Refusal for a method that the settings close, and for an operator's method if the caller is not the
 * operator; `denial` is then 401 or 403.
 */
export function admitMethod(
  { facts }: KnownMethod,
  name: string,
  config: GatewayConfig,
  denial: () => Denial | undefined,
): void {
  const { closedBy } = facts
  if (closedBy === undefined) return
  const refuse = (reason: string, status: 200 | 401 | 403): never => {
    const code = status === 401 ? rpcCodes.general : rpcCodes.methodNotFound
    throw new Refusal(code, `the method ${name} does not exist/is not available: ${reason}`, { status })
  }
  if (closedBy === 'administration') {
    if (config.administration === 'everybody') return
    if (config.administration === 'off') refuse('gateway.administration is off', 403)
  } else {
    if (closedBy !== 'personal' && config.publicNamespaces.includes(closedBy)) return
    if (!config.namespaces.includes(closedBy)) {
      refuse(`the operator opens it with "${closedBy}" in gateway.namespaces`, 200)
    }
  }
  const denied = denial()
  if (denied) refuse(denied.reason, denied.status)
}

/** Logs the operator's calls that change a node. */
export function logOperator(
  { log, ip, caller }: Pick<FastifyRequest, 'log' | 'ip' | 'caller'>,
  calls: readonly Call[],
): void {
  const key = caller.kind === 'key' ? caller.name : undefined
  const user = caller.kind === 'user' ? caller.name : undefined
  for (const { method } of calls) {
    if (method.facts.closedBy === undefined || !method.facts.isWriting) continue
    log.info({ method: method.facts.method, address: ip, key, user }, 'administration of a node')
  }
}
