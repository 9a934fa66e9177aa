import { nodeMethods } from '../../contract/node/node-methods.ts'
import { Refusal, rpcCodes } from './errors.ts'

/** The method that lists the namespaces enabled on a node. */
export const modulesMethod = 'rpc_modules'

const evmMethods = nodeMethods.filter(({ endpoint }) => endpoint === 'evm')

/** The namespaces with at least one method that `admits` accepts. */
export function namespacesOf(admits: (method: string) => boolean): ReadonlySet<string> {
  return new Set(evmMethods.filter(({ method }) => admits(method)).map(({ namespace }) => namespace))
}

/**
 * A node's answer to `rpc_modules`, reduced to the namespaces in `passed`: a console offers the namespaces that the
 * answer names. An error, or a result that is not an object, is unchanged. `id` is the JSON of the call's id. Throws a
 * Refusal for invalid JSON.
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
