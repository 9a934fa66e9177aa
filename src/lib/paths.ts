import { pages, pathOf, type PageName, type PathArguments } from '../../contract/pages.ts'

type Paths = { readonly [Name in PageName]: (...given: PathArguments<Name>) => string }

/**
 * The builder of every path of the dashboard, by the page's name: the values of the path's parameters in their order, and
 * a query (`pathOf`).
 */
export const paths = Object.fromEntries(
  (Object.keys(pages) as PageName[]).map((name) => [
    name,
    (...given: PathArguments<PageName>) => pathOf(name, ...given),
  ]),
) as Paths

/** The history state of a search that was sent with Enter: its only exact result opens at once. */
export const opensExact = { opensExact: true } as const
