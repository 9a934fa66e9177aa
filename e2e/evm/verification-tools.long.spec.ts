import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeAbiParameters } from 'viem'
import { expect, test } from '../support/fixtures.ts'
import { temporaryFolder } from '../support/launcher.ts'
import type { Node } from '../support/node.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'
import {
  forgeProgram,
  installCompiler,
  installTools,
  runTool,
  solc,
  surroundForge,
  type ForgeSurroundings,
} from '../support/verification-tools.ts'

/*
 * The real forge and hardhat verify contracts that they compiled themselves and that are deployed on an anvil: plain ones,
 * ones with a library, and ones with immutables and arguments of the constructor.
 */

const head = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'
const sources = {
  'Counter.sol': `${head}contract Counter { uint256 public count; function add(uint256 by) external { count += by; } }`,
  'Scale.sol': `${head}library Scale { function twice(uint256 value) external pure returns (uint256) { return value * 2; } }`,
  'Doubler.sol': `${head}import { Scale } from "./Scale.sol";
contract Doubler { function double(uint256 value) external pure returns (uint256) { return Scale.twice(value); } }`,
  'Vault.sol': `${head}contract Vault {
  address public immutable keeper;
  uint256 public immutable limit;
  string public label;
  constructor(address keeper_, uint256 limit_, string memory label_) { keeper = keeper_; limit = limit_; label = label_; }
}`,
} as const

const keeper = `0x${'5a'.repeat(20)}` as const
const vaultArguments = encodeAbiParameters(
  [{ type: 'address' }, { type: 'uint256' }, { type: 'string' }],
  [keeper, 1_000n, 'savings'],
)

/**
 * Tools write a library into the settings when they verify, and so into the metadata, which the contract was compiled
 * without.
 */
const matchOf = (name: string): string => (name === 'Doubler' ? 'match' : 'exact_match')

/** Where a tool deployed its contracts. */
type Deployed = { counter: string; scale: string; doubler: string; vault: string }

async function deployAll(node: Node, bytecodeOf: (name: string) => string): Promise<Deployed> {
  const deploy = async (data: string): Promise<string> =>
    (await sendFrom(node, { data })).contractAddress ?? ''
  const scale = await deploy(bytecodeOf('Scale'))
  return {
    scale,
    counter: await deploy(bytecodeOf('Counter')),
    doubler: await deploy(bytecodeOf('Doubler').replaceAll(/__\$[0-9a-f]{34}\$__/g, scale.slice(2))),
    vault: await deploy(bytecodeOf('Vault') + vaultArguments.slice(2)),
  }
}

/** The creation code in an artefact of forge, or of hardhat. */
function bytecodeIn(path: string): string {
  const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string | { object: string } }
  return typeof bytecode === 'string' ? bytecode : bytecode.object
}

