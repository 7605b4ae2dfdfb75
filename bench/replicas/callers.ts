import { createHash } from 'node:crypto'
import type { Database } from '@sluice/store/database'

/** `one` user for all processes, `each` process its own, or `many` whom all processes serve. */
export const CALLERS = ['one', 'each', 'many'] as const
export type Callers = (typeof CALLERS)[number]

const MANY = 1_000
/** Parameters of a statement are limited. */
const ROWS = 100
export const FIRST_USER = 'bench-1'
export const QUOTA = 1_000_000_000_000

export function countOf(callers: Callers, processes: number): number {
  if (callers === 'many') return MANY
  return callers === 'each' ? processes : 1
}

/** Keys for the process at this place, in the order of their calls: processes never go through many users in step. */
export function keysAt(callers: Callers, processes: number, place: number): readonly string[] {
  const keys = Array.from({ length: countOf(callers, processes) }, (_, at) => keyOf(at))
  if (callers === 'each') return keys.slice(place, place + 1)
  const first = Math.floor((keys.length * place) / processes)
  return [...keys.slice(first), ...keys.slice(0, first)]
}

/** Key of the user at this position, from 0. What follows a second dash would name a channel. */
function keyOf(at: number): string {
  return `sk-bench${at + 1}`
}

/**
 * Copies the first user, with the token that every user begins with, until there are `count`, and gives all of them known keys.
 * Directly in the tables, because each password costs an expensive hash; their columns are copied as they are found, because the
 * database may be one of another version. Returns the ids of the copies, which have no quota yet.
 */
export async function copyFirstUser({ kysely }: Database, count: number): Promise<readonly number[]> {
  const user = await kysely.selectFrom('user').selectAll().where('username', '=', FIRST_USER).executeTakeFirstOrThrow()
  const token = await kysely.selectFrom('token').selectAll().where('user_id', '=', user.id).executeTakeFirstOrThrow()
  await kysely
    .updateTable('token')
    .set({ key_hash: tokenHash(0) })
    .where('id', '=', token.id)
    .execute()
  const ids: number[] = []
  for (let first = 1; first < count; first += ROWS) {
    const places = Array.from({ length: Math.min(ROWS, count - first) }, (_, at) => first + at)
    const users = places.map((at) =>
      without({ ...user, username: `bench-${at + 1}` }, 'id', 'aff_code', 'access_token_hash'),
    )
    const added = await kysely.insertInto('user').values(users).returning('id').execute()
    const tokens = added.map(({ id }, at) => without({ ...token, user_id: id, key_hash: tokenHash(first + at) }, 'id'))
    await kysely.insertInto('token').values(tokens).execute()
    ids.push(...added.map(({ id }) => id))
  }
  return ids
}

function without<Row extends object, Name extends keyof Row>(row: Row, ...names: readonly Name[]): Omit<Row, Name> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name as Name))) as Omit<Row, Name>
}

/** By which the database finds the token of the user at this position. */
export function tokenHash(at: number): string {
  return createHash('sha256').update(keyOf(at).slice('sk-'.length)).digest('hex')
}
