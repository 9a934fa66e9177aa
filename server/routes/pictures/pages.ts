import type { Implementation } from '../../http/bind.ts'
import type { RouteContext } from '../../http/route-context.ts'
import { PictureAnswers } from './answer.ts'
import { breakdownPictures } from './breakdowns.ts'
import { binding } from './entry.ts'
import { metricFrameRoutes } from './metric-frames.ts'
import { metricPictureRoutes } from './metrics.ts'
import { ownersOf } from './owners.ts'
import { stackPictures } from './stacks.ts'
import { tokenPictures } from './tokens.ts'
import { unlockPictures } from './unlocks.ts'
import { validatorPictures } from './validators.ts'
import { vertexPictures } from './vertices.ts'
import { weekPictures } from './weeks.ts'

/**
 * The charts of all pages as SVG and PNG, and as pages for iframes (docs/embedding.md). `implementations` are the
 * operations whose answers they show.
 */
export function pictureRoutes(
  context: RouteContext,
  implementations: readonly Implementation[],
): Implementation[] {
  const answers = new PictureAnswers(context)
  const bind = binding(context, answers, implementations)
  const owners = ownersOf(context)
  return [
    ...metricPictureRoutes(context, answers),
    ...metricFrameRoutes(context),
    ...stackPictures(context, owners, bind),
    ...breakdownPictures(context, owners, bind),
    ...weekPictures(context, owners, bind),
    ...unlockPictures(context, owners, bind),
    ...validatorPictures(context, owners, bind),
    ...vertexPictures(owners, bind),
    ...tokenPictures(context, owners, bind),
  ]
}
