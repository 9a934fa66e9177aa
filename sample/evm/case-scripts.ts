import { cCases } from './case-c.ts'
import { meridianCases } from './case-meridian.ts'
import type { CaseScript } from './case-types.ts'

/** The special contracts by chain key. */
export const caseScripts: Readonly<Record<string, CaseScript>> = { c: cCases, meridian: meridianCases }
