import type { IncomingMessage, ServerResponse } from 'node:http'

/** First segments of the gateway's own paths, from `route.ts`. */
const OF_GATEWAY = 'api v1 v1beta v2 openai anthropic pg upload health healthz readyz metrics assets'
/** First segments of the console's routes. `tools/screens.test.ts` compares both lists with the routes. */
const OF_CONSOLE =
  'about alarms channels chat dashboard doctor import login logs models oauth redemptions register reset sessions settings status tokens topup user users'
/** A base path must not begin with these: if a proxy has already removed it, the two could not be told apart. */
export const OWN_NAMES: ReadonlySet<string> = new Set(`${OF_GATEWAY} ${OF_CONSOLE}`.split(' '))

const FORM = /^(?:\/[\w-][\w.-]*)+$/
const LONGEST = 100

/** The reason why a text is not a base path; undefined if it is one: empty, or like `/ai` or `/tools/ai`. */
export function basePathProblem(text: string): string | undefined {
  if (text === '') return undefined
  if (text.length > LONGEST || !FORM.test(text)) {
    return `must begin with a slash, not end with one, and contain only letters, digits, "-", "_" and "." between slashes, like /ai (at most ${LONGEST} characters)`
  }
  const [, first = ''] = text.split('/')
  return OWN_NAMES.has(first)
    ? `must not begin with /${first}, which the gateway uses for its own pages or calls`
    : undefined
}

/**
 * The target without the base path, which is removed once and only as whole segments. A proxy may remove it first, so a path
 * without it is served as it is. Nothing is decoded, as in `targetOf` (class S8).
 */
export function pathWithin(basePath: string, url: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  return rest.startsWith('/') ? rest : url
}

/** True for the base path itself, which needs a slash at its end before the browser resolves relative addresses. */
export function isBareBasePath(basePath: string, { method, url = '' }: IncomingMessage): boolean {
  if (basePath === '' || (method !== 'GET' && method !== 'HEAD')) return false
  return url === basePath || url.startsWith(`${basePath}?`)
}

/** The target comes only from the setting, never from the request, so it cannot lead elsewhere (class S34). */
export function redirectIntoBasePath(basePath: string, reply: ServerResponse): void {
  reply.writeHead(307, { Location: `${basePath}/`, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end()
}
