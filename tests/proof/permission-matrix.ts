import { can, ROLE } from '@sluice/contract/capability'
import { ERRORS, type ErrorCode } from '@sluice/contract/errors'
import { needsSession, type RouteSpec } from '@sluice/contract/route'
import { ROUTES } from '@sluice/contract/routes/all'
import type { ManagementBench, TestCaller } from '@sluice/testkit/management-bench'
import { OWNED_OBJECTS } from './owned-objects.ts'

export const CALLERS = ['guest', 'expired', 'disabled', 'user', 'admin', 'root'] as const
export type CallerKind = (typeof CALLERS)[number]

/** How far a caller got. `in`: past every access check; `needs_key`: to the demand for an API key. */
export type Admission = 'in' | 'needs_key' | 'not_logged_in' | 'user_banned' | 'insufficient_permissions'

export interface MatrixRow {
  readonly call: string
  readonly access: RouteSpec['access']
  readonly seen: Readonly<Record<CallerKind, Admission>>
  readonly expected: Readonly<Record<CallerKind, Admission>>
  /** What a user gets for naming another user's object: `hidden`, or empty where no object is named. */
  readonly otherUser: string
}

/** A row id that is never assigned. */
const NOWHERE = 1_999_999_999
/** The same as a name, in the form of every other path parameter. */
const NOBODY = 'f'.repeat(32)
/** Refused by every schema, so that admitted callers change nothing. */
const INVALID_BODY = { id: 'x', username: 1, key: 1, name: 1, user_id: 'x', password: 1, display_name: 1, email: 1 }

const ADMISSIONS = ['not_logged_in', 'user_banned', 'insufficient_permissions'] as const

/** Makes every call of the contract as every kind of caller; includes new routes automatically. */
export async function permissionMatrix(bench: ManagementBench): Promise<readonly MatrixRow[]> {
  const rows: MatrixRow[] = []
  for (const { spec } of ROUTES) {
    const seen: Partial<Record<CallerKind, Admission>> = {}
    const expected: Partial<Record<CallerKind, Admission>> = {}
    for (const kind of CALLERS) {
      seen[kind] = await admission(bench, spec, kind)
      expected[kind] = expectedAdmission(spec, kind)
    }
    // Every kind of caller was filled in above.
    const row = { seen: seen as MatrixRow['seen'], expected: expected as MatrixRow['expected'] }
    rows.push({ call: nameOf(spec), access: spec.access, ...row, otherUser: await asOtherUser(bench, spec) })
  }
  return rows
}

const nameOf = (spec: RouteSpec): string => `${spec.method} ${spec.path}`

function expectedAdmission({ access }: RouteSpec, kind: CallerKind): Admission {
  if (access === 'api_key') return 'needs_key'
  if (!needsSession(access)) return 'in'
  switch (kind) {
    case 'guest':
    case 'expired':
      return 'not_logged_in'
    case 'disabled':
      return 'user_banned'
    default:
      return can(ROLE[kind], access) ? 'in' : 'insufficient_permissions'
  }
}

/** A separate caller per call, because some calls end their own session. */
async function admission(bench: ManagementBench, spec: RouteSpec, kind: CallerKind): Promise<Admission> {
  const path = pathOf(spec, NOWHERE, NOBODY)
  const as = await newCaller(bench, kind)
  const reply: { code?: string; error?: { code: string } } = await bench.ask(spec.method, path, {
    ...(as === undefined ? {} : { as }),
    ...(spec.body === undefined ? {} : { body: INVALID_BODY }),
  })
  return admissionOf(reply.code ?? reply.error?.code)
}

function admissionOf(code: string | undefined): Admission {
  const session = ADMISSIONS.find((each) => each === code)
  const type = code !== undefined && code in ERRORS ? ERRORS[code as ErrorCode].type : undefined
  return session ?? (type === 'authentication_error' ? 'needs_key' : 'in')
}

let count = 0

async function newCaller(bench: ManagementBench, kind: CallerKind): Promise<TestCaller | undefined> {
  if (kind === 'guest') return undefined
  const isOut = kind === 'expired' || kind === 'disabled'
  const name = `${kind}-${++count}`
  if (kind === 'expired') bench.clock.now -= 8 * 24 * 3_600_000
  // Even the most powerful account is worthless without a session, or when disabled.
  const caller = await bench.addCaller(name, isOut ? ROLE.root : ROLE[kind])
  if (kind === 'expired') bench.clock.now += 8 * 24 * 3_600_000
  if (kind === 'disabled') {
    await bench.database.kysely.updateTable('user').set({ status: 2 }).where('id', '=', caller.id).execute()
  }
  return caller
}

/**
 * For users' calls that name an object: another user must get exactly the answer for an object that does not exist, the object must
 * not change, and its owner must be let through.
 */
async function asOtherUser(bench: ManagementBench, spec: RouteSpec): Promise<string> {
  if (!spec.access.endsWith('.own') || !namesObject(spec)) return ''
  const kind =
    OWNED_OBJECTS[
      spec.path
        .split('/')
        .slice(2)
        .find((word) => OWNED_OBJECTS[word] !== undefined) ?? ''
    ]
  if (kind === undefined) return 'untested: owned-objects.ts does not know how to make one'
  const owner = await bench.addCaller(`owner-${++count}`, ROLE.user)
  const id = await kind.make(bench, owner)
  const name = (await kind.name?.(bench, id)) ?? ''
  for (const role of kind.adminsMayRead ? [ROLE.user] : [ROLE.user, ROLE.admin, ROLE.root]) {
    const other = await bench.addCaller(`other-${++count}`, role)
    const before = JSON.stringify(await kind.read(bench, id), asText)
    const stolen = await send(bench, spec, [id, name], other)
    const absent = await send(bench, spec, [NOWHERE, NOBODY], other)
    if (stolen.success) return `served to role ${role}`
    if (stolen.message !== absent.message || stolen.status !== absent.status) return `told apart: ${stolen.message}`
    if (JSON.stringify(await kind.read(bench, id), asText) !== before) return `changed by role ${role}`
  }
  const own = await send(bench, spec, [id, name], owner)
  return own.success ? 'hidden' : `refused to its owner: ${own.message}`

  function send(to: ManagementBench, route: RouteSpec, [at, called]: readonly [number, string], as: TestCaller) {
    const content = route.body === undefined ? {} : { body: { ...kind?.body, id: at } }
    return to.ask(route.method, pathOf(route, at, called), { as, ...content })
  }
}

const pathOf = ({ path }: RouteSpec, id: number, name: string): string =>
  path.replace(':id', String(id)).replace(/:\w+/, name)

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** By a path parameter, or by a body that changes something with an id. */
function namesObject({ path, method, body }: RouteSpec): boolean {
  if (path.includes(':')) return true
  return method === 'PUT' && body !== undefined && 'entries' in body && 'id' in Object(body.entries)
}
