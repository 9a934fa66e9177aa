import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

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

/**
 * The programs behind `npm start`, each one ESM file; packages stay in node_modules, but for those of the dashboard, which
 * an installed package does not have.
 */
export default defineConfig({
  plugins: [glossary, publicGenesis],
  ssr: { noExternal: ['react', 'react-dom', 'react-router', '@tanstack/react-query'] },
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/node',
    target: 'node20',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    rollupOptions: {
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
        'first-lines': 'src/first-lines.tsx',
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
