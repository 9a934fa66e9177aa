/** The service, which the client of orval has in its code. */
const baseUrl = process.env.SERVICE_URL

export default {
  ridgeline: {
    input: './openapi.json',
    output: { target: './generated/orval.ts', client: 'fetch', mode: 'single', baseUrl },
  },
}
