import * as z from 'zod/mini'
import type { DashboardConfig, Profile } from '../../../contract/profile.ts'
import { keyPlace } from '../session.ts'
import { createStore, createStoredStore } from '../../lib/storage/store.ts'
import { isStatic } from '../../lib/place.ts'
import { safeText } from '../../lib/text.ts'

/** A node that the console can use. */
export type NodeTarget = {
  /** The value of `?node=`: `gateway`, or the base URL. */
  readonly id: string
  readonly name: string
  /** The URL before `/ext/…`; empty for the page's own origin. */
  readonly base: string
  readonly kind: 'gateway' | 'hosted' | 'added' | 'linked'
  /** Whether methods have the names of the API reference or those of released nodes. */
  readonly names: 'interface' | 'node'
  /** Whether it is the node of the displayed profile: then pages may show their own data beside it. */
  readonly isOfProfile: boolean
  /** The header of the API key, and the place that the key was entered for; other nodes never receive it. */
  readonly keyOf: { place: string; header: string } | undefined
  /** Why the browser cannot reach it. */
  readonly problem: string | undefined
}

const gatewayId = 'gateway'

const addedSchema = z.array(z.object({ name: z.string(), base: z.string() }))
type Added = z.infer<typeof addedSchema>[number]
const maxAdded = 20

/** The nodes that the user added, newest first. The list never leaves the browser. */
export const addedNodes = createStoredStore<readonly Added[]>('ridgeline.nodes', (stored) => {
  const result = addedSchema.safeParse(stored)
  return result.success ? result.data.slice(0, maxAdded) : []
})

/** The nodes of links that the user has confirmed for this visit. */
export const agreedNodes = createStore<readonly string[]>([])

/** Adds a node, or renames it. */
export function addNode(name: string, base: string): void {
  addedNodes.set((all) => [{ name, base }, ...all.filter((one) => one.base !== base)].slice(0, maxAdded))
}

/** Removes a node, also for the rest of this visit. */
export function forgetNode(base: string): void {
  addedNodes.set((all) => all.filter((one) => one.base !== base))
  agreedNodes.set((all) => all.filter((one) => one !== base))
}

/**
 * The base URL in user input or a link: http or https with an optional path, without `/ext` and what follows.
 * Invalid input yields an explanation; nothing is thrown.
 */
export function parseNodeUrl(text: string): { base: string } | { wrong: string } {
  const trimmed = text.trim()
  if (trimmed === '') return { wrong: 'Give the address of a node, such as http://127.0.0.1:9650.' }
  if (trimmed.length > 2_000) return { wrong: 'This is too long for an address.' }
  let url: URL
  try {
    url = new URL(/^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`)
  } catch {
    return { wrong: 'Invalid node address.' }
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { wrong: 'The address of a node begins with http:// or https://.' }
  if (url.username !== '' || url.password !== '')
    return { wrong: 'A browser sends no name and password that stand in an address.' }
  if (url.search !== '' || url.hash !== '') return { wrong: 'Leave out what follows “?” or “#”.' }
  const path = url.pathname.replace(/\/ext(\/.*)?$/, '').replace(/\/+$/, '')
  return { base: `${url.origin}${path}` }
}

const ownMachine = /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?$/

/** The page's origin, which its content security policy depends on. */
type Place = { origin: string }

/**
 * Why the page cannot reach a node, according to its content security policy: that allows the page's own origin, the
 * user's machine, the hosted nodes of the profiles, and the operator's `consoleOrigins`.
 */
function reachProblem(base: string, profiles: readonly Profile[], place: Place): string | undefined {
  if (base === '') return undefined
  const { origin, protocol } = new URL(base)
  const open = [
    place.origin,
    ...profiles.flatMap(({ nodeUrl, nodeOrigins }) => [
      ...(nodeUrl ? [new URL(nodeUrl).origin] : []),
      ...nodeOrigins,
    ]),
  ]
  if (!ownMachine.test(origin) && !open.includes(origin))
    return `This page may not talk to ${origin}: its content security policy names the origins that it may reach. ${
      isStatic
        ? 'A profile in config.json with this nodeUrl opens it.'
        : `The operator of this service opens it by adding "${origin}" to consoleOrigins in the configuration.`
    }`
  if (new URL(place.origin).protocol === 'https:' && protocol === 'http:' && !ownMachine.test(origin))
    return 'This page came over https, so the browser lets it ask no node over plain http.'
  return undefined
}

/** All selectable nodes: the gateway, the hosted ones, and those that the user added. */
export function nodeTargets(
  config: DashboardConfig,
  profile: Profile,
  added: readonly Added[],
  place: Place,
): NodeTarget[] {
  const own = config.profiles.find(({ nodeUrl }) => nodeUrl === '')
  const hosted = config.profiles.filter(({ nodeUrl }) => nodeUrl)
  const named = (one: Profile): NodeTarget => {
    const base = one.nodeUrl ?? ''
    const isGateway = base === ''
    return {
      id: isGateway ? gatewayId : base,
      name: isGateway ? 'Gateway of this service' : `${one.networkLabel}, public node`,
      base,
      kind: isGateway ? 'gateway' : 'hosted',
      names: one.atomicNamespace === 'svc' ? 'interface' : 'node',
      isOfProfile: one.id === profile.id,
      keyOf: isGateway ? { place: keyPlace(one), header: one.keyHeader } : undefined,
      problem: reachProblem(base, config.profiles, place),
    }
  }
  // Profiles may share a node; the one of this page stands for it.
  const all = [...(own ? [own] : []), ...hosted].map(named)
  const fixed = all.filter(
    (one) =>
      one ===
      (all.find(({ id, isOfProfile }) => id === one.id && isOfProfile) ??
        all.find(({ id }) => id === one.id)),
  )
  const known = new Set(fixed.map((one) => one.id))
  return [
    ...fixed,
    ...added
      .filter(({ base }) => !known.has(base))
      .map(({ name, base }) => otherTarget(name, base, 'added', config, place)),
  ]
}

function otherTarget(
  name: string,
  base: string,
  kind: 'added' | 'linked',
  config: DashboardConfig,
  place: Place,
): NodeTarget {
  return {
    id: base,
    name: safeText(name, 60) || new URL(base).host,
    base,
    kind,
    names: 'node',
    isOfProfile: false,
    keyOf: undefined,
    problem: reachProblem(base, config.profiles, place),
  }
}

/** The outcome of `?node=`: a node, a node that needs confirmation, or an invalid value. */
export type Chosen =
  | { state: 'ready'; target: NodeTarget }
  | { state: 'ask'; target: NodeTarget }
  | { state: 'wrong'; text: string; reason: string }

/**
 * The node that a URL names; empty for the profile's own. A node that is neither part of this service nor added or
 * confirmed by the user is only shown: nothing may be sent to it.
 */
export function chooseNode(
  text: string,
  targets: readonly NodeTarget[],
  agreed: readonly string[],
  config: DashboardConfig,
  place: Place,
): Chosen {
  const first = targets.find((one) => one.isOfProfile) ?? targets[0]
  if (text === '' && first) return { state: 'ready', target: first }
  const known = targets.find((one) => one.id === text)
  if (known) return { state: 'ready', target: known }
  const parsed = parseNodeUrl(text)
  if ('wrong' in parsed) return { state: 'wrong', text: safeText(text, 200), reason: parsed.wrong }
  const { base } = parsed
  const same = targets.find((one) => one.id === base)
  if (same) return { state: 'ready', target: same }
  const target = otherTarget('', base, 'linked', config, place)
  return { state: agreed.includes(base) ? 'ready' : 'ask', target }
}
