import { maxChanges } from '../../../../contract/evm/transaction-changes.ts'
import { simulateCall } from '../../../../contract/evm/simulation.ts'
import { movesValue } from '../../../../protocol/evm/calls.ts'
import { implement, type Implementation } from '../../../http/bind.ts'
import type { RouteContext } from '../../../http/route-context.ts'
import type { Chain } from '../../../kernel/settings/chains.ts'
import { simulate, type Simulated } from '../../../node/simulate.ts'
import { latestBlock } from '../../../node/state.ts'
import type { Database } from '../../../store/database.ts'
import type { AbiBook, ContractAbi } from '../../../tokens/abi/operator.ts'
import { withStored } from '../../../tokens/abi/stored.ts'
import { createContractBook, readNames } from '../address-names.ts'
import { changesBy, describeChange, wrapsOf, type Change } from '../balance-changes.ts'
import { describeEnding } from '../failure-ending.ts'
import { findAbi } from './contract-abi.ts'
import { decodeOutputs } from '../../../tokens/abi/decode.ts'
import { gasOfCall } from './contract-read.ts'

/**
 * Only in Ridgeline: what a call of a contract would do: its result or the reason of its failure, its gas, and the balances
 * that it would change, without the fee. The node executes it after its newest block; one that can't trace tells the result
 * only. 502 if the node does not answer.
 */
export function contractSimulateRoutes(context: RouteContext): Implementation[] {
  const { chains, nodes, abis, store } = context
  const book = createContractBook(context.config)
  return [
    implement(simulateCall, async ({ params, body }) => {
      const chain = chains.find(params.chainId)
      const { database } = store.get()
      const [to, from] = [params.address.toLowerCase(), body.from.toLowerCase()]
      const data = body.data.toLowerCase()
      const value = BigInt(body.value)
      const client = nodes.forTraces(chain)
      const block = await latestBlock(client)
      const call = { from, to, data, value: `0x${value.toString(16)}`, gas: gasOfCall }
      const [simulated, abi] = await Promise.all([
        simulate(client, call, block, chain.config.traces !== 'off'),
        findAbi(abis, database, chain, client, to),
      ])
      const changes = await changesOf(database, chain, simulated, block)
      const shown = changes.slice(0, maxChanges)
      const addresses = shown.flatMap(({ address, asset }) => [address, asset.token])
      const [names, outcome] = await Promise.all([
        readNames(database, chain, book, addresses),
        simulated.error === undefined
          ? { outputs: outputsOf(abi, data, simulated) }
          : { failure: await failureOf(abis, database, chain, simulated, abi, [to, ...simulated.called]) },
      ])
      return {
        blockNumber: block.toString(),
        isSuccess: simulated.error === undefined,
        ...(simulated.gasUsed !== undefined && { gasUsed: simulated.gasUsed }),
        ...('failure' in outcome
          ? { failure: outcome.failure }
          : outcome.outputs && { outputs: outcome.outputs }),
        isTraced: simulated.steps !== undefined,
        changes: shown.map((change) => describeChange(change, chain, names, () => undefined, 'usd')),
        omittedCount: changes.length - shown.length,
      }
    }),
  ]
}

async function changesOf(
  database: Database,
  chain: Chain,
  { steps = [] }: Simulated,
  block: bigint,
): Promise<Change[]> {
  const moves = steps.filter(({ type, to, value }) => to !== '' && movesValue(type, value))
  const logs = steps.flatMap((step) => step.logs).map((log, index) => ({ ...log, index }))
  return changesBy({ moves, logs, wraps: await wrapsOf(database, chain, logs, block) })
}

/** What the call returned, if the function is known and the data fit it. */
function outputsOf(abi: ContractAbi | undefined, data: string, { output }: Simulated) {
  const known = abi?.functions.get(data.slice(0, 10))
  return known && decodeOutputs(known.item, output)
}

async function failureOf(
  abis: AbiBook,
  database: Database,
  chain: Chain,
  simulated: Simulated,
  abi: ContractAbi | undefined,
  called: readonly string[],
) {
  const stored = await withStored(abis, database, chain, called)
  const { data: _data, ...ending } = describeEnding(simulated, (selector) => {
    const own = abi?.errors.get(selector)
    if (abi && own) return { from: abi.from, known: [own] }
    const candidates = called.map((address) => stored.errors(selector, chain.id, address))
    return candidates.find(({ from }) => from !== undefined) ?? candidates[0] ?? { known: [] }
  })
  return ending
}
