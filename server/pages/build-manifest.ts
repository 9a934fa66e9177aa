import { z } from 'zod'

/** The manifest that Vite writes with a build (vite.dev/guide/backend-integration): the output of each module. */
export const buildManifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    src: z.string().optional(),
    isEntry: z.boolean().default(false),
    isDynamicEntry: z.boolean().default(false),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
    css: z.array(z.string()).default([]),
  }),
)
export type BuildManifest = z.infer<typeof buildManifestSchema>

/** The keys reachable from `keys` by static imports, including themselves. */
export function staticImports(manifest: BuildManifest, keys: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const waiting = [...keys]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (reached.has(key)) continue
    reached.add(key)
    waiting.push(...(manifest[key]?.imports ?? []))
  }
  return reached
}

/**
 * The keys of what every page needs: the scripts of index.html, and `src/draw.tsx`, which they import as soon as they
 * run.
 */
export const entriesOf = (manifest: BuildManifest): string[] =>
  Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true || key === 'src/draw.tsx')
