import type { LoaderFunctionArgs } from 'react-router'
import { latePage } from '../shared/late-page.tsx'

const page = latePage('Rule', () =>
  import('./rule-body.tsx').then(({ load, RuleBody }) => ({ load, default: RuleBody })),
)

/** Loads the page’s code, which starts its requests. */
export const loader = (args: LoaderFunctionArgs): null => page.loader(args)

/** A rule: its fields, and when it would have rung. */
export const Component = () => page.element
