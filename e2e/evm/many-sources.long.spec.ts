import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Hex } from 'viem'
import { expect, test } from '../support/fixtures.ts'
import { ownChain, sendFrom, useOwnChain } from '../support/own-chain.ts'
import { installCompiler, solc } from '../support/verification-tools.ts'

/* A contract of a hundred files: one finds a line in all of them, and the editor comes with the first file that is opened. */

const libraries = Array.from({ length: 99 }, (_, index) => index)
const comments = Array.from({ length: 60 }, (_, index) => `// ${index}: what this library is for`).join('\n')
const sources = {
  'src/Main.sol': {
    content: [
      'pragma solidity 0.8.30;',
      ...libraries.map((index) => `import "./parts/Part${index}.sol";`),
      'contract Main {',
      '  function sum(uint256 x) external pure returns (uint256 total) {',
      ...libraries.map((index) => `    total += Part${index}.scaled(x);`),
      '  }',
      '}',
    ].join('\n'),
  },
  ...Object.fromEntries(
    libraries.map((index) => [
      `src/parts/Part${index}.sol`,
      {
        content: `pragma solidity 0.8.30;\n${comments}\nlibrary Part${index} {\n  function scaled(uint256 x) internal pure returns (uint256) { return x * ${index}; }\n}\n`,
      },
    ]),
  ),
}
const input = {
  language: 'Solidity',
  sources,
  settings: {
    optimizer: { enabled: true },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
}

test.describe('a contract of a hundred files', () => {
  let address = ''
  const dashboard = useOwnChain(async (node, home) => {
    installCompiler(home)
    const answer = execFileSync(
      process.execPath,
      [createRequire(import.meta.url).resolve('solc/solc.js'), '--standard-json'],
      { input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 100_000_000 },
    )
    const { contracts } = JSON.parse(answer.slice(answer.indexOf('{'))) as {
      contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
    }
    const data: Hex = `0x${contracts['src/Main.sol']?.['Main']?.evm.bytecode.object}`
    address = (await sendFrom(node, { data })).contractAddress ?? ''
    return { chain: { name: 'Desk' } }
  })

  test.beforeAll(async () => {
    const base = `${await dashboard.url()}/sourcify/v2`
    const asked = await fetch(`${base}/verify/${ownChain.id}/${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        stdJsonInput: input,
        compilerVersion: solc.longVersion,
        contractIdentifier: 'src/Main.sol:Main',
      }),
    })
    const { verificationId } = (await asked.json()) as { verificationId: string }
    await expect
      .poll(async () => (await fetch(`${base}/verify/${verificationId}`)).json())
      .toMatchObject({ isJobCompleted: true, contract: { runtimeMatch: 'exact_match' } })
  })

  test('lists its files, finds a line in all of them, and loads the editor when one is opened', async ({
    page,
  }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto(`${await dashboard.url()}/chain/${ownChain.id}/address/${address}?tab=contract`)
    const files = page.getByRole('list', { name: 'Source files' })
    await expect(files.getByRole('listitem')).toHaveCount(100)
    const before = scripts.length

    await page.getByRole('searchbox', { name: 'Search all files' }).fill('X * 42')
    const found = page.getByRole('list', { name: 'Lines found' }).getByRole('button')
    await expect(found).toHaveCount(1)
    expect(scripts).toHaveLength(before)
    await found.click()
    await expect(page).toHaveURL(/[?&]file=src%2Fparts%2FPart42\.sol/)
    await expect(page).toHaveURL(/[?&]line=63/)
    const editor = page.getByRole('textbox', { name: 'src/parts/Part42.sol' })
    await expect(editor.getByText('return x * 42;')).toBeVisible()
    expect(scripts.length).toBeGreaterThan(before)
  })
})
