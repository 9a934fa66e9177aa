import { encodeDeployData, encodeFunctionData, numberToHex, type Hex } from 'viem'
import { anvilAccount, startAnvil } from '../../node/testing/anvil.ts'
import { compiledContract } from '../../testing/compiled-contract.ts'

export const livelyChainId = 4_713

/** A real node with a short chain that has something for every table of a lake. */
export type LivelyChain = {
  readonly url: string
  ask(method: string, params: readonly unknown[]): Promise<unknown>
  /** Mines further blocks like those of the chain. */
  grow(blocks: number): Promise<void>
  stop(): Promise<void>
}

/** A sender whose key nobody has. */
const nobody = `0x${'9a'.repeat(20)}`

/** An account of anvil that sends nothing, and only signs authorizations. */
const signer = anvilAccount(9)

/** An authorization of that account, as a transaction's JSON has it. */
async function authorization(address: string, nonce: number) {
  const signed = await signer.signAuthorization?.({
    chainId: livelyChainId,
    contractAddress: address as Hex,
    nonce,
  })
  if (!signed) throw new Error('the account signs no authorizations')
  const { yParity = 0, r, s } = signed
  const [chainId, count, parity] = [livelyChainId, nonce, yParity].map((value) => numberToHex(value))
  return { chainId, address, nonce: count, yParity: parity, r, s }
}

const call = (name: string, functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi: compiledContract(name).abi, functionName, args: [...args] })

/**
 * Starts anvil and mines `blocks` blocks: plain transfers of all types, an access list, an authorization, creations by
 * transactions and by calls, an impersonated sender, ERC-20, ERC-721 and ERC-1155 transfers with a batch, failures and inner calls.
 */
export async function startLivelyChain(blocks: number): Promise<LivelyChain> {
  const anvil = await startAnvil([
    '--chain-id',
    `${livelyChainId}`,
    '--no-mining',
    '--timestamp',
    '1700000000',
    '--order',
    'fifo',
  ])
  const [one = '', two = ''] = (await anvil.ask('eth_accounts', [])) as string[]
  const gas = '0x400000'
  const send = async (transaction: object) =>
    (await anvil.ask('eth_sendTransaction', [{ from: one, gas, ...transaction }])) as string
  const mine = () => anvil.ask('evm_mine', [])
  const deploy = async (name: string, args: readonly unknown[]): Promise<string> => {
    const { abi, bytecode } = compiledContract(name)
    const hash = await send({ data: encodeDeployData({ abi, bytecode, args: [...args] }) })
    await mine()
    const receipt = (await anvil.ask('eth_getTransactionReceipt', [hash])) as { contractAddress: string }
    return receipt.contractAddress
  }
  const coin = await deploy('Token', ['Coin', 'COIN', 18, 10n ** 24n])
  const art = await deploy('Collectible', ['Art', 'ART', 'ipfs://art/'])
  const items = await deploy('Items', ['Items', 'ipfs://items/'])
  const factory = await deploy('Factory', [])
  await send({
    to: items,
    data: call('Items', 'mintBatch', [
      [1n, 2n, 2n],
      [50n, 60n, 7n],
    ]),
  })
  await mine()
  await anvil.ask('anvil_setBalance', [nobody, '0xde0b6b3a7640000'])
  await anvil.ask('anvil_impersonateAccount', [nobody])

  const fill = async (round: number) => {
    await send({ to: two, value: `0x${(round * 1_000 + 1).toString(16)}`, gas: '0x5208' })
    await send({ from: two, to: one, value: '0x7', gasPrice: '0x77359400' })
    await send({ to: coin, data: call('Token', 'transfer', [two, BigInt(round)]) })
    if (round % 3 === 0) {
      const data = call('Items', 'safeBatchTransferFrom', [one, two, [1n, 2n], [1n, 2n], '0x'])
      await send({ to: items, data })
      await send({ to: art, data: call('Collectible', 'mint', [BigInt(round)]) })
    }
    if (round % 4 === 1) await send({ to: factory, data: call('Factory', 'createMany', [2n]) })
    if (round % 4 === 2) await send({ to: factory, data: call('Factory', 'createAndUndo', []) })
    // Fails: more than the sender has.
    if (round % 5 === 0)
      await send({ from: two, to: coin, data: call('Token', 'transfer', [one, 2n ** 255n]) })
    if (round % 5 === 1) {
      const accessList = [{ address: coin, storageKeys: [`0x${'0'.repeat(63)}1`] }]
      await send({ to: coin, data: call('Token', 'transfer', [two, 1n]), accessList, gasPrice: '0x77359400' })
    }
    if (round % 5 === 2) {
      const authorizationList = [await authorization(coin, delegated++)]
      await send({ to: two, authorizationList, maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' })
    }
    // Its hash is a name that anvil gives it.
    if (round % 5 === 3) await send({ from: nobody, to: two, value: '0x1', gas: '0x5208' })
    await mine()
  }
  let delegated = 0
  let round = 0
  const grow = async (count: number) => {
    for (let left = count; left > 0; left -= 1) await fill(round++)
  }
  await grow(blocks - 6)
  return { url: anvil.url, ask: anvil.ask, grow, stop: anvil.stop }
}
