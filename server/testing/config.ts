import { configFile, type Config } from '../kernel/settings/config.ts'

export const testToken = 'a-token-of-tests-0123456789-0123456789'

/** The headers of the operator's requests. */
export const asOperator = { host: 'localhost', 'x-ridgeline-token': testToken }

/** Settings of a test: the chain 43113, unless the test gives its own configuration. */
export function testConfig(file: Record<string, unknown> = {}): Config {
  return {
    ...configFile.parse({
      chains: [{ evmChainId: 43113, name: 'Test Chain', rpcUrl: 'http://127.0.0.1:9' }],
      ...file,
    }),
    host: '127.0.0.1',
    port: 0,
    home: '',
    localToken: testToken,
    role: 'api',
    logLevel: 'silent',
  }
}
