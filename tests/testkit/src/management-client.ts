import { replyProblems } from '@sluice/contract/reply-problems'
import type { BodyInput, Data, Envelope, QueryInput, RouteSpec } from '@sluice/contract/route'
import { login } from '@sluice/contract/routes/session'

/** A signed-in caller of the management API. A refused call throws with the server's message. */
export interface ManagementClient {
  call<R extends RouteSpec>(route: R, input?: CallInput<R>): Promise<Data<R>>
  /** `name=value` of the session cookie. */
  readonly cookie: string
}

export interface CallInput<R> {
  readonly path?: Readonly<Record<string, string | number>>
  readonly query?: QueryInput<R>
  readonly body?: BodyInput<R>
}

/** `totpCode` for accounts with a second step. */
export async function signIn(
  url: string,
  username: string,
  password: string,
  totpCode = '',
): Promise<ManagementClient> {
  const response = await send(url, login, { body: { username, password, totp_code: totpCode } }, '')
  await unwrap(login, response)
  return clientWith(url, response.headers.getSetCookie()[0]?.replace(/;.*$/, '') ?? '')
}

export function clientWith(url: string, cookie: string): ManagementClient {
  return {
    cookie,
    call: async (route, input = {}) => unwrap(route, await send(url, route, input, cookie)),
  }
}

function send<R extends RouteSpec>(url: string, route: R, input: CallInput<R>, cookie: string): Promise<Response> {
  const path = route.path.replace(/:(\w+)/g, (place, name: string) => String(input.path?.[name] ?? place))
  const target = new URL(path, url)
  for (const [name, value] of Object.entries(input.query ?? {})) target.searchParams.set(name, String(value))
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  return fetch(target, {
    method: route.method,
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  })
}

/** Our own gateway sends everything in the contract, so a missing or differing field fails the test. */
async function unwrap<R extends RouteSpec>(route: R, response: Response): Promise<Data<R>> {
  const text = await response.text()
  const envelope = readEnvelope<Data<R>>(text)
  if (envelope?.success !== true) {
    throw new Error(
      `${route.method} ${route.path} answered ${response.status}: ${envelope?.message ?? text.slice(0, 500)}`,
    )
  }
  const wrong = replyProblems(route, envelope)
  if (wrong.length > 0) throw new Error(`${route.method} ${route.path}: ${wrong.join(', ')} not as agreed`)
  return envelope.data as Data<R>
}

function readEnvelope<D>(text: string): Envelope<D> | undefined {
  try {
    return JSON.parse(text) as Envelope<D>
  } catch {
    return undefined
  }
}
