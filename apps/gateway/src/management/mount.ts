import { can } from '@sluice/contract/capability'
import { ERRORS, isRefusal, type Refusal, refusalText } from '@sluice/contract/errors'
import type { CatalogueEntry } from '@sluice/contract/errors/catalogue-entry'
import { refusalInChinese } from '@sluice/contract/refusal-in-chinese'
import { type Envelope, needsSession, type RouteSpec, changesSomething } from '@sluice/contract/route'
import { INT_MAX } from '@sluice/contract/row-id'
import { hasNul } from '@sluice/store/column-types'
import { isDatabaseTrouble } from '@sluice/store/database-trouble'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { BodyMemory } from '../edge/body-memory.ts'
import type { Recorder } from './audit/recorder.ts'
import type { AnyAnswer, AnyCall, Binding } from './bind.ts'
import type { GuestRate } from './guest-rate.ts'
import { invalidField, invalidInput } from './issue-text.ts'
import { type WrittenDocument, writeDocument } from './kept-answers.ts'
import { asPage, wantsPages, withPagesFromZero } from './new-api-pages.ts'
import type { KeyHolder } from './ports.ts'
import { prefersChinese } from './prefers-chinese.ts'
import { type BodyBudget, MANAGEMENT_BODIES, readJsonBody } from './read-body.ts'
import { replyHeaders } from './reply-headers.ts'
import { isCrossSite } from './same-site.ts'
import { COUNTED_FROM, MANAGEMENT_REPLIES, sendDocument, sendOwn } from './send-bytes.ts'
import type { Caller } from './sessions/caller.ts'

export interface MountPorts {
  /** The signed-in caller of a request, read from the database, or the refusal. */
  readonly identify: (context: Context) => Promise<Caller | Refusal>
  /** The owner of a request's API key, or the reason why the key may not be used. */
  readonly holderOfKey: (context: Context) => Promise<KeyHolder | Refusal>
  /** Runs a checked call, and records it where required. */
  readonly record: Recorder
  /** The source that a request counts for: an address, or the network that one customer gets. */
  readonly network: (context: Context) => string
  readonly guests: GuestRate
  /** Option `ServerAddress`. */
  readonly serverAddress: () => string
  /** Waits until this process applies the change that a call has just made. Never rejects. */
  readonly settled: () => Promise<void>
  /** Receives every unexpected failure. The caller sees only the code `internal` or `database_unavailable`. */
  readonly report: (error: unknown, request: { readonly method: string; readonly path: string }) => void
  /** The document served at `/api/openapi.json`. */
  readonly document: object
}

/**
 * Puts every binding on one Hono application. Checks each request in this order, before its handler runs: other sites, access, path
 * id, query, body. The router matches a path once, and the checks belong to the matched route, so no second reading of the path can
 * disagree with it (class S8). Everything without a binding gets 404.
 */
export function mount(bindings: readonly Binding[], ports: MountPorts): Hono {
  const app = new Hono()
  const bodies = new BodyMemory(MANAGEMENT_BODIES.ceiling, MANAGEMENT_BODIES.largest)
  const replies: Replies = {
    memory: new BodyMemory(MANAGEMENT_REPLIES.ceiling, MANAGEMENT_REPLIES.largest, 'unread replies'),
    documents: new WeakMap(),
    guests: ports.guests,
  }
  app.use(replyHeaders)
  // A static path must be tried before a pattern that would match it.
  const ordered = bindings.toSorted((a, b) => Number(a.spec.path.includes(':')) - Number(b.spec.path.includes(':')))
  for (const binding of ordered) {
    for (const path of bothForms(binding.spec)) {
      app.on(binding.spec.method, path, async (context) => {
        const owner: ReplyOwner = { network: ports.network(context), userId: undefined }
        const result = await answer(context, binding, ports, bodies, owner)
        if (!isRefusal(result) && result.isKept === true) return await sendKept(context, result, replies)
        return binding.spec.bare
          ? respondBare(context, result)
          : respond(context, result, binding.spec, { ...replies, owner })
      })
    }
  }
  for (const { spec } of bindings.filter((binding) => binding.spec.bare)) {
    for (const path of bothForms(spec)) app.options(path, preflight)
  }
  for (const [path, methods] of methodsByPath(bindings)) {
    app.all(path, (context) => respond(context, wrongMethod(context, methods)))
  }
  const document = writeDocument(ports.document)
  app.get('/api/openapi.json', async (context) => {
    const refusal = ports.guests.take(ports.network(context))
    return refusal === undefined ? await sendDocument(context, document) : respond(context, refusal)
  })
  app.notFound((context) =>
    respond(context, { code: 'unknown_path', params: { method: context.req.method, path: context.req.path } }),
  )
  app.onError((error, context) => {
    ports.report(error, { method: context.req.method, path: context.req.path })
    return respond(
      context,
      isDatabaseTrouble(error) ? { code: 'database_unavailable', retryAfter: 2 } : { code: 'internal' },
    )
  })
  return app
}

