import { startAnvil, type RunningAnvil } from './anvil.ts'
import { expect, test } from './fixtures.ts'
import { launch, temporaryFolder, writeConfig, type Launched } from './launcher.ts'
import { nodeAt, type Node } from './node.ts'
import { statusOf } from './stack.ts'

/** The chain of a plain anvil. */
export const ownChain = { id: '31337' } as const

/** The configuration of its service: chain settings, and other keys besides `chains`. */
type OwnConfig = {
  readonly chain: { readonly name: string } & Readonly<Record<string, unknown>>
  readonly config?: Readonly<Record<string, unknown>>
}

/** The dashboard of a service with its own chain. */
type OwnDashboard = {
  url(): Promise<string>
  /** Ends the service, as Ctrl-C does. */
  stop(): Promise<void>
  /** Starts it again, at the same address. */
  start(): Promise<void>
}

/**
 * Runs a service with a chain of its own during the tests of a `describe`: a plain anvil on which `prepare` sends
 * transactions, indexed to its head before the first test. `folder` is that of the configuration, and the home.
 */
export function useOwnChain(
  prepare: (node: Node, folder: string, nodeUrl: string) => Promise<OwnConfig>,
): OwnDashboard {
  const folder = temporaryFolder()
  let anvil: RunningAnvil | undefined
  let stack: Launched | undefined
  let config: string
  let port = '0'
  const start = async (): Promise<void> => {
    stack = launch({ home: folder.path, args: ['--config', config], env: { PORT: port } })
    ;({ port } = new URL(await stack.url))
  }
  const running = (): Launched => {
    if (!stack) throw new Error('the service was not started')
    return stack
  }

  test.beforeAll(async () => {
    const { url: rpcUrl } = (anvil = await startAnvil())
    const node = nodeAt(rpcUrl)
    const { chain, config: others } = await prepare(node, folder.path, rpcUrl)
    const settings = { evmChainId: Number(ownChain.id), rpcUrl, pollSeconds: 0.5, ...chain }
    config = writeConfig(folder.path, { ...others, chains: [settings] })
    await start()
    const url = await running().url
    await expect
      .poll(async () => (await statusOf(ownChain, url).catch(() => undefined))?.indexedBlock)
      .toBe(String(await node.head()))
  })

  test.afterAll(async () => {
    await stack?.stop()
    anvil?.stop()
    folder.remove()
  })

  return { url: () => running().url, start, stop: async () => void (await running().stop()) }
}

/** Sends a transaction from the node's first account and waits for its receipt: the hash comes before the block. */
export async function sendFrom(node: Node, transaction: Readonly<Record<string, unknown>>) {
  const [from] = await node.call<readonly string[]>('eth_accounts', [])
  const hash = await node.call<string>('eth_sendTransaction', [{ from, ...transaction }])
  let receipt: Awaited<ReturnType<Node['receipt']>> | undefined
  await expect(async () => {
    receipt = await node.receipt(hash)
  }).toPass()
  if (receipt === undefined) throw new Error(`no receipt of ${hash}`)
  return receipt
}
