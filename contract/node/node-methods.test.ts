import { expect, test } from 'vitest'
import { nodeEndpoints, nodeMethods, type NodeEndpoint } from './node-methods.ts'

/** What the API reference names, section by section, with its own spelling. */
const named: Partial<Record<NodeEndpoint, string>> = {
  admin:
    'admin.alias admin.aliasChain admin.getChainAliases admin.getLoggerLevel admin.loadVMs admin.lockProfile ' +
    'admin.memoryProfile admin.setLoggerLevel admin.startCPUProfiler admin.stopCPUProfiler',
  evm:
    'eth_baseFee eth_maxPriorityFeePerGas eth_getChainConfig net_version eth_chainId eth_getProof eth_feeConfig ' +
    'eth_getActivePrecompilesAt eth_getActiveRulesAt',
  chainAdmin:
    'admin_startCPUProfiler admin_stopCPUProfiler admin_memoryProfile admin_lockProfile admin_setLogLevel admin_getVMConfig',
  atomic: 'svc.getUTXOs svc.issueTx svc.getAtomicTxStatus svc.getAtomicTx',
  validators: 'validators.getCurrentValidators',
}

test('every method that the interface names is listed at its endpoint, once', () => {
  for (const [endpoint, methods] of Object.entries(named)) {
    for (const method of methods.split(' ')) {
      const found = nodeMethods.filter((each) => each.endpoint === endpoint && each.method === method)
      expect(found, method).toHaveLength(1)
    }
  }
  const keys = nodeMethods.map(({ endpoint, method }) => `${endpoint} ${method}`)
  expect(new Set(keys).size).toBe(keys.length)
})

test('every namespace of the EVM that the interface names is there', () => {
  const namespaces = new Set(
    nodeMethods.filter(({ endpoint }) => endpoint === 'evm').map((each) => each.namespace),
  )
  for (const name of ['web3', 'net', 'eth', 'personal', 'txpool', 'debug']) expect(namespaces).toContain(name)
})

test('what reads the pool, traces, uses keys of the node or administrates is closed', () => {
  const open = nodeMethods.filter(({ closedBy }) => closedBy === undefined).map(({ method }) => method)
  expect(open.filter((name) => /^(debug|txpool|personal|admin)[._]/.test(name))).toEqual([])
  expect(open.filter((name) => /^eth_(send|sign|resend)/.test(name))).toEqual(['eth_sendRawTransaction'])
})

test('only EVM endpoints take batches, and an example is what its endpoint takes', () => {
  for (const { method, endpoint, params, isBatchable } of nodeMethods) {
    expect(isBatchable, method).toBe(endpoint === 'evm')
    if (endpoint === 'evm') expect(Array.isArray(params), method).toBe(true)
    expect(nodeEndpoints[endpoint].path).toMatch(/^\/ext\//)
  }
})
