import { BASE_PATH } from '../navigation/base-path.ts'

/** Where sign-in leads when no valid target is given. */
export const AFTER_SIGN_IN = '/dashboard'

/**
 * A path of this console, or `undefined`. Only one leading slash: `//host` and `/\host` leave the site in browsers, and control
 * characters are dropped by URL parsers, which would turn `/\t/host` into the same. A target may begin with the base path, which the
 * router removes.
 */
export function safeRedirectTarget(target: unknown, basePath = BASE_PATH): string | undefined {
  if (typeof target !== 'string' || !target.startsWith('/')) return undefined
  if (target.startsWith('//') || target.startsWith(`${basePath}//`) || target.includes('\\')) return undefined
  // eslint-disable-next-line no-control-regex -- control characters are what this rule is about
  if (/[\u0000-\u001f\u007f]/.test(target)) return undefined
  return target
}
