import type { LoaderFunctionArgs } from 'react-router'
import { latePage } from '../shared/late-page.tsx'

const page = latePage('Rules', () =>
  import('./list-body.tsx').then(({ load, RulesBody }) => ({ load, default: RulesBody })),
)

/** Loads the page’s code, which starts its requests. */
export const loader = (args: LoaderFunctionArgs): null => page.loader(args)

/** Every rule, with what rings it and its worst state. */
export const Component = () => page.element
