import { bareStatement, measureLatency } from './support/latency.ts'
import { fillNameRows, nameChain, nameCount, nameRowsVersion } from './rows/name-rows.ts'
import type { Figure, Report } from './support/report.ts'
import { syntheticChainConfig, withRows } from './support/service.ts'

const servicePort = 18_850

/** What is searched: some of each kind, so that no answer is repeated at once. */
const kinds: readonly (readonly [string, readonly string[]])[] = [
  ['whole names and symbols', ['usdc', 'susd', 'meridian', 'harbor voyage', 'glacier', 'token token']],
  ['beginnings of names', ['tok', 'dol', 'meri', 'gla', 'harbor vo', 'rocket b']],
  ['later words and parts of names', ['voyage', 'dge can', 'eridia', 'lantern', 'quasar', 'oken fin']],
  ['typing mistakes', ['meridain', 'glaciar', 'harbour voyge', 'lantren', 'quazar', 'rigde']],
  ['beginnings of addresses', ['0x5a6c1f', '0x00ff31', '0xabcdef0', '0x77aa22c', '0x1234567', '0xfedcba9']],
  ['nothing', ['xyzzyq', 'qqqqqq', 'zzxxyy', 'nothinglikeit', 'vvvvww', 'kkkkjj']],
]

/** Measures the search among a million names of tokens, one request at a time. */
export async function runSearchBench(): Promise<Report> {
  const config = { chains: [syntheticChainConfig(Number(nameChain))] }
  return withRows(
    { name: 'search', port: servicePort, config },
    [`names_${nameRowsVersion}`, 'a million names', fillNameRows],
    async (service, databaseUrl) => {
      const rows = await bareStatement(
        databaseUrl,
        'bare rows',
        `select token, name, symbol from token_facts where chain = ${nameChain} order by token limit 20`,
      )
      const figures: Figure[] = []
      for (const [name, texts] of kinds) {
        const paths = texts.map((text) => `/v1/search?query=${encodeURIComponent(text)}`)
        figures.push(...(await measureLatency(service, `search: ${name}`, paths, rows, 30)))
      }
      return {
        title: `Search among ${nameCount.toLocaleString('en')} names of tokens`,
        figures,
        notes: [
          'Anchor: twenty rows in one range of the primary key, by a bare statement on one connection.',
        ],
      }
    },
  )
}
