import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { build, preview, type InlineConfig } from 'vite'
import { root } from './paths.ts'

function installed(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
}

/**
 * Builds the bench page in a folder of `bench/` and serves it on loopback; if the port is in use, the next
 * free one is used.
 */
export async function servePage(
  folder: string,
  port: number,
): Promise<{ url: string; close: () => Promise<void> }> {
  const outDir = mkdtempSync(join(tmpdir(), 'ridgeline-page-bench-'))
  // The dashboard's own configuration: its plugins and aliases are part of what is measured.
  const shared = {
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'bench', folder),
    logLevel: 'error',
  } satisfies InlineConfig
  await build({ ...shared, build: { outDir, emptyOutDir: true } })
  const server = await preview({
    ...shared,
    build: { outDir },
    preview: { host: '127.0.0.1', port },
  })
  return {
    url: server.resolvedUrls?.local[0] ?? `http://127.0.0.1:${port}/`,
    close: async () => {
      await server.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}

/** Runs `work` on a fresh page of 1440 × 900. */
export async function onPage<T>(browser: Browser, url: string, work: (page: Page) => Promise<T>): Promise<T> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  try {
    await page.goto(url)
    return await work(page)
  } finally {
    await page.close()
  }
}

/** CHROMIUM_PATH, one on the PATH, or Playwright's own. `unlimited` frames last as long as the work in them. */
export function launchBrowser(frames: 'limited' | 'unlimited'): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? installed()
  const free = frames === 'unlimited' ? ['--disable-frame-rate-limit', '--disable-gpu-vsync'] : []
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', ...free],
  })
}

/** The processor time of a page's main thread so far in milliseconds, independent of other load. */
export async function watchMainThread(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
}

/** The share of frames that are longer than at 60 frames per second, in percent. */
export function slowShare(frames: readonly number[]): number {
  return (frames.filter((frame) => frame > 1000 / 60).length / frames.length) * 100
}
