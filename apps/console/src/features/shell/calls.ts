import { can, type Capability } from '@sluice/contract/capability'
import { availableModels } from '@sluice/contract/routes/account'
import { searchChannels } from '@sluice/contract/routes/channels'
import { getToken, searchTokens } from '@sluice/contract/routes/tokens'
import { searchUsers } from '@sluice/contract/routes/users'
import type { Call } from '~/lib/http/call.ts'
import type { Findable, Thing } from './model/cached-things.ts'

const MOST_OF_A_KIND = 5

interface FindInput {
  readonly call: Call
  readonly text: string
  readonly signal: AbortSignal
}

/** `undefined` when the call failed. */
type Find = (input: FindInput) => Promise<readonly Thing[] | undefined>

const FINDERS: readonly { readonly needs: Capability; readonly find: Find }[] = [
  { needs: 'tokens.own', find: findTokens },
  { needs: 'account.own', find: findModels },
  { needs: 'channels.manage', find: findChannels },
  { needs: 'users.manage', find: findUsers },
]

/** Finds tokens, models and, by role, channels and users, by name or id. `undefined` if all calls failed. */
export async function findThings(
  call: Call,
  role: number | undefined,
  text: string,
  signal: AbortSignal,
): Promise<readonly Thing[] | undefined> {
  const finders = FINDERS.filter(({ needs }) => can(role, needs))
  const answers = await Promise.all(finders.map(({ find }) => find({ call, text, signal })))
  const found = answers.filter((answer) => answer !== undefined)
  return found.length === 0 ? undefined : found.flat()
}

const page = (keyword: string) => ({ keyword, size: String(MOST_OF_A_KIND) })

function things(kind: Findable, rows: readonly { readonly id: number; readonly name: string }[]): readonly Thing[] {
  return rows.map(({ id, name }) => ({ kind, id: String(id), name }))
}

/** The search knows only names, so a number is also looked up as an id. */
async function findTokens({ call, text, signal }: FindInput): Promise<readonly Thing[] | undefined> {
  const isId = /^\d{1,9}$/.test(text)
  const [byName, byId] = await Promise.all([
    call(searchTokens, { query: page(text), signal }),
    isId ? call(getToken, { params: { id: text }, signal }) : undefined,
  ])
  if (!byName.ok) return undefined
  const one = byId?.ok === true ? [byId.data] : []
  return things('token', [...one, ...byName.data.filter(({ id }) => id !== one[0]?.id)])
}

async function findChannels({ call, text, signal }: FindInput): Promise<readonly Thing[] | undefined> {
  const reply = await call(searchChannels, { query: page(text), signal })
  return reply.ok ? things('channel', reply.data) : undefined
}

async function findUsers({ call, text, signal }: FindInput): Promise<readonly Thing[] | undefined> {
  const reply = await call(searchUsers, { query: page(text), signal })
  return reply.ok
    ? things(
        'user',
        reply.data.map(({ id, username }) => ({ id, name: username })),
      )
    : undefined
}

async function findModels({ call, text, signal }: FindInput): Promise<readonly Thing[] | undefined> {
  const reply = await call(availableModels, { signal })
  if (!reply.ok) return undefined
  const wanted = text.toLowerCase()
  const named = reply.data.filter((name) => name.toLowerCase().includes(wanted)).slice(0, MOST_OF_A_KIND)
  return named.map((name) => ({ kind: 'model', id: name, name }))
}
