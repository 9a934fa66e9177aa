import { AsyncLocalStorage } from 'node:async_hooks'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callText } from '../../contract/node/node-methods.ts'
import { chainsRequest, pages, standingRequests } from '../../contract/pages.ts'
import { requestOf, type ClientPath } from './client-path.ts'

/** A page's markup, and the sheet of its inline styles. */
export type Prerendered = { readonly markup: string; readonly sheet: string }

type Answer = (url: string, body?: string) => Promise<Response>

type How = { readonly device: 'phone' | 'desk'; readonly late: Promise<unknown> }

/** What a browser says of its device: by its hint, where it sends one, else by its name. */
const deviceOf = ({ headers }: FastifyRequest): How['device'] => {
  const hint = headers['sec-ch-ua-mobile']
  const isPhone = hint === undefined ? /\bMobi/.test(headers['user-agent'] ?? '') : hint === '?1'
  return isPhone ? 'phone' : 'desk'
}

/** The dashboard's module that draws a page (src/prerender.tsx), as far as the service uses it. */
type Module = {
  prerender: (location: string, how: How) => Promise<Prerendered | undefined>
  answerBy: (answer: Answer) => void
}

/** Milliseconds for which a document waits for the answers that its page is drawn from. */
const longest = 250

/** The gateway's path of a method, by its namespace. */
const pathOfMethod = (method: string): string => `/ext/${method.slice(0, method.indexOf('.'))}`

/** The headers that say who asks: the document holds what this caller may read, and nothing else. */
const identifying = ['authorization', 'cookie', 'host'] as const

/**
 * Draws pages into their documents with the module at `file`. The answers are those of the service's own operations and of
 * its gateway, asked for as the caller, so that access and limits are the same; of all that a page asks for, only what
 * `contract/pages.ts` names is answered. What is late is drawn as still to come. Undefined where an answer that the page
 * cannot do without is refused or fails: the document is then sent without the page.
 */
export function prerenderOf(
  app: FastifyInstance,
  file: string,
  network: string,
): (place: ClientPath, caller: FastifyRequest) => Promise<Prerendered | undefined> {
  /** The answers to the caller for whom a page is being drawn. */
  const answers = new AsyncLocalStorage<Answer>()
  const load = async (): Promise<Module> => {
    const module = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Module
    module.answerBy(
      (url, body) => answers.getStore()?.(url, body) ?? Promise.reject(new Error('no page is being drawn')),
    )
    return module
  }
  // Loaded with the first page, and not by a service whose pages nobody opens.
  let module: Promise<Module> | undefined
  return async ({ page, profile, values, tab }, caller) => {
    // The answers of other profiles may come from elsewhere.
    if (profile !== undefined) return undefined
    const headers = Object.fromEntries(
      identifying.flatMap((name) =>
        caller.headers[name] === undefined ? [] : [[name, caller.headers[name]]],
      ),
    )
    const urlsOf = (requests: readonly string[]) =>
      requests.map((request) => requestOf(request, { network, ...values, ofProfile: network }))
    const ofPage = ['/config.json', chainsRequest, standingRequests, pages[page].first ?? []].flat()
    const answered = new Set(urlsOf(ofPage))
    const answeredInTab = new Set(urlsOf(tab?.first ?? []))
    const bodies = new Set(pages[page].calls?.map((method) => `${pathOfMethod(method)} ${callText(method)}`))
    let isRefused = false
    const answer = async (url: string, call?: string): Promise<Response> => {
      const isOfPage = call === undefined && answered.has(url)
      const isOfPart = call === undefined ? answeredInTab.has(url) : bodies.has(`${url} ${call}`)
      if (!isOfPage && !isOfPart) return new Response(null, { status: 400 })
      const asked =
        call === undefined
          ? { url, headers }
          : {
              method: 'POST' as const,
              url,
              headers: { ...headers, 'content-type': 'application/json' },
              body: call,
            }
      const { statusCode, body } = await app.inject({ ...asked, remoteAddress: caller.ip })
      // A part may be unknown, as what created a contract of the genesis is, and a node may not answer.
      isRefused ||= isOfPage && statusCode !== 200
      return new Response(body, { status: statusCode })
    }
    let timer: NodeJS.Timeout | undefined
    try {
      module ??= load()
      const { prerender } = await module
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, longest)
      })
      const drawn = await answers.run(answer, () => prerender(caller.url, { device: deviceOf(caller), late }))
      return isRefused ? undefined : drawn
    } catch (error) {
      caller.log.warn({ err: error }, 'a page could not be drawn into its document')
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }
}
