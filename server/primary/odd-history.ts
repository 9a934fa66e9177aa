/** The kinds of odd history (docs/indexer.md, "Accepted history"), for the rooms that know no answers. */
export type { OddKind } from '../../contract/primary/odd-history.ts'
