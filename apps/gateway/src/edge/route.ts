import { uploadImport } from '@sluice/contract/routes/imports'

export type Part = 'relay' | 'management' | 'health' | 'metrics' | 'console' | 'malformed'

export interface Target {
  readonly part: Part
  /** Path without query; for the relay in its canonical form (`/v1/…`, no trailing slash). */
  readonly path: string
  readonly query: string
}

/**
 * Other spellings of the API root that clients send, longer before shorter where two start the same. `/openai` is Azure's, `/pg` is
 * the playground's in this family, `/anthropic` is where the vendor's clients look for Claude at Azure and elsewhere.
 */
const ALIASES = [
  '/openai/v1/v1/',
  '/openai/v1/',
  '/openai/',
  '/api/v1/v1/',
  '/api/v1/',
  '/v1/v1/',
  '/v1beta/openai/',
  '/anthropic/v1/',
  '/pg/',
] as const
/** Azure's paths with a model keep this prefix: the relay's table lists them as calls of their own. */
const DEPLOYMENTS = '/openai/deployments/'
/** Where Google's clients upload files. */
const UPLOADS = '/upload/v1beta'
/** The rest of the path belongs to another server, where a trailing slash can matter. */
const FOREIGN = '/v1/oneapi/proxy/'

/** Load generators and balancers request `/health` from model servers; the console has no such page. */
const HEALTH: ReadonlySet<string> = new Set(['/healthz', '/health', '/readyz'])

/**
 * Decides by the exact bytes of the request line: nothing is decoded, collapsed or lower-cased, and the Host header is ignored. So
 * the checked route is always the served route, and an odd spelling is simply unknown.
 */
export function targetOf(url: string): Target {
  if (!url.startsWith('/')) return { part: 'malformed', path: url, query: '' }
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  const query = mark === -1 ? '' : url.slice(mark + 1)
  if (path.startsWith('/v1/') && !path.startsWith('/v1/v1/')) return relayTarget(path, query)
  if (path.startsWith(DEPLOYMENTS)) return relayTarget(path, query)
  for (const alias of ALIASES) {
    if (path.startsWith(alias)) return relayTarget(`/v1/${path.slice(alias.length)}`, query)
  }
  if (isUnder(path, '/api') || isUnder(path, '/dashboard/billing')) return managementTarget(path, query)
  if (HEALTH.has(path)) return { part: 'health', path, query }
  if (path === '/metrics') return { part: 'metrics', path, query }
  if (isUnder(path, '/v1') || isUnder(path, '/v1beta') || isUnder(path, '/v2') || isUnder(path, UPLOADS))
    return relayTarget(path, query)
  return { part: 'console', path, query }
}

/** Path and query of a request target. Clients of a proxy send the whole address (RFC 9112, 3.2.2), whose host is ignored. */
export function originForm(url: string): string {
  const [, rest] = /^https?:\/\/[\w.:[\]-]{1,300}(.*)$/is.exec(url) ?? []
  if (rest === undefined) return url
  return rest.startsWith('/') ? rest : rest === '' || rest.startsWith('?') ? `/${rest}` : url
}

/** HEAD is answered like GET, without the body (RFC 9110, 9.3.2). Requests to another server keep their method. */
export function servedMethod(method: string | undefined, path: string): string {
  return method === 'HEAD' && !path.startsWith(FOREIGN) ? 'GET' : (method ?? '')
}

/** Whether the caller of a path expects the envelope of the management API, even if the path does not belong to it. */
export function readsEnvelope({ part, path }: Target): boolean {
  return part !== 'relay' && isUnder(path, '/api')
}

/** True for calls whose bodies are files of any size. */
export function isUpload(method: string | undefined, { part, path }: Target): boolean {
  return part === 'management' && method === uploadImport.method && path.replace(/\/$/, '') === uploadImport.path
}

function relayTarget(path: string, query: string): Target {
  // Management paths that OpenAI's old clients and sub2api's clients use.
  if (isUnder(path, '/v1/dashboard/billing') || isUnder(path, '/v1/usage')) return managementTarget(path, query)
  const isWhole = path.length === 1 || !path.endsWith('/') || path.startsWith(FOREIGN)
  return { part: 'relay', path: isWhole ? path : path.slice(0, -1), query }
}

/** Paths of the management API contain only these characters, so none of them has another spelling. */
const PLAIN = /^(?:\/[\w-][\w.-]*)+\/?$/

/** The management listener decodes escapes and resolves dots, so a path that it would change counts as unknown here (class S8). */
function managementTarget(path: string, query: string): Target {
  return { part: PLAIN.test(path) ? 'management' : 'malformed', path, query }
}

/** A host name or an address, with an optional port. Anything else could become part of the path of a URL built from it. */
const HOST = /^[\w.:[\]-]*$/

/** `rawHeaders` as Node provides them. Two readers can disagree about two hosts (RFC 9112, 3.2), and Node drops the second. */
export function hasOneHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue
    if (!HOST.test(rawHeaders[at + 1] ?? '')) return false
    hosts++
  }
  return hosts < 2
}

function isUnder(path: string, root: string): boolean {
  return path.startsWith(root) && (path.length === root.length || path[root.length] === '/')
}
