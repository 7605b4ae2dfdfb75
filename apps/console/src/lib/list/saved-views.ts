import * as v from 'valibot'
import { STORAGE_KEYS } from '../storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '../storage/stored-record.ts'

/** Views of one list and user; the oldest makes room. */
export const VIEWS_MAX = 30
export const VIEW_NAME_MAX = 40

const view = v.object({
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(VIEW_NAME_MAX)),
  /** What the address said, without its defaults. */
  search: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
  /** The choice of columns, by their ids; what is not named follows the window. */
  columns: v.optional(v.record(v.string(), v.boolean()), {}),
})
export type SavedView = v.InferOutput<typeof view>

/** What a list has now, so that views of older versions still mean something. */
export interface ViewShape {
  readonly columns: readonly string[]
  /** Ids and names of search parameters that were renamed: old to new. */
  readonly renamed?: Readonly<Record<string, string>>
}

/** The views of one list that a user keeps on this browser. What cannot be read counts as none. */
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
    /** A view of the same name is replaced. */
    save: (saved: SavedView) => write([...read().filter(({ name }) => name !== saved.name), saved]),
    remove: (name: string) => write(read().filter((each) => each.name !== name)),
  }
}

/**
 * A view in the words of today: renamed columns and parameters get their new names, columns that are gone are left out, and an
 * order by one of these falls back to the list's own. Values are checked by the schema of the address that they go to.
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

/** Whether an address shows just what a view does. Pages and open panels are no part of it: leave them out of `search`. */
export function showsView(search: Readonly<Record<string, unknown>>, { search: wanted }: SavedView): boolean {
  const given = Object.entries(search).filter(([, value]) => value !== undefined)
  return given.length === Object.keys(wanted).length && given.every(([key, value]) => wanted[key] === value)
}
