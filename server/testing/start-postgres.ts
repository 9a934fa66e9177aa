import { startEmbeddedPostgres } from '../store/embedded-postgres.ts'

/** A process that starts the server of the given home and waits to be killed. */
const server = await startEmbeddedPostgres({ home: String(process.argv[2]) })
process.send?.(server.url)
setInterval(() => undefined, 60_000)
