import { literal } from '../lake/literal.ts'
import { tableFile, type BlockRange } from '../lake/manifest.ts'

/** The files of the lake that the tables of one statement are read from, which are all that its engine may open. */
export class LakeFiles {
  readonly #root: string
  readonly #paths = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  get paths(): string[] {
    return [...this.#paths]
  }

  /** The files of a table's ranges as the engine reads them. */
  read(chain: Parameters<typeof tableFile>[1], table: string, ranges: readonly BlockRange[]): string {
    const paths = ranges.map((range) => tableFile(this.#root, chain, table, range))
    for (const path of paths) this.#paths.add(path)
    return `read_parquet([${paths.map(literal).join(', ')}])`
  }
}
