import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { Hex } from 'viem'
import { solc } from './verification-tools.ts'

/* A contract of a hundred source files: `src/Main.sol` calls a library of 60 lines of comments in each of the others. */

const libraries = Array.from({ length: 99 }, (_, index) => index)
const comments = Array.from({ length: 60 }, (_, index) => `// ${index}: what this library is for`).join('\n')
const input = {
  language: 'Solidity',
  sources: {
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
  },
  settings: {
    optimizer: { enabled: true },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
}

/** The code that creates it, compiled by solc itself. */
export function compileManySources(): Hex {
  const answer = execFileSync(
    process.execPath,
    [createRequire(import.meta.url).resolve('solc/solc.js'), '--standard-json'],
    { input: JSON.stringify(input), encoding: 'utf8', maxBuffer: 100_000_000 },
  )
  const { contracts } = JSON.parse(answer.slice(answer.indexOf('{'))) as {
    contracts: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
  }
  return `0x${contracts['src/Main.sol']?.['Main']?.evm.bytecode.object}`
}

/** Has a service verify it by the door of Sourcify; throws unless it matches exactly. */
export async function verifyManySources(serviceUrl: string, chainId: string, address: string): Promise<void> {
  const base = `${serviceUrl}/sourcify/v2`
  const asked = await fetch(`${base}/verify/${chainId}/${address}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      stdJsonInput: input,
      compilerVersion: solc.longVersion,
      contractIdentifier: 'src/Main.sol:Main',
    }),
  })
  const { verificationId } = (await asked.json()) as { verificationId: string }
  for (;;) {
    const job = (await (await fetch(`${base}/verify/${verificationId}`)).json()) as {
      isJobCompleted: boolean
      contract?: { runtimeMatch: string | null }
    }
    if (!job.isJobCompleted) {
      await delay(250)
      continue
    }
    if (job.contract?.runtimeMatch !== 'exact_match')
      throw new Error(`the sources did not match: ${JSON.stringify(job)}`)
    return
  }
}
