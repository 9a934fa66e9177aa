import { totalmem } from 'node:os'
import { http, HttpRequestError, TimeoutError } from 'viem'
import { loadConfig, SettingsError, type Config } from '../kernel/settings/config.ts'
import { describeForecast } from './forecast-text.ts'
import {
  checkChain,
  checkNetwork,
  forecastEvm,
  forecastPrimary,
  type AskNode,
  type Forecast,
} from './forecast.ts'

const help = `ridgeline forecast --network mainnet|fuji --node URL [--network-config FILE]
ridgeline forecast --config FILE

Says what indexing takes before it begins: the blocks up to the node's head, the disk and the time, at the rates that were
measured on two cores with a node beside them (docs/performance.md). How many transactions a chain has is estimated from
40 of its blocks. Exit code 0 when every node has answered, 1 when one has not, 2 for a setting that can't be used.
`

/** Asks the node at a URL. Calls of an EVM chain at the same time are one request; P and X take no batches. */
function nodeAt(url: string, isEvm: boolean): AskNode {
  const { request } = http(url, { batch: isEvm && { batchSize: 20 }, timeout: 20_000, retryCount: 1 })({})
  return (method, params) => request({ method, params } as never)
}

/** The chains of a configuration that are indexed, each with its forecast. */
function forecasts(config: Config): { readonly name: string; readonly forecast: Promise<Forecast> }[] {
  const evm = config.chains.map(({ name, evmChainId, rpcUrl, startBlock }) => {
    const ask = nodeAt(rpcUrl, true)
    const forecast = checkChain(ask, evmChainId).then(() => forecastEvm(ask, startBlock, totalmem()))
    return { name, forecast }
  })
  const primary = config.networks.flatMap(({ name, networkId, nodeUrl }) => {
    const checked = checkNetwork(nodeAt(`${nodeUrl}/ext/info`, false), networkId)
    return (['P', 'X'] as const).map((alias) => ({
      name: `${alias}-Chain of ${name}`,
      forecast: checked.then(() => forecastPrimary(nodeAt(`${nodeUrl}/ext/bc/${alias}`, false), alias)),
    }))
  })
  return [...evm, ...primary]
}

/** Why a node told nothing, in a line. */
const reasonOf = (error: Error): string =>
  error instanceof HttpRequestError || error instanceof TimeoutError
    ? `the node does not answer at ${new URL(error.url).host}`
    : (error.message.split('\n')[0] ?? '')

/** The program behind `ridgeline forecast`; see docs/operations.md. */
async function main(): Promise<number> {
  const argv = process.argv.slice(2)
  if (argv.includes('--help')) {
    process.stdout.write(help)
    return 0
  }
  const config = loadConfig(argv, process.env)
  let code = 0
  const described = forecasts(config).map(({ name, forecast }) =>
    forecast.then(
      (found) => describeForecast(name, found),
      (error: unknown) => {
        code = 1
        return [`${name}: unknown: ${reasonOf(error as Error)}`]
      },
    ),
  )
  for (const lines of described) process.stdout.write(`${(await lines).join('\n')}\n`)
  return code
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof SettingsError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
