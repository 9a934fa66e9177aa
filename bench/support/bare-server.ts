import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { openDatabase } from '../../server/store/database.ts'

/**
 * The anchors of bench/http.ts in a separate process: the cost of a minimal server. `/static` answers with
 * the text of a file; `/page/<block>` with a page of transactions below a block, which the database writes as
 * JSON in one statement. Arguments: port, file, database URL, chain.
 */
const [port = '', file = '', databaseUrl = '', chain = ''] = process.argv.slice(2)
const body = readFileSync(file)
const database = openDatabase(databaseUrl, { max: 8, applicationName: 'ridgeline bench' })
const headers = { 'content-type': 'application/json; charset=utf-8' }

const statement = `
  select coalesce(json_agg(t), '[]')::text as json from (
    select number, index, type, status, encode(hash, 'hex') as hash, encode(sender, 'hex') as sender,
      encode(recipient, 'hex') as recipient, value::text, nonce::text, gas_limit::text, gas_used, gas_price::text,
      encode(substring(input from 1 for 4), 'hex') as method
    from transactions where chain = $1 and number < $2
    order by number desc, index desc limit 25) t`

async function page(block: string): Promise<string> {
  const rows = await database.unsafe<{ json: string }[]>(statement, [chain, block], { prepare: true })
  return rows[0]?.json ?? '[]'
}

const server = createServer((request, response) => {
  const path = request.url ?? '/'
  if (!path.startsWith('/page/')) {
    response.writeHead(200, { ...headers, 'content-length': body.length }).end(body)
    return
  }
  page(path.slice('/page/'.length)).then(
    (json) => response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(json) }).end(json),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})
server.listen(Number(port), '127.0.0.1', () => process.send?.('listening'))
process.on('disconnect', () => process.exit())
