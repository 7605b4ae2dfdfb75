import * as v from 'valibot'
import { STORAGE_KEYS } from '../storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '../storage/stored-record.ts'

/** Maximum number of views per list and user; a new one then replaces the oldest. */
export const VIEWS_MAX = 30
export const VIEW_NAME_MAX = 40

const view = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(VIEW_NAME_MAX)),
  /** The address without default values. */
  search: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
  /** Visible columns by id; the width of the window decides about columns that are not named. */
  columns: v.optional(v.record(v.string(), v.boolean()), {}),
})
export type SavedView = v.InferOutput<typeof view>

/** A list's current columns and parameters, by which views from older versions still work. */
export interface ViewShape {
  readonly columns: readonly string[]
  /** Renamed ids and search parameters: old to new. */
  readonly renamed?: Readonly<Record<string, string>>
}

/** The views of one list that a user has stored in this browser. Unreadable views are treated as absent. */
export function savedViews(storage: KeyValueStorage, list: string, userId: number) {
  const record = storedRecord(storage, STORAGE_KEYS.views(list, userId), v.array(view))
  const read = (): readonly SavedView[] => record.read() ?? []
  const write = (views: readonly SavedView[]) => {
    const kept = views.slice(-VIEWS_MAX)
    record.write([...kept])
    return kept
  }
  return {
    read,
    /** Replaces a view with the same name. */
    save: (saved: SavedView) => write([...read().filter(({ name }) => name !== saved.name), saved]),
    remove: (name: string) => write(read().filter((each) => each.name !== name)),
  }
}

/**
 * Applies renames, and drops removed columns; a sort by a removed column falls back to the list's own. The schema of the address
 * validates the values.
 */
export function currentView(
  { name, search, columns }: SavedView,
  { columns: known, renamed = {} }: ViewShape,
): SavedView {
  const today = (word: string) => renamed[word] ?? word
  const { sort, order, ...rest } = Object.fromEntries(Object.entries(search).map(([key, value]) => [today(key), value]))
  const by = typeof sort === 'string' ? today(sort) : undefined
  const sorting = by !== undefined && known.includes(by) ? { sort: by, ...(order !== undefined && { order }) } : {}
  const shown = Object.entries(columns).map(([id, value]) => [today(id), value] as const)
  return {
    name,
    search: { ...rest, ...sorting },
    columns: Object.fromEntries(shown.filter(([id]) => known.includes(id))),
  }
}

/**
 * Whether an address shows exactly what a view does. Leave pages and open panels, which do not belong to a view, out of `search`.
 */
export function showsView(search: Readonly<Record<string, unknown>>, { search: wanted }: SavedView): boolean {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  return given.length === Object.keys(wanted).length && given.every(([key, value]) => wanted[key] === value)
}
