import type { LoaderFunctionArgs } from 'react-router'
import { latePage } from '../shared/late-page.tsx'

const page = latePage('Fleets', () =>
  import('./body.tsx').then(({ load, FleetsBody }) => ({ load, default: FleetsBody })),
)

/** Loads the page’s code, which starts its requests. */
export const loader = (args: LoaderFunctionArgs): null => page.loader(args)

/** Every fleet of this service, with its worst state and its sums. */
export const Component = () => page.element
