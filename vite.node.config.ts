import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import pack from './package.json' with { type: 'json' }

/** Puts the glossary that assistants read beside the programs (server/mcp/server.ts). */
const glossary: Plugin = {
  name: 'glossary',
  generateBundle() {
    const source = readFileSync(fileURLToPath(new URL('docs/glossary.md', import.meta.url)))
    this.emitFile({ type: 'asset', fileName: 'docs/glossary.md', source })
  },
}

/** Puts the genesis of public networks beside the programs (server/primary/public-genesis.ts). */
const publicGenesis: Plugin = {
  name: 'public-genesis',
  generateBundle() {
    const folder = fileURLToPath(new URL('server/primary/genesis/', import.meta.url))
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.br')))
      this.emitFile({ type: 'asset', fileName: `genesis/${name}`, source: readFileSync(`${folder}${name}`) })
  },
}

/** What pages load later, and the service never draws. */
const loadedLater = [/^recharts/, /^@codemirror\//, /^@lezer\//, /^@prometheus-io\//, /^swagger-ui-dist/]

/**
 * The programs behind `npm start`, each one ESM file; packages stay in node_modules, but for those of the dashboard, which
 * an installed package does not have.
 */
export default defineConfig({
  plugins: [glossary, publicGenesis],
  ssr: { noExternal: true, external: Object.keys(pack.dependencies) },
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/node',
    target: 'node20',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rollupOptions: {
      external: loadedLater,
      // “use client” in packages of React, for another kind of bundler.
      onwarn: (warning, tell) => void (warning.code === 'MODULE_LEVEL_DIRECTIVE' || tell(warning)),
      input: {
        server: 'server/main.ts',
        sample: 'sample/main.ts',
        verify: 'server/verify/verify.ts',
        backup: 'server/maintenance/backup-program.ts',
        upgrade: 'server/maintenance/upgrade-program.ts',
        database: 'server/maintenance/database-program.ts',
        config: 'server/maintenance/config-program.ts',
        restore: 'server/maintenance/restore-program.ts',
        contracts: 'server/maintenance/contracts-program.ts',
        compilers: 'server/maintenance/compilers-program.ts',
        lake: 'server/lake/program/main.ts',
        mcp: 'server/mcp/program.ts',
        forecast: 'server/maintenance/forecast-program.ts',
        prerender: 'src/prerender.tsx',
        client: 'src/api/published.ts',
        'sql-engine': 'server/sql/engine-process.ts',
        'health-worker': 'server/http/health-worker.ts',
        compiler: 'server/contracts/compiler/compiler-process.ts',
        'bls-worker': 'server/signatures/bls-worker.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
    },
  },
})
