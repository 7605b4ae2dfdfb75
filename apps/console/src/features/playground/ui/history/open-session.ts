import { conversationTitles } from '../../../../lib/storage/conversation-titles.ts'
import { PLAYGROUND_DATABASE } from '../../../../lib/storage/keys.ts'
import { browserStorage } from '../../../../lib/storage/stored-record.ts'
import { createPlayground } from '../../engine/create-playground.ts'
import type { Playground, PlaygroundParts } from '../../engine/playground.ts'
import { type History, openHistory } from '../../model/history/history.ts'
import { openIndexedShelf } from '../../model/history/indexed-shelf.ts'
import { createKeeper, type Keeper } from '../../model/history/keeper.ts'
import { createMemoryShelf } from '../../model/history/memory-shelf.ts'
import type { Conversation } from '../../model/message.ts'
import { watchDeparture } from './departure.ts'
import type { Conversations } from './use-conversations.ts'

/** A playground over what this browser kept, for one view of the page. */
export interface OpenSession {
  readonly playground: Playground
  readonly conversations: Conversations
  /** The page is left: replies on their way end, and what arrived of them is kept. May be called again. */
  close(): void
}

export interface SessionParts {
  /** Id of the signed-in user. */
  readonly owner: number
  /** Whether that user is still signed in. */
  readonly isSignedIn: () => boolean
  /** Everything of a playground but where it is kept. */
  readonly playground: Omit<PlaygroundParts, 'keep' | 'forget'>
}

/** Takes up where this browser left off. `wanted` is the id of a conversation to show instead; '' is none. */
export async function openSession(parts: SessionParts, wanted: string): Promise<OpenSession> {
  const { owner, isSignedIn } = parts
  const storage = browserStorage()
  const shelf = await openIndexedShelf(window.indexedDB, PLAYGROUND_DATABASE, pause)
  const channel = new BroadcastChannel(PLAYGROUND_DATABASE)
  const history = await openHistory({
    shelf: shelf ?? createMemoryShelf(),
    owner,
    now: parts.playground.now,
    announce: (ids) => channel.postMessage(ids),
  })
  const keeper = createKeeper({ history, storage, tab: browserStorage('sessionStorage'), owner, isSignedIn })
  const initial = (wanted === '' ? undefined : await history.read(wanted)) ?? (await keeper.restored())
  const departure = watchDeparture()
  const playground = createPlayground(
    {
      ...parts.playground,
      ask: departure.asking(parts.playground.ask),
      keep: (conversation) => keep(conversation),
      forget: (id) => void history.remove([id]),
    },
    initial,
  )

  /** Stores, then shows what other tabs added, unless something happened here meanwhile. */
  function keep(conversation: Conversation): void {
    void keeper.keep(conversation).then((result) => {
      const now = playground.get()
      if (result !== conversation && now.conversation === conversation && !now.busy) playground.open(result)
    })
  }

  const stops = [
    noteShown(playground, keeper, keep),
    noteTitles(history, (titles) => isSignedIn() && conversationTitles(storage, owner).write(titles)),
    followTabs(channel, history, playground, keep),
    departure.watch(playground, keeper),
  ]
  let closed = false
  return {
    playground,
    conversations: conversationsOf(history, keeper, playground, shelf === undefined ? 'page' : 'browser'),
    close() {
      if (closed) return
      closed = true
      playground.leave()
      for (const stop of stops) stop()
      // After what is under way.
      void history.refresh().then(() => {
        shelf?.close()
        channel.close()
      })
    },
  }
}

function conversationsOf(
  history: History,
  keeper: Keeper,
  playground: Playground,
  place: Conversations['place'],
): Conversations {
  return {
    history,
    place,
    temporary: keeper.temporary,
    async open(id) {
      if (id === playground.get().conversation.id) return
      const found = await history.read(id)
      if (found !== undefined) playground.open(found)
    },
    setTemporary(on) {
      if (on && playground.get().conversation.messages.length > 0) playground.begin()
      keeper.temporary.set(on ? playground.get().conversation.id : undefined)
      if (!on) void keeper.keep(playground.get().conversation)
    },
  }
}

/** What is shown is found again, and one that comes from elsewhere, such as a file, is stored. */
function noteShown(playground: Playground, keeper: Keeper, keep: (conversation: Conversation) => void): () => void {
  const note = () => {
    const { conversation } = playground.get()
    keeper.show(conversation.id)
    if (conversation.messages.length > 0) keep(conversation)
  }
  note()
  return onChange(playground, ({ conversation }) => conversation.id, note)
}

function noteTitles(history: History, write: (titles: readonly { id: string; title: string }[]) => void): () => void {
  const note = () => write(history.get().entries.map(({ id, title }) => ({ id, title })))
  note()
  return onChange(history, ({ entries }) => entries, note)
}

/** Other tabs tell what they changed. */
function followTabs(
  channel: BroadcastChannel,
  history: History,
  playground: Playground,
  keep: (conversation: Conversation) => void,
): () => void {
  const listener = ({ data }: MessageEvent<unknown>) => {
    void history.refresh()
    const { conversation, busy } = playground.get()
    if (!busy && Array.isArray(data) && data.includes(conversation.id)) keep(conversation)
  }
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}

/** Calls back when a part of what a store holds has become another. */
function onChange<T>(
  store: { get(): T; subscribe(listener: () => void): () => void },
  part: (value: T) => unknown,
  then: () => void,
): () => void {
  let seen = part(store.get())
  return store.subscribe(() => {
    const now = part(store.get())
    if (Object.is(now, seen)) return
    seen = now
    then()
  })
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}
