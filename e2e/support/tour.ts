import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { controlsBeyond, cutTexts, overflowOf, overlaidCells } from './layout-measures.ts'
import type { PageOfDashboard } from './page-of-dashboard.ts'
import { everyPage } from './pages.ts'
import { foreignElements } from './parts.ts'
import { primaryRoutes } from './primary-routes.ts'
import { titlePatternOf } from './routes.ts'

/** A stop of a tour of all pages. */
export type Stop = Pick<PageOfDashboard, 'path' | 'title'> & Partial<PageOfDashboard>

/** All pages, in two parts by what they are about: two workers share a tour. */
export const stops = {
  'the EVM chains and tools': everyPage,
  'the primary network': async () =>
    (await primaryRoutes()).map((path) => ({ path, title: titlePatternOf(path) })),
} satisfies Record<string, () => Promise<readonly Stop[]>>
export type Subject = keyof typeof stops
export const subjects = Object.keys(stops) as readonly Subject[]

/** The page is drawn already: what is wrong on every one of them must not add up to the hang that ends a test. */
const drawn = { timeout: 5_000 }

/** The open page has its title and heading, reports nothing, and made no element of the text that it shows. */
export async function expectItself(page: Page, { path, title, heading }: Stop): Promise<void> {
  await expect.soft(page, path).toHaveTitle(typeof title === 'string' ? `${title} · Ridgeline` : title, drawn)
  if (heading !== undefined)
    await expect.soft(page.getByRole('heading', { level: 1 }), path).toHaveText(heading, drawn)
  // An empty alert is the place of a later one.
  await expect.soft(page.getByRole('alert').filter({ hasText: /\S/ }), path).toHaveCount(0, drawn)
  expect.soft(await foreignElements(page), path).toEqual([])
}

/** Nothing of the open page is cut off or beyond the edges of the window. */
export async function expectWhole(page: Page, name: string): Promise<void> {
  expect.soft(await cutTexts(page), name).toEqual([])
  expect.soft(await controlsBeyond(page), name).toEqual([])
  expect.soft(await overlaidCells(page), name).toEqual([])
  expect.soft(await overflowOf(page), name).toBe(0)
}
