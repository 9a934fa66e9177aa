import * as z from 'zod/mini'
import { createStoredStore } from './store.ts'

const settingsSchema = z.object({
  theme: z.catch(z.enum(['system', 'light', 'dark']), 'system'),
  zone: z.catch(z.enum(['utc', 'local']), 'utc'),
  times: z.catch(z.enum(['age', 'absolute']), 'age'),
  density: z.catch(z.enum(['normal', 'compact']), 'normal'),
  /** The chain that links without one lead to, a chain ID a profile. */
  chains: z.catch(z.record(z.string(), z.string()), {}),
  /** Hidden column ids by table. */
  hiddenColumns: z.catch(z.record(z.string(), z.array(z.string())), {}),
})

/** What a person chose, kept in the browser. Unknown or broken parts fall back one by one. */
export type Settings = z.infer<typeof settingsSchema>

const parse = (stored: unknown): Settings =>
  settingsSchema.parse(typeof stored === 'object' && stored !== null ? stored : {})

/** The settings of this browser; `public/theme.js` reads the theme of the same key before the first paint. */
export const settings = createStoredStore<Settings>('ridgeline.settings', parse)

/** Applies a theme to the document: nothing is set while the system decides. */
export function applyTheme(theme: Settings['theme']): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