/** Both trailing-slash forms of a path, each parameter restricted to its form; ids are digits. */
function bothForms({ path, params = {} }: RouteSpec): readonly [string, string] {
  const bare = path.replace(/\/$/, '').replace(/:(\w+)/g, (_, name: string) => `:${name}{${params[name] ?? '[0-9]+'}}`)
  return [bare, `${bare}/`]
}

function methodsByPath(bindings: readonly Binding[]): ReadonlyMap<string, readonly string[]> {
  const methods = new Map<string, string[]>()
  for (const { spec } of bindings) {
    for (const path of bothForms(spec)) methods.set(path, [...(methods.get(path) ?? []), spec.method])
  }
  return methods
}

function wrongMethod(context: Context, methods: readonly string[]): Refusal {
  context.header('Allow', methods.join(', '))
  const params = { method: context.req.method, path: context.req.path, allowed: methods.join(' or ') }
  return { code: 'method_not_allowed', params }
}

async function answer(
  context: Context,
  binding: Binding,
  ports: MountPorts,
  memory: BodyMemory,
  owner: ReplyOwner,
): Promise<AnyAnswer | Refusal> {
  const { spec } = binding
  const busy = isForGuests(spec) ? ports.guests.take(owner.network) : undefined
  if (busy !== undefined) return busy
  const foreign = spec.access !== 'api_key' && isCrossSite(spec, context.req.raw.headers, ports.serverAddress())
  if (foreign && !mayCarryToken(context, spec)) return { code: 'cross_site' }
  const admitted = await admit(context, spec, ports)
  if (isRefusal(admitted)) return admitted
  if (foreign && admitted.caller?.via !== 'access_token') return { code: 'cross_site' }
  const { caller, holder } = admitted
  owner.userId = caller?.id ?? holder?.userId
  const call = await check(context, spec, admitted, { memory, owner })
  if (isRefusal(call)) return call
  const result = await ports.record(spec, call, () => binding.run(call))
  if (spec.method !== 'GET' && changesSomething(spec)) await ports.settled()
  return isRefusal(result) || !wantsPages(spec, context) ? result : asPage(result, call.query)
}

const isForGuests = ({ access }: RouteSpec) => access === 'public' || access === 'optional'

/** Another site's page can make a browser send its cookie, but not an access token. */
function mayCarryToken(context: Context, spec: RouteSpec): boolean {
  return needsSession(spec.access) && context.req.header('authorization') !== undefined
}

type Admitted = Pick<AnyCall, 'caller' | 'holder'>
const GUEST: Admitted = { caller: undefined, holder: undefined }

async function admit(context: Context, spec: RouteSpec, ports: MountPorts): Promise<Admitted | Refusal> {
  if (spec.access === 'public') return GUEST
  if (spec.access === 'api_key') {
    const holder = await ports.holderOfKey(context)
    return isRefusal(holder) ? holder : { caller: undefined, holder }
  }
  const caller = await ports.identify(context)
  if (spec.access === 'optional') return isRefusal(caller) ? GUEST : { caller, holder: undefined }
  if (isRefusal(caller)) return caller
  return can(caller.role, spec.access) ? { caller, holder: undefined } : { code: 'insufficient_permissions' }
}

async function check(
  context: Context,
  spec: RouteSpec,
  admitted: Admitted,
  budget: BodyBudget,
): Promise<AnyCall | Refusal> {
  const id = Number(context.req.param('id') ?? 0)
  if (id > (spec.longId ? Number.MAX_SAFE_INTEGER : INT_MAX))
    return { code: 'not_found', params: { what: 'The entry' } }

  const query = checkQuery(context, spec)
  if (isRefusal(query)) return query
  const statusOnly = spec.statusBody !== undefined && saysStatusOnly(query.value)
  const unfit = spec.upload ? unfitForUpload(context, provesItself(admitted)) : undefined
  if (unfit !== undefined) return unfit
  const schema = statusOnly ? spec.statusBody : spec.body
  const body =
    schema === undefined ? { value: undefined } : await checkBody(context, schema, budget, provesItself(admitted))
  if (isRefusal(body)) return body
  return { ...admitted, query: query.value, body: body.value, statusOnly, id, params: placesIn(context, spec), context }
}

/** The router has already matched each parameter against its form. */
function placesIn(context: Context, { params = {} }: RouteSpec): AnyCall['params'] {
  return Object.fromEntries(Object.keys(params).map((name) => [name, context.req.param(name) ?? '']))
}

type Checked = { readonly value: unknown } | Refusal

function checkQuery(context: Context, spec: RouteSpec): Checked {
  if (spec.query === undefined) return { value: undefined }
  const given = context.req.query()
  const withNul = Object.entries(given).find(([, value]) => hasNul(value))
  if (withNul !== undefined) return invalidField(withNul[0], 'contains a NUL character')
  const parsed = v.safeParse(spec.query, wantsPages(spec, context) ? withPagesFromZero(given) : given)
  return parsed.success ? { value: parsed.output } : invalidInput(parsed.issues, 'query')
}

/** True of programs: another site's page cannot make a browser send an access token or an API key (class S34). */
function provesItself({ caller, holder }: Admitted): boolean {
  return holder !== undefined || caller?.via === 'access_token'
}