test.describe('verification by tools', () => {
  const work = temporaryFolder()
  const project = { forge: join(work.path, 'forge'), hardhat: join(work.path, 'hardhat') }
  let tools: string
  let byForge: Deployed
  let byHardhat: Deployed
  let nodeUrl: string
  let surroundings: ForgeSurroundings

  const dashboard = useOwnChain(async (node, home, url) => {
    tools = installTools()
    nodeUrl = url
    installCompiler(home)
    surroundings = await surroundForge(work.path)

    for (const [folder, inside] of [
      [project.forge, 'src'],
      [project.hardhat, 'contracts'],
    ] as const) {
      mkdirSync(join(folder, inside), { recursive: true })
      for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, inside, name), text)
    }
    writeFileSync(
      join(project.forge, 'foundry.toml'),
      `[profile.default]\nsolc = "${solc.version}"\noptimizer = true\nevm_version = "cancun"\n`,
    )
    const built = await runTool(forgeProgram(tools), ['build'], project.forge, surroundings.env)
    expect(built.code, built.said).toBe(0)
    byForge = await deployAll(node, (name) => bytecodeIn(join(project.forge, `out/${name}.sol/${name}.json`)))

    symlinkSync(join(tools, 'node_modules'), join(project.hardhat, 'node_modules'))
    writeFileSync(join(project.hardhat, 'package.json'), '{"name":"of-a-test","private":true}')
    writeFileSync(join(project.hardhat, 'hardhat.config.js'), hardhatConfig('http://127.0.0.1:9'))
    const compiled = await runTool(process.execPath, [hardhatProgram(), 'compile'], project.hardhat)
    expect(compiled.code, compiled.said).toBe(0)
    byHardhat = await deployAll(node, (name) =>
      bytecodeIn(join(project.hardhat, `artifacts/contracts/${name}.sol/${name}.json`)),
    )
    return { chain: { name: 'Desk', token: { name: 'Ether', symbol: 'ETH' } } }
  })
  test.afterAll(() => {
    surroundings.stop()
    work.remove()
  })

  const hardhatProgram = (): string => join(tools, 'node_modules/hardhat/internal/cli/bootstrap.js')
  const hardhatConfig = (service: string): string => `
require('@nomicfoundation/hardhat-verify')
const { subtask } = require('hardhat/config')
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require('hardhat/builtin-tasks/task-names')
subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => (${JSON.stringify({
    compilerPath: solc.file,
    isSolcJs: true,
    version: solc.version,
    longVersion: solc.longVersion,
  })}))
module.exports = {
  solidity: { version: '${solc.version}', settings: { optimizer: { enabled: true, runs: 200 } } },
  networks: { own: { url: '${nodeUrl}', chainId: ${ownChain.id} } },
  etherscan: {
    apiKey: { own: 'none' },
    customChains: [{ network: 'own', chainId: ${ownChain.id}, urls: { apiURL: '${service}/api', browserURL: '${service}' } }],
  },
  sourcify: { enabled: false },
}
`
  const sourceOf = async (address: string) => {
    const url = `${await dashboard.url()}/v1/chains/${ownChain.id}/contracts/${address}/source`
    const response = await fetch(url)
    return ((await response.json()) as { source?: Record<string, unknown> }).source
  }

  for (const verifier of ['etherscan', 'sourcify'] as const)
    test(`forge verifies through the API of ${verifier}`, async () => {
      const url = `${await dashboard.url()}/${verifier === 'sourcify' ? 'sourcify/' : 'api'}`
      // Exact matches are refused a second time: each API gets contracts of its own.
      const given =
        verifier === 'etherscan'
          ? ([
              [byForge.counter, 'Counter', []],
              [byForge.doubler, 'Doubler', ['--libraries', `src/Scale.sol:Scale:${byForge.scale}`]],
              [byForge.vault, 'Vault', ['--constructor-args', vaultArguments]],
            ] as const)
          : ([[byForge.scale, 'Scale', []]] as const)
      for (const [address, name, more] of given) {
        const { code, said } = await runTool(
          forgeProgram(tools),
          [
            'verify-contract',
            '--chain',
            ownChain.id,
            '--rpc-url',
            nodeUrl,
            ...(verifier === 'sourcify'
              ? ['--verifier', 'sourcify']
              : ['--verifier', 'custom', '--etherscan-api-key', 'none']),
            '--verifier-url',
            url,
            '--watch',
            ...more,
            address,
            `src/${name}.sol:${name}`,
          ],
          project.forge,
          surroundings.env,
        )
        expect(code, said).toBe(0)
        expect(await sourceOf(address), said).toMatchObject({ name, runtimeMatch: matchOf(name) })
      }
    })

  test('hardhat verifies', async ({ page }) => {
    writeFileSync(join(project.hardhat, 'hardhat.config.js'), hardhatConfig(await dashboard.url()))
    writeFileSync(join(project.hardhat, 'libraries.js'), `module.exports = { Scale: '${byHardhat.scale}' }`)
    for (const [address, name, more] of [
      [byHardhat.counter, 'Counter', []],
      [byHardhat.doubler, 'Doubler', ['--libraries', 'libraries.js']],
      [byHardhat.vault, 'Vault', [keeper, '1000', 'savings']],
    ] as const) {
      const [first, ...rest] = more
      const args =
        first === '--libraries'
          ? [...more, address]
          : [address, ...(first === undefined ? [] : [first, ...rest])]
      const { code, said } = await runTool(
        process.execPath,
        [hardhatProgram(), 'verify', '--network', 'own', ...args],
        project.hardhat,
      )
      expect(code, said).toBe(0)
      expect(await sourceOf(address), said).toMatchObject({ name, runtimeMatch: matchOf(name) })
    }
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/address/${byHardhat.vault}?tab=contract`)
    const source = page.getByRole('region', { name: 'Source' })
    await expect(source).toContainText('exact match')
    // Decoded by the constructor of the source.
    await expect(source).toContainText('savings')
    await source.getByRole('button', { name: 'contracts/Vault.sol' }).click()
    await expect(source.getByLabel('contracts/Vault.sol')).toContainText('contract Vault')
  })
})
