import { expect, test } from 'vitest'
import recorded from '../../../api/fixtures/node-answers.json' with { type: 'json' }
import { NodeError, resultOf } from '../../../api/node/node-client.ts'
import { profilerAfter } from './profiler.ts'

/** A recorded refusal of a node. */
function refusal(name: keyof typeof recorded): unknown {
  try {
    resultOf({ ...recorded[name], retryAfter: undefined })
  } catch (error) {
    return error
  }
  throw new Error(`${name} is not a refusal`)
}

test('derives the state from both transitions and from refused ones', () => {
  expect(profilerAfter('unknown', 'start', undefined)).toBe('profiling')
  expect(profilerAfter('profiling', 'stop', undefined)).toBe('idle')
  expect(profilerAfter('unknown', 'start', refusal('admin.startCPUProfiler.twice'))).toBe('profiling')
  expect(profilerAfter('profiling', 'stop', refusal('admin.stopCPUProfiler.notRunning'))).toBe('idle')
  expect(profilerAfter('unknown', 'start', refusal('C.admin.startCPUProfiler.whileNodeProfiling'))).toBe(
    'elsewhere',
  )
})

test('keeps the state after other errors', () => {
  expect(profilerAfter('profiling', 'stop', new NodeError('network', 'away'))).toBe('profiling')
  expect(profilerAfter('idle', 'start', new NodeError('refused', 'no rights', { code: -32000 }))).toBe('idle')
})
