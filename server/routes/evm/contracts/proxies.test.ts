import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeAbiParameters, keccak256, stringToBytes, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runCompiler } from '../../../contracts/compiler/run-compiler.ts'
import { compilerFile } from '../../../contracts/testing/compilers.ts'
import { proxySlots } from '../../../node/proxy.ts'
import { startAnvil, type Anvil } from '../../../node/testing/anvil.ts'
import { addressOf, seedChain, transactionHash, type SeedBlock } from '../../../testing/chain-rows.ts'
import { testConfig } from '../../../testing/config.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import { startTestService, type TestService } from '../../../testing/service.ts'

const chain = 43113
const at = (name: string): Hex => addressOf(name) as Hex
const word = (address: string): Hex => `0x${address.slice(2).padStart(64, '0')}`
const topicOf = (signature: string): Hex => keccak256(stringToBytes(signature))

const forwarding =
  'fallback() external payable { (bool ok,) = target().delegatecall(msg.data); require(ok); }'
const sources = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
contract Code { function version() external pure returns (uint256) { return 1; } }
contract Diamond {
  address[] facets;
  constructor(address[] memory facets_) { facets = facets_; }
  function facetAddresses() external view returns (address[] memory) { return facets; }
  function target() internal view returns (address) { return facets[0]; }
  ${forwarding}
}
contract Unitroller {
  address public admin; address public comptrollerImplementation;
  constructor(address admin_, address code) { admin = admin_; comptrollerImplementation = code; }
  function target() internal view returns (address) { return comptrollerImplementation; }
  ${forwarding}
}
contract Telling {
  uint256 filler; address public implementation; address public owner;
  constructor(address owner_, address code) { owner = owner_; implementation = code; }
  function target() internal view returns (address) { return implementation; }
  ${forwarding}
}
contract Beacon {
  address public implementation; address public owner;
  constructor(address owner_, address code) { owner = owner_; implementation = code; }
}
contract Ruled {
  bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");
  address public owner; address public pauser; bool public paused = true;
  constructor(address owner_, address pauser_) { owner = owner_; pauser = pauser_; }
}`

// The runtime code of Safe's proxy, version 1.3 (safe-global/safe-smart-account, GnosisSafeProxy.sol).
const safeProxy =
  '0x608060405273ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0000000000000000000000000000000000000000000000000000000060003514156050578060005260206000f35b3660008037600080366000845af43d6000803e60008114156070573d6000fd5b3d6000f3'
const minimal = (code: string): string =>
  `0x363d3d373d3d3d363d73${code.slice(2)}5af43d82803e903d91602b57fd5bf3`

let anvil: Anvil
let store: TestDatabase
let service: TestService
let folder: string
const placed: Record<string, string> = {}

const role = topicOf('MINTER_ROLE')
const log = (address: string, topics: Hex[], data: Hex = '0x') => ({ address, topics, data })
const blocksOf = (): SeedBlock[] => [
  { number: 0, ts: 1_700_000_000, txs: [] },
  {
    number: 1,
    ts: 1_700_000_100,
    txs: [
      {
        from: at('alice'),
        to: at('by 1967'),
        logs: [log(at('by 1967'), [topicOf('Upgraded(address)'), word(at('old code'))])],
      },
      {
        from: at('alice'),
        to: placed['Ruled'] ?? '',
        logs: ['bob', 'carol'].map((name) =>
          log(placed['Ruled'] ?? '', [
            topicOf('RoleGranted(bytes32,address,address)'),
            role,
            word(at(name)),
            word(at('alice')),
          ]),
        ),
      },
    ],
  },
  {
    number: 2,
    ts: 1_700_000_200,
    txs: [
      {
        from: at('bob'),
        to: at('by 1967'),
        logs: [log(at('by 1967'), [topicOf('Upgraded(address)'), word(placed['Code'] ?? '')])],
      },
      {
        from: at('alice'),
        to: placed['Ruled'] ?? '',
        logs: [
          log(placed['Ruled'] ?? '', [
            topicOf('RoleRevoked(bytes32,address,address)'),
            role,
            word(at('bob')),
            word(at('alice')),
          ]),
        ],
      },
      {
        from: at('carol'),
        to: placed['Beacon'] ?? '',
        logs: [log(placed['Beacon'] ?? '', [topicOf('Upgraded(address)'), word(placed['Code'] ?? '')])],
      },
    ],
  },
]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgeline-proxies-'))
  const input = {
    language: 'Solidity',
    sources: { 'a.sol': { content: sources } },
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
  }
  const answer = await runCompiler(compilerFile('solc'), JSON.stringify(input), {
    seconds: 120,
    memoryMegabytes: 1_024,
    outputBytes: 10_000_000,
  })
  const compiled = (
    JSON.parse(answer) as {
      contracts: { 'a.sol': Record<string, { abi: unknown; evm: { bytecode: { object: string } } }> }
    }
  ).contracts['a.sol']
  anvil = await startAnvil(['--chain-id', String(chain)])
  const [sender] = (await anvil.ask('eth_accounts', [])) as string[]
  const deploy = async (name: string, given: Hex = '0x'): Promise<string> => {
    const data = `0x${compiled[name]?.evm.bytecode.object ?? ''}${given.slice(2)}`
    const hash = await anvil.ask('eth_sendTransaction', [{ from: sender, data, gas: '0x2dc6c0' }])
    // The hash comes before the block.
    const receipt = await vi.waitUntil(
      () => anvil.ask('eth_getTransactionReceipt', [hash]) as Promise<{ contractAddress: string } | null>,
      { timeout: 20_000 },
    )
    return receipt.contractAddress
  }
  const code = await deploy('Code')
  placed['Code'] = code
  const pair = (one: string, two: string): Hex =>
    encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [one as Hex, two as Hex])
  placed['Diamond'] = await deploy(
    'Diamond',
    encodeAbiParameters([{ type: 'address[]' }], [[code as Hex, at('other facet')]]),
  )
  placed['Unitroller'] = await deploy('Unitroller', pair(at('alice'), code))
  placed['Telling'] = await deploy('Telling', pair(at('alice'), code))
  placed['Beacon'] = await deploy('Beacon', pair(at('carol'), code))
  placed['Ruled'] = await deploy('Ruled', pair(at('alice'), at('bob')))
  await writeFile(join(folder, 'ruled.json'), JSON.stringify(compiled['Ruled']?.abi))
  const set = (name: string, bytecode: string) => anvil.ask('anvil_setCode', [at(name), bytecode])
  const slot = (name: string, place: string, value: string) =>
    anvil.ask('anvil_setStorageAt', [at(name), place, word(value)])
  for (const name of ['by 1967', 'by beacon', 'by 1822', 'by old slot']) await set(name, '0x6001')
  await slot('by 1967', proxySlots['EIP-1967'], code)
  await slot('by 1967', proxySlots['EIP-1967 admin'], placed['Telling'])
  await slot('by beacon', proxySlots['EIP-1967 beacon'], placed['Beacon'])
  await slot('by 1822', proxySlots['EIP-1822'], code)
  await slot('by old slot', proxySlots.OpenZeppelin, code)
  await set('by 1167', minimal(code))
  await set('by 7702', `0xef0100${code.slice(2)}`)
  await set('safe', safeProxy)
  await slot('safe', `0x${'0'.repeat(64)}`, code)
  await anvil.ask('anvil_mine', ['0x2'])

  store = await createTestDatabase()
  await seedChain(store.database, { chain, blocks: blocksOf() })
  service = await startTestService(store.database, {
    config: testConfig({
      chains: [{ evmChainId: chain, name: 'Test Chain', rpcUrl: anvil.url }],
      abis: [
        { chainId: chain, address: placed['Ruled'], name: 'Ruled', path: join(folder, 'ruled.json') },
        { chainId: chain, address: code, name: 'The code', path: join(folder, 'ruled.json') },
      ],
    }),
  })
})
afterAll(async () => {
  await service.close()
  await store.drop()
  await anvil.stop()
  await rm(folder, { recursive: true, force: true })
})

const ask = async (address: string, part: string) => {
  const response = await service.app.inject(`/v1/chains/${chain}/contracts/${address}/${part}`)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
const placeOf = (name: string): string => placed[name] ?? at(name)

test.each([
  ['by 1967', 'EIP-1967'],
  ['by beacon', 'EIP-1967 beacon'],
  ['by 1822', 'EIP-1822'],
  ['by old slot', 'OpenZeppelin'],
  ['by 1167', 'EIP-1167'],
  ['by 7702', 'EIP-7702'],
  ['safe', 'Safe'],
  ['Diamond', 'EIP-2535'],
  ['Unitroller', 'Compound'],
  ['Telling', 'EIP-897'],
])('%s is a proxy of the form %s', async (name, kind) => {
  const { proxy } = await ask(placeOf(name), 'code')
  expect(proxy).toMatchObject({
    kind,
    implementation: placed['Code'],
    implementationHasCode: true,
    implementationName: 'The code',
  })
})

test.each(['Code', 'Beacon', 'Ruled'])('%s is none', async (name) => {
  expect((await ask(placeOf(name), 'code')).proxy).toBeUndefined()
})

test('a diamond tells all of its facets', async () => {
  expect((await ask(placeOf('Diamond'), 'code')).proxy.implementations).toEqual([
    placed['Code'],
    at('other facet'),
  ])
})

test('the history of a proxy has who set which code when, the latest first', async () => {
  const { proxy } = await ask(at('by 1967'), 'code')
  const [, first, second] = blocksOf() as [SeedBlock, SeedBlock, SeedBlock]
  expect(proxy.upgrades).toEqual([
    {
      implementation: placed['Code'],
      name: 'The code',
      blockNumber: '2',
      blockTimestamp: 1_700_000_200,
      txHash: transactionHash(chain, second, 0),
      sender: at('bob'),
    },
    {
      implementation: at('old code'),
      blockNumber: '1',
      blockTimestamp: 1_700_000_100,
      txHash: transactionHash(chain, first, 0),
      sender: at('alice'),
    },
  ])
  // A beacon changes all of its proxies.
  expect((await ask(at('by beacon'), 'code')).proxy.upgrades).toMatchObject([{ sender: at('carol') }])
})

test.each([
  [
    'by 1967',
    [
      ['admin', 'Telling'],
      ['owner of the admin', 'alice'],
    ],
  ],
  ['by beacon', [['owner of the beacon', 'carol']]],
  ['by 1167', []],
  ['by 7702', [['account', 'by 7702']]],
  ['Unitroller', [['admin', 'alice']]],
  ['Telling', [['owner', 'alice']]],
] as const)('who can change the code of %s', async (name, holders) => {
  const { changeableBy } = (await ask(placeOf(name), 'code')).proxy
  expect(changeableBy.map(({ power, address }: Record<string, string>) => [power, address])).toEqual(
    holders.map(([power, holder]) => [power, placeOf(holder)]),
  )
})

test('who has power over a contract, by the names of its ABI and the events of its roles', async () => {
  expect(await ask(placeOf('Ruled'), 'powers')).toEqual({
    isPaused: true,
    holders: [
      { power: 'owner', address: at('alice'), isContract: false },
      { power: 'pauser', address: at('bob'), isContract: false },
      // Bob's role was revoked.
      { power: 'MINTER_ROLE', address: at('carol'), isContract: false },
    ],
  })
})
