import type { LoaderFunctionArgs } from 'react-router'
import { latePage } from '../shared/late-page.tsx'

const page = latePage('Alarms', () =>
  import('./body.tsx').then(({ load, AlarmsBody }) => ({ load, default: AlarmsBody })),
)

/** Loads the page’s code, which starts its requests. */
export const loader = (args: LoaderFunctionArgs): null => page.loader(args)

/** What rings now, what rang, and what is silenced. */
export const Component = () => page.element
