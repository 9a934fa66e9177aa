import type { DashboardConfig } from '../../contract/profile.ts'
import { ownMachine } from '../../contract/content-policy.ts'
import { profileOf, staticConfig } from '../../contract/profile-settings.ts'
import { originsOf } from '../../contract/profile.ts'
import { ApiError } from './errors.ts'

/**
 * The configuration of a static build from its `config.json`; the first profile is the default. From then on the page can
 * reach the URLs of its profiles, and nodes of the user's machine, alone. Throws an ApiError that says what is wrong with
 * the file.
 */
export function readStaticConfig(body: unknown): DashboardConfig {
  const result = staticConfig.safeParse(body)
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => {
      const place = path.join('.') || 'the file'
      return `${place}: ${message}`
    })
    throw new ApiError('answer', `config.json cannot be used; allowed is: ${problems.join('; ')}.`, {
      name: 'Configuration',
      cause: result.error,
    })
  }
  const profiles = result.data.profiles.map(profileOf)
  const [first] = profiles
  if (!first) throw new ApiError('answer', 'config.json has no profile.', { name: 'Configuration' })
  limitConnections(profiles.flatMap(originsOf))
  return { version: import.meta.env['VITE_VERSION'] as string, defaultProfile: first.id, profiles }
}

/**
 * Adds a content security policy to the one of the document: a key can go to no other place. Browsers apply all
 * policies of a document, also one that a script adds.
 */
function limitConnections(origins: readonly string[]): void {
  if (document.querySelector('meta[data-profiles]')) return
  const policy = document.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.dataset['profiles'] = ''
  policy.content = `connect-src ${["'self'", ...new Set(origins), ...ownMachine].join(' ')}`
  document.head.append(policy)
}
