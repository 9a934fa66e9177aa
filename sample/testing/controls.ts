import type { TestParts } from '../network.ts'

export function createTestParts(): TestParts {
  return { hook: { begin: () => undefined, isSilent: () => false, mayPush: () => true }, concern: () => ({}) }
}
