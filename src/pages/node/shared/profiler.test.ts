import { expect, test } from 'vitest'
import recorded from '../../../api/fixtures/node-answers.json' with { type: 'json' }
import { NodeError, resultOf } from '../../../api/node/node-client.ts'
import { profilerAfter } from './profiler.ts'

/** What a node really said. */
function refusal(name: keyof typeof recorded): unknown {
  try {
    resultOf({ ...recorded[name], retryAfter: undefined })
  } catch (error) {
    return error
  }
  throw new Error(`${name} is no refusal`)
}

test('both transitions, and what a wrong one teaches of the state', () => {
  expect(profilerAfter('unknown', 'start', undefined)).toBe('profiling')
  expect(profilerAfter('profiling', 'stop', undefined)).toBe('idle')
  expect(profilerAfter('unknown', 'start', refusal('admin.startCPUProfiler.twice'))).toBe('profiling')
  expect(profilerAfter('profiling', 'stop', refusal('admin.stopCPUProfiler.notRunning'))).toBe('idle')
  expect(profilerAfter('unknown', 'start', refusal('C.admin.startCPUProfiler.whileNodeProfiling'))).toBe(
    'elsewhere',
  )
})

test('what does not come from the profiler teaches nothing', () => {
  expect(profilerAfter('profiling', 'stop', new NodeError('network', 'away'))).toBe('profiling')
  expect(profilerAfter('idle', 'start', new NodeError('refused', 'no rights', { code: -32000 }))).toBe('idle')
})
