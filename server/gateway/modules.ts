import { nodeMethods } from '../../contract/node/node-methods.ts'
import { Refusal, rpcCodes } from './errors.ts'

/** The call whose answer names the namespaces that a node has on. */
export const modulesMethod = 'rpc_modules'

const evmMethods = nodeMethods.filter(({ endpoint }) => endpoint === 'evm')

/** The namespaces of which at least one method passes; `admits` says which methods do. */
export function namespacesOf(admits: (method: string) => boolean): ReadonlySet<string> {
  return new Set(evmMethods.filter(({ method }) => admits(method)).map(({ namespace }) => namespace))
}

/**
 * A node's answer to `rpc_modules` without the namespaces that are not in `passed`: a console that attaches offers
 * what the answer names. An error, and a result that is no object, stay as they are. `id` is the JSON of the call's
 * id. Throws a Refusal for what is no JSON.
 */
export function onlyNamespaces(text: string, passed: ReadonlySet<string>, id: string): string {
  let result: unknown
  try {
    result = (JSON.parse(text) as { result?: unknown } | null)?.result
  } catch (error) {
    const message = 'the node does not answer JSON to rpc_modules'
    throw new Refusal(rpcCodes.general, message, { status: 502, cause: error })
  }
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return text
  const named = Object.entries(result).filter(([namespace]) => passed.has(namespace))
  return `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(Object.fromEntries(named))}}`
}
