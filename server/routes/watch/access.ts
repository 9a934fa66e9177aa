import type { FastifyRequest } from 'fastify'
import type { Access, Surface } from '../../http/access.ts'
import { behind, implement } from '../../http/bind.ts'

/** Who may read and who may change the watch (docs/watch.md). */
export type WatchAccess = {
  mayWrite(request: FastifyRequest): boolean
  /** Implements an operation for those who may read; a 401 or 403 for others. */
  reads: typeof implement
  /** Implements an operation for those who may change something; a 401 or 403 for others. */
  writes: typeof implement
}

/** Binds the operations of the watch to the table of who may do what (server/http/access.ts). */
export function createWatchAccess(access: Access): WatchAccess {
  const of =
    (surface: Surface): typeof implement =>
    (operation, handle, body) =>
      behind(surface, implement(operation, handle, body))
  return {
    mayWrite: (request) => access.denialOf(request, 'changeWatch') === undefined,
    reads: of('readWatch'),
    writes: of('changeWatch'),
  }
}
