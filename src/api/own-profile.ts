import { useProfile } from './current.ts'

/**
 * Whether pages are of the service's own profile. They are until the profile is known: what came later would move the page.
 */
export const useIsOwn = (): boolean => (useProfile()?.dataUrl ?? '') === ''
