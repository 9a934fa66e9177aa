import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { PageName } from '../../contract/pages.ts'
import { requestOf, type ClientPath } from './client-path.ts'

/** The dashboard's module that draws a page's first lines (src/first-lines.tsx), as far as the service uses it. */
type Module = {
  firstLines: (input: {
    readonly page: PageName
    readonly values: ClientPath['values']
    readonly networkLabel: string
    readonly answer: (request: string) => Promise<unknown>
  }) => Promise<string | undefined>
}

/** Milliseconds for which a document waits for the answers that its first lines are drawn from. */
const longest = 250

/** The headers that say who asks: the lines hold what this caller may read, and nothing else. */
const identifying = ['authorization', 'cookie', 'host'] as const

/**
 * Draws the first lines of pages with the module at `file`. The answers are those of the service's own operations, asked
 * for as the caller, so that access and limits are the same. Undefined for a page without first lines, and where an
 * answer is refused, fails or is late: the document is then sent without them.
 */
export function firstLinesOf(
  app: FastifyInstance,
  file: string,
  { network, networkLabel }: { readonly network: string; readonly networkLabel: string },
): (page: ClientPath, caller: FastifyRequest) => Promise<string | undefined> {
  // Loaded with the first page, and not by a service whose pages nobody opens.
  let module: Promise<Module> | undefined
  const draw: Module['firstLines'] = async (input) => {
    module ??= import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<Module>
    return (await module).firstLines(input)
  }
  return async ({ page, profile, values }, caller) => {
    // The answers of other profiles may come from elsewhere.
    if (profile !== undefined) return undefined
    const headers = Object.fromEntries(
      identifying.flatMap((name) =>
        caller.headers[name] === undefined ? [] : [[name, caller.headers[name]]],
      ),
    )
    const answer = async (request: string): Promise<unknown> => {
      const path = requestOf(request, { ...values, ofProfile: network })
      if (path === undefined) return undefined
      const response = await app.inject({ url: path, headers, remoteAddress: caller.ip })
      return response.statusCode === 200 ? response.json() : undefined
    }
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), longest)
    })
    try {
      return await Promise.race([draw({ page, values, networkLabel, answer }), late])
    } catch (error) {
      caller.log.warn({ err: error }, 'the first lines of a page could not be drawn')
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }
}
