export type Room = { name: string; imports: ReadonlySet<string>; testImports: ReadonlySet<string> }
export type Import = { from: string; to: string }
export function readRooms(markdown: string): Room[]
export function importsOf(files: ReadonlyMap<string, string>): Import[]
export function breachesOf(rooms: readonly Room[], imports: readonly Import[]): string[]
export function circlesOf(imports: readonly Import[]): string[]
export function needlessExportsOf(files: ReadonlyMap<string, string>): string[]
export function checkRooms(options?: { sizes?: boolean }): boolean
