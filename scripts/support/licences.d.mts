export type ReleasedPackage = {
  readonly path: string
  readonly name: string
  readonly version: string
  /** An SPDX expression; undefined if the package names none. */
  readonly licence: string | undefined
}
export declare function isAllowed(expression: string | undefined): boolean
export declare function releasedPackages(lock?: unknown): ReleasedPackage[]
export declare function licenceText(): string
export declare function writeMaterials(folder: string, version: string): string[]