async function checkBody(
  context: Context,
  schema: v.GenericSchema,
  budget: BodyBudget,
  anyType: boolean,
): Promise<Checked> {
  const read = await readJsonBody(context.req.raw, budget, anyType)
  if (isRefusal(read)) return read
  const parsed = v.safeParse(schema, read.json)
  return parsed.success ? { value: parsed.output } : invalidInput(parsed.issues, 'body')
}

/** Content types that other sites can send without a preflight (https://fetch.spec.whatwg.org/#simple-header). */
const OF_FORMS = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i

/** The body of an upload stays unread, for its handler. */
function unfitForUpload(context: Context, anyType: boolean): Refusal | undefined {
  const type = context.req.header('content-type') ?? 'none'
  if (!anyType && (type === 'none' || OF_FORMS.test(type))) {
    return { code: 'unsupported_content_type', params: { wanted: 'application/octet-stream', got: type } }
  }
  const encoding = context.req.header('content-encoding') ?? 'identity'
  return encoding === 'identity' ? undefined : { code: 'unsupported_encoding', params: { got: encoding } }
}

function saysStatusOnly(query: unknown): boolean {
  return typeof query === 'object' && query !== null && 'status_only' in query && query.status_only === true
}

/** A refusal is HTTP 200 unless the catalogue marks its status as real or it is about an API key: programs check that status. */
function respond(
  context: Context,
  result: AnyAnswer | Refusal,
  spec?: RouteSpec,
  replies?: Replies & { readonly owner: ReplyOwner },
): Response {
  if (!isRefusal(result)) {
    if (result.events !== undefined) return context.body(result.events, 200, EVENTS_HEAD)
    const text = JSON.stringify(enveloped(result))
    if (replies === undefined || text.length < COUNTED_FROM) return context.body(text, 200, JSON_TYPE)
    const { memory, guests, owner } = replies
    if (spec !== undefined && isForGuests(spec)) guests.made(owner.network, text.length)
    return sendOwn(context, text, memory, owner) ?? respond(context, NO_ROOM, spec)
  }
  const entry = ERRORS[result.code]
  if (result.retryAfter !== undefined) context.header('Retry-After', String(result.retryAfter))
  const data = result.data === undefined ? {} : { data: result.data }
  const envelope: Envelope<unknown> = { success: false, message: textFor(context, result), ...data, code: result.code }
  const isReal = 'management' in entry || (spec?.access === 'api_key' && isAboutKey(entry.type))
  return context.json(envelope, isReal ? entry.status : 200)
}

function enveloped({ success = true, message = '', data, total, extra }: AnyAnswer): object {
  return { success, message, data, total, ...extra }
}

const NO_ROOM: Refusal = { code: 'overloaded', params: { limit: 'unread replies' }, retryAfter: 1 }
const JSON_TYPE = { 'Content-Type': 'application/json' } as const

/** The receiver of the reply; the user is known once the caller is. */
interface ReplyOwner {
  readonly network: string
  userId: number | undefined
}

interface Replies {
  readonly memory: BodyMemory
  readonly documents: WeakMap<AnyAnswer, WrittenDocument>
  readonly guests: GuestRate
}

/** Sends an answer that many callers get. A browser caches it and asks whether it has changed. */
async function sendKept(context: Context, answer: AnyAnswer, { documents }: Replies): Promise<Response> {
  const document = documents.get(answer) ?? writeDocument(enveloped(answer))
  documents.set(answer, document)
  return await sendDocument(context, document, KEPT_HEAD)
}

/** The answer can depend on the signed-in user. */
const KEPT_HEAD = { 'Cache-Control': 'private, no-cache', Vary: 'Accept-Encoding, Authorization, Cookie' } as const

/** Asks proxies not to buffer the events. */
const EVENTS_HEAD = { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' } as const

/** English, unless the language that the caller names first is Chinese. The codes stay the same. */
function textFor(context: Context, refusal: Refusal): string {
  return prefersChinese(context) ? refusalInChinese(refusal) : refusalText(refusal)
}

/** A reply without an envelope, readable from any origin: only the key counts, and no cookie is read (class S21). */
function respondBare(context: Context, result: AnyAnswer | Refusal): Response {
  context.header('Access-Control-Allow-Origin', '*')
  if (!isRefusal(result)) return context.json(result.data)
  const { status, type } = ERRORS[result.code]
  if (result.retryAfter !== undefined) context.header('Retry-After', String(result.retryAfter))
  const error = { message: refusalText(result), type, param: result.field ?? null, code: result.code }
  return context.json({ error }, status)
}

/** `Authorization` must be named: the wildcard does not cover it. */
function preflight(context: Context): Response {
  context.header('Access-Control-Allow-Origin', '*')
  context.header('Access-Control-Allow-Methods', 'GET, OPTIONS')
  context.header('Access-Control-Allow-Headers', 'Authorization, Content-Type')
  return context.body(null, 204)
}

function isAboutKey(type: CatalogueEntry['type']): boolean {
  return type === 'authentication_error' || type === 'permission_error' || type === 'rate_limit_error'
}
