import { createStore, type Store } from '../../../../lib/store/store.ts'
import type { Conversation } from '../message.ts'
import { isSame, merged } from './merge.ts'
import { type Kept, type OwnRecords, recordsOf, summaryOf } from './records.ts'
import type { Shelf } from './shelf.ts'
import { inOrder, type Summary, titleOf } from './summary.ts'

export interface HistoryState {
  /** Pinned first, then what changed last. */
  readonly entries: readonly Summary[]
  /** True after a change that could not be stored: the disk is full, or everything was deleted from elsewhere. */
  readonly failed: boolean
}

/**
 * The conversations that one user kept in this browser. Nothing rejects: what could not be stored shows in the state. Changes are
 * made one after the other, in the order in which they were asked for.
 */
export interface History extends Pick<Store<HistoryState>, 'get' | 'subscribe'> {
  /**
   * Stores a conversation, unless it is what was stored before. Answers it as it is stored then: with what other tabs did to it since
   * this tab last saw it.
   */
  keep(conversation: Conversation): Promise<Conversation>
  read(id: string): Promise<Conversation | undefined>
  rename(id: string, title: string): Promise<void>
  pin(id: string, pinned: boolean): Promise<void>
  /** Answers what it took out, for `restore`. */
  remove(ids: readonly string[]): Promise<readonly Kept[]>
  restore(removed: readonly Kept[]): Promise<void>
  /** Reads the list anew, after another tab changed it. */
  refresh(): Promise<void>
}

export interface HistoryParts {
  readonly shelf: Shelf
  /** Id of the user. What others left on the shelf is taken out. */
  readonly owner: number
  /** Unix milliseconds. */
  readonly now: () => number
  /** Tells other tabs which conversations changed. */
  readonly announce: (ids: readonly string[]) => void
}

/** A conversation as this tab last knew it. */
interface Seen {
  readonly conversation: Conversation
  /** At which revision the shelf held just this; undefined where it holds more. */
  readonly revision: number | undefined
}

/** How many are remembered. Whoever changes to another conversation still writes to the one before. */
const MOST_SEEN = 4

/** Takes out what is nobody's, and reads the list. */
export async function openHistory(parts: HistoryParts): Promise<History> {
  const { shelf, owner } = parts
  const history = createHistory(parts)
  await shelf.run('readwrite', (records) => recordsOf(records, owner).tidy()).catch(() => undefined)
  await history.refresh()
  return history
}

function createHistory({ shelf, owner, now, announce }: HistoryParts): History {
  const store = createStore<HistoryState>({ entries: [], failed: false })
  const seen = new Map<string, Seen>()
  /** Of conversations that came from the shelf or lie there unchanged. */
  const revisions = new WeakMap<Conversation, number>()
  let last: Promise<unknown> = Promise.resolve()

  const see = (conversation: Conversation, revision: number | undefined) => {
    seen.delete(conversation.id)
    seen.set(conversation.id, { conversation, revision })
    for (const id of [...seen.keys()].slice(0, -MOST_SEEN)) seen.delete(id)
  }
  /** What was taken out here is stored again when it is kept again. */
  const unsee = (id: string) => {
    const known = seen.get(id)
    if (known !== undefined) revisions.delete(known.conversation)
    seen.delete(id)
  }
  /** Does one step after the steps before it. */
  const inTurn = <T>(otherwise: T, step: () => Promise<T>): Promise<T> => {
    const next = last.then(step).catch(() => {
      store.set({ ...store.get(), failed: true })
      return otherwise
    })
    last = next
    return next
  }
  /** Changes the records of some conversations, then shows the list as it is then. */
  const change = async <T>(ids: readonly string[], work: (records: OwnRecords) => Promise<T>): Promise<T> => {
    const { result, entries } = await shelf.run('readwrite', async (records) => {
      const own = recordsOf(records, owner)
      return { result: await work(own), entries: await own.summaries() }
    })
    store.set({ entries: inOrder(entries), failed: false })
    announce(ids)
    return result
  }
  const alter = (id: string, altered: (kept: Kept) => Kept) =>
    inTurn(undefined, () =>
      change([id], async (records) => {
        const old = await records.kept(id)
        if (old === undefined) return
        const { summary, conversation } = altered(old)
        records.put({
          conversation,
          summary: { ...summary, title: titleOf(conversation), revision: summary.revision + 1 },
        })
      }),
    )

  return {
    get: store.get,
    subscribe: store.subscribe,
    keep: (ours) =>
      inTurn(ours, async () => {
        const there = await shelf.run('readonly', (records) => recordsOf(records, owner).summary(ours.id))
        const known = revisions.get(ours)
        // As it lies there; or taken out elsewhere, and nothing was added to it since.
        if (known !== undefined && (there === undefined || there.revision === known)) {
          see(ours, known)
          return ours
        }
        // What came from the shelf holds no change of this tab, whatever it has seen since.
        const base = known === undefined ? seen.get(ours.id) : { conversation: ours, revision: known }
        const kept = await change([ours.id], (records) => write(records, ours, base))
        if (kept === undefined) return ours
        revisions.set(kept.conversation, kept.summary.revision)
        see(ours, kept.conversation === ours ? kept.summary.revision : undefined)
        return kept.conversation
      }),
    read: (id) =>
      inTurn(undefined, async () => {
        const kept = await shelf.run('readonly', (records) => recordsOf(records, owner).kept(id))
        if (kept !== undefined) revisions.set(kept.conversation, kept.summary.revision)
        return kept?.conversation
      }),
    rename: (id, title) =>
      alter(id, ({ summary, conversation }) => ({ summary, conversation: { ...conversation, title } })),
    pin: (id, pinned) => alter(id, ({ summary, conversation }) => ({ conversation, summary: { ...summary, pinned } })),
    remove: (ids) =>
      inTurn<readonly Kept[]>([], () => {
        ids.forEach(unsee)
        return change(ids, async (records) => {
          const found = await Promise.all(ids.map((id) => records.kept(id)))
          for (const id of ids) records.remove(id)
          return found.filter((kept) => kept !== undefined)
        })
      }),
    restore: (removed) =>
      inTurn(undefined, () =>
        change(
          removed.map(({ summary }) => summary.id),
          async (records) => removed.forEach((kept) => records.put(kept)),
        ),
      ),
    refresh: () =>
      inTurn(undefined, async () => {
        const entries = await shelf.run('readonly', (records) => recordsOf(records, owner).summaries())
        store.set({ entries: inOrder(entries), failed: false })
      }),
  }

  /** Writes what a tab has, together with what others did. Undefined when nothing of it is left: an empty one is not stored. */
  async function write(records: OwnRecords, ours: Conversation, base: Seen | undefined): Promise<Kept | undefined> {
    const there = await records.kept(ours.id)
    const untouched = there === undefined || there.summary.revision === base?.revision
    const conversation = untouched ? ours : merged(base?.conversation, ours, there.conversation)
    if (conversation.messages.length === 0) {
      records.remove(ours.id)
      return undefined
    }
    if (there !== undefined && isSame(conversation, there.conversation)) return there
    const kept = { conversation, summary: summaryOf(conversation, owner, there?.summary, now()) }
    records.put(kept)
    await records.trim(ours.id)
    return kept
  }
}
