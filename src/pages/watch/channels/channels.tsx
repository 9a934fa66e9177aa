import type { LoaderFunctionArgs } from 'react-router'
import { latePage } from '../shared/late-page.tsx'

const page = latePage('Channels', () =>
  import('./body.tsx').then(({ load, ChannelsBody }) => ({ load, default: ChannelsBody })),
)

/** Loads the page’s code, which starts its requests. */
export const loader = (args: LoaderFunctionArgs): null => page.loader(args)

/** The ways by which alarms are sent, and the messages that did not arrive. */
export const Component = () => page.element
