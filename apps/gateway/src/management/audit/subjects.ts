import type { Database } from '@sluice/store/database'
import { type OptionDefinition, OPTION_DEFINITIONS } from '@sluice/store/options/option-definitions'
import { isOptionKey } from '@sluice/store/options/options'
import { findUserId } from '@sluice/store/queries/accounts/users'
import { AUDIT_SUBJECTS, readStoredOption } from '@sluice/store/queries/audit/audit-subjects'
import type { AnyAnswer, AnyCall, Binding } from '../bind.ts'
import { plainValue, secretMark, type Values } from './values.ts'

/** The object of a call. `id` is empty when the call names no object, or one that does not exist yet. */
export interface Target {
  readonly kind: string
  /** A username if `isName`: the user does not exist, or the row has not been read. */
  readonly id: string
  readonly isName?: true
}

const KINDS: Readonly<Record<string, string>> = { topup: 'user', dashboard: 'user', trace: 'log' }

/** The object of a call, as far as its path and input show it. */
export function targetOf({ path, access }: Binding['spec'], call: AnyCall): Target {
  const word = path.split('/')[2] ?? ''
  const kind = KINDS[word] ?? word
  if (access === 'account.own') return { kind: 'user', id: String(call.caller?.id ?? '') }
  if (call.id > 0) return { kind, id: String(call.id) }
  if (kind === 'option') return { kind, id: keysIn(call.body).join(',') }
  const id = idIn(call.body, ['id', 'user_id'])
  const name = id === '' && kind === 'user' ? idIn(call.body, ['username']) : ''
  return name === '' ? { kind, id } : { kind, id: name, isName: true }
}

/** The object that a call has created, by the ids in its answer. */
export function createdBy(target: Target, { data }: AnyAnswer): Target {
  if (target.id !== '') return target
  const ids = Array.isArray(data) ? data.filter((each) => typeof each === 'number').join(',') : idIn(data, ['id'])
  return { ...target, id: ids }
}

function keysIn(body: unknown): readonly string[] {
  return (Array.isArray(body) ? body : [body]).map((each) => idIn(each, ['key'])).filter((key) => key !== '')
}

function idIn(source: unknown, names: readonly string[]): string {
  if (typeof source !== 'object' || source === null) return ''
  const fields: Readonly<Record<string, unknown>> = { ...source }
  const found = names.map((name) => fields[name]).find((value) => value !== undefined && value !== '' && value !== 0)
  return typeof found === 'string' || typeof found === 'number' ? String(found).slice(0, 100) : ''
}

/** The recorded state of an object; undefined if the object does not exist or has no single row. */
export async function readTarget(database: Database, target: Target): Promise<Values | undefined> {
  const db = database.kysely
  if (target.kind === 'option') return await readOptionValues(db, target.id.split(','))
  const read = AUDIT_SUBJECTS[target.kind]
  const id = rowIdOf(await byRowId(database, target))
  const row = read === undefined || id === undefined ? undefined : await read(db, id)
  if (row === undefined) return undefined
  return Object.fromEntries([
    ...Object.entries(row.plain).map(([name, value]) => [name, plainValue(value)]),
    ...Object.entries(row.secret).map(([name, value]) => [name, secretMark(typeof value === 'string' ? value : null)]),
  ])
}

/** The same target with the row id in place of a name, so that a search by id finds every change to a user. */
export async function byRowId({ kysely }: Database, target: Target): Promise<Target> {
  const rowId = target.isName ? await findUserId(kysely, target.id) : undefined
  return rowId === undefined ? target : { kind: target.kind, id: String(rowId) }
}

/** A name without a row is not an id, though it might look like one. */
function rowIdOf({ id, isName }: Target): number | undefined {
  return !isName && /^\d{1,10}$/.test(id) ? Number(id) : undefined
}

/** One option as `value`; several, each under its key. */
async function readOptionValues(db: Database['kysely'], keys: readonly string[]): Promise<Values | undefined> {
  const known = keys.filter(isOptionKey)
  if (known.length === 0) return undefined
  const values = await Promise.all(
    known.map(async (key) => {
      const definition: OptionDefinition = OPTION_DEFINITIONS[key]
      const stored = (await readStoredOption(db, key)) ?? null
      const value = definition.type === 'secret' ? secretMark(stored) : plainValue(stored)
      return [keys.length === 1 ? 'value' : key, value] as const
    }),
  )
  return Object.fromEntries(values)
}
