import type { Database } from '@sluice/store/database'
import { type OptionDefinition, OPTION_DEFINITIONS } from '@sluice/store/option-definitions'
import { isOptionKey } from '@sluice/store/options'
import { AUDIT_SUBJECTS, readStoredOption } from '@sluice/store/queries/audit-subjects'
import { findUserId } from '@sluice/store/queries/users'
import type { AnyAnswer, AnyCall, Binding } from '../bind.ts'
import { plainValue, secretMark, type Values } from './values.ts'

/** What a call is about. `id` is empty where it is about none in particular, or about one that does not exist yet. */
export interface Target {
  readonly kind: string
  /** A username where `isName`. */
  readonly id: string
  readonly isName?: true
}

/** Words of paths that name the same thing. */
const KINDS: Readonly<Record<string, string>> = { topup: 'user', dashboard: 'user', trace: 'log' }

/** What a call is about, as far as its path and input tell. */
export function targetOf({ path, access }: Binding['spec'], call: AnyCall): Target {
  const word = path.split('/')[2] ?? ''
  const kind = KINDS[word] ?? word
  if (access === 'account.own') return { kind: 'user', id: String(call.caller?.id ?? '') }
  if (call.id > 0) return { kind, id: String(call.id) }
  const id = idIn(call.body, kind === 'option' ? ['key'] : ['id', 'user_id'])
  const name = id === '' && kind === 'user' ? idIn(call.body, ['username']) : ''
  return name === '' ? { kind, id } : { kind, id: name, isName: true }
}

/** What a call has made: the ids of its answer. */
export function createdBy(target: Target, { data }: AnyAnswer): Target {
  if (target.id !== '') return target
  const ids = Array.isArray(data) ? data.filter((each) => typeof each === 'number').join(',') : idIn(data, ['id'])
  return { ...target, id: ids }
}

function idIn(source: unknown, names: readonly string[]): string {
  if (typeof source !== 'object' || source === null) return ''
  const fields: Readonly<Record<string, unknown>> = { ...source }
  const found = names.map((name) => fields[name]).find((value) => value !== undefined && value !== '' && value !== 0)
  return typeof found === 'string' || typeof found === 'number' ? String(found).slice(0, 100) : ''
}

/** The state of a thing as it goes on record; undefined when there is no such thing or it has no single row. */
export async function readTarget(database: Database, target: Target): Promise<Values | undefined> {
  const db = database.kysely
  if (target.kind === 'option') return optionValues(target.id, await readStoredOption(db, target.id))
  const read = AUDIT_SUBJECTS[target.kind]
  const id = await rowIdOf(database, target)
  const row = read === undefined || id === undefined ? undefined : await read(db, id)
  if (row === undefined) return undefined
  return Object.fromEntries([
    ...Object.entries(row.plain).map(([name, value]) => [name, plainValue(value)]),
    ...Object.entries(row.secret).map(([name, value]) => [name, secretMark(typeof value === 'string' ? value : null)]),
  ])
}

async function rowIdOf({ kysely }: Database, { id, isName }: Target): Promise<number | undefined> {
  if (isName) return await findUserId(kysely, id)
  return /^\d{1,10}$/.test(id) ? Number(id) : undefined
}

function optionValues(key: string, stored: string | undefined): Values | undefined {
  if (!isOptionKey(key)) return undefined
  const definition: OptionDefinition = OPTION_DEFINITIONS[key]
  return { value: definition.type === 'secret' ? secretMark(stored ?? null) : plainValue(stored ?? null) }
}
