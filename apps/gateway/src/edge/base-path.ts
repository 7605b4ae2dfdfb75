import type { IncomingMessage, ServerResponse } from 'node:http'

/** First segments of the gateway's own paths, see `route.ts`, … */
const OF_GATEWAY = 'api v1 v1beta v2 openai anthropic pg upload health healthz readyz metrics assets'
/** … and of its console's. `tools/screens.test.ts` compares them with the routes there. */
const OF_CONSOLE =
  'about alarms channels chat dashboard doctor import login logs models oauth redemptions register reset sessions settings status tokens topup user users'
/**
 * A base path must not begin with one of these: behind a proxy that has already removed the base path, the two could not be told
 * apart.
 */
export const OWN_NAMES: ReadonlySet<string> = new Set(`${OF_GATEWAY} ${OF_CONSOLE}`.split(' '))

const FORM = /^(?:\/[\w-][\w.-]*)+$/
const LONGEST = 100

/** Why a text is not a base path; undefined when it is one. A base path looks like `/ai` or `/tools/ai`, or is empty. */
export function basePathProblem(text: string): string | undefined {
  if (text === '') return undefined
  if (text.length > LONGEST || !FORM.test(text)) {
    return `must begin with a slash, not end with one, and hold only letters, digits, "-", "_" and "." between slashes, like /ai (at most ${LONGEST} characters)`
  }
  const [, first = ''] = text.split('/')
  return OWN_NAMES.has(first)
    ? `must not begin with /${first}, which the gateway uses for its own pages or calls`
    : undefined
}

/**
 * The target of a request without the base path, which is removed once, and only as whole segments: proxies pass it on or remove it
 * themselves, so a path without it is served as it is. Nothing is decoded, as in `targetOf` (class S8).
 */
export function pathWithin(basePath: string, url: string): string {
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  return rest.startsWith('/') ? rest : url
}

/** True for the base path itself, which the browser has to open with a slash. */
export function isBareBasePath(basePath: string, { method, url = '' }: IncomingMessage): boolean {
  if (basePath === '' || (method !== 'GET' && method !== 'HEAD')) return false
  return url === basePath || url.startsWith(`${basePath}?`)
}

/** The target is taken only from the setting, not from the request, so it cannot lead elsewhere (class S34). */
export function redirectIntoBasePath(basePath: string, reply: ServerResponse): void {
  reply.writeHead(307, { Location: `${basePath}/`, 'Cache-Control': 'no-store', 'Content-Length': 0 }).end()
}
