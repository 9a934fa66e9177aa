import type { LoaderFunctionArgs } from 'react-router'
import { latePage } from '../shared/late-page.tsx'

const page = latePage('Fleet', () =>
  import('./body.tsx').then(({ load, FleetBody }) => ({ load, default: FleetBody })),
)

/** Loads the page’s code, which starts its requests. */
export const loader = (args: LoaderFunctionArgs): null => page.loader(args)

/** A fleet: what is the matter with it, each day of each node, its members, rules and changes. */
export const Component = () => page.element
