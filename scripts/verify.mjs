// npm run verify: checks a database against its nodes; see docs/indexer.md.
process.argv.splice(2, 0, 'verify')
await import('./program.mjs')
