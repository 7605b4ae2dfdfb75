import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { connectedParts } from '~/features/playground/calls.ts'
import { createPlayground } from '~/features/playground/engine/create-playground.ts'
import type { Notification, Playground, PlaygroundParts } from '~/features/playground/engine/playground.ts'
import {
  createConversationStore,
  type ConversationStore,
} from '~/features/playground/model/history/conversation-store.ts'
import { type History, openHistory } from '~/features/playground/model/history/history.ts'
import { openIndexedShelf, createMemoryShelf } from '~/features/playground/model/history/shelf.ts'
import type { Conversation } from '~/features/playground/model/message.ts'
import { failuresTexts } from '~/features/playground/texts/failures-texts.ts'
import { historyTexts } from '~/features/playground/texts/history-texts.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSession } from '~/lib/session/session.ts'
import { conversationTitles } from '~/lib/storage/conversation-titles.ts'
import { PLAYGROUND_DATABASE } from '~/lib/storage/keys.ts'
import { browserStorage } from '~/lib/storage/stored-record.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { PlaygroundContext, ConversationsContext, type Conversations } from '../use-playground.ts'

export function PlaygroundSession({ children }: { children: ReactNode }) {
  const session = useOpenSession()
  // A database replies within a few frames; a loading indicator would only flicker.
  if (session === undefined) return <div data-fills-window aria-busy="true" className="grow" />
  return (
    <ConversationsContext value={session.conversations}>
      <PlaygroundContext value={session.playground}>{children}</PlaygroundContext>
    </ConversationsContext>
  )
}

function useOpenSession(): OpenSession | undefined {
  const call = useCall()
  const session = useSession()
  const t = useTexts(historyTexts)
  const failures = useTexts(failuresTexts)
  const toasts = useToasts()
  const [opened, setOpened] = useState<OpenSession>()
  const { conversation: wanted } = useSearch({ from: '/protected/chat' })
  const navigate = useNavigate({ from: '/chat' })
  const texts = useEffectEvent(() => failures)
  const notify = useEffectEvent(({ kind, text }: Notification) => {
    if (kind === 'cancelled') toasts.show({ tone: 'info', title: t.cancelled, text: t.cancelledText })
    else toasts.show({ tone: 'bad', title: text })
  })
  const open = useEffectEvent(() => {
    const user = session.get()
    return openSession(
      {
        owner: user?.id ?? 0,
        isSignedIn: () => user !== undefined && session.get()?.id === user.id,
        playground: {
          ...connectedParts(call),
          user: user?.username ?? 'unknown',
          notify: (notification) => notify(notification),
          texts: () => texts(),
        },
      },
      wanted,
    )
  })
  useEffect(() => {
    let left = false
    const opening = open()
    void opening.then((it) => (left ? undefined : setOpened(it)))
    return () => {
      left = true
      void opening.then((it) => it.close())
    }
  }, [])
  useEffect(() => {
    if (opened === undefined || wanted === '') return
    void opened.conversations.open(wanted)
    void navigate({ search: (old) => ({ ...old, conversation: '' }), replace: true })
  }, [opened, wanted, navigate])
  return opened
}

interface OpenSession {
  readonly playground: Playground
  readonly conversations: Conversations
  /** Called when the user leaves the page: arriving replies end, and what has arrived is stored. Can be called again. */
  close(): void
}

export interface SessionParts {
  /** Id of the signed-in user. */
  readonly owner: number
  readonly isSignedIn: () => boolean
  readonly playground: Omit<PlaygroundParts, 'save' | 'forget'>
}

/** Resumes where this browser left off. `wanted` is the id of a conversation to show instead; '' means none. */
async function openSession(parts: SessionParts, wanted: string): Promise<OpenSession> {
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
  const store = createConversationStore({ history, storage, tab: browserStorage('sessionStorage'), owner, isSignedIn })
  const initial = (wanted === '' ? undefined : await history.read(wanted)) ?? (await store.restored())
  const departure = watchDeparture()
  const playground = createPlayground(
    {
      ...parts.playground,
      ask: departure.asking(parts.playground.ask),
      save: (conversation) => save(conversation),
      forget: (id) => void history.remove([id]),
    },
    initial,
  )

  /** Stores, then shows what other tabs added, unless something changed here meanwhile. */
  function save(conversation: Conversation): void {
    void store.save(conversation).then((result) => {
      const now = playground.get()
      if (result !== conversation && now.conversation === conversation && !now.busy) playground.open(result)
    })
  }

  const stops = [
    noteShown(playground, store, save),
    noteTitles(history, (titles) => isSignedIn() && conversationTitles(storage, owner).write(titles)),
    followTabs(channel, history, playground, save),
    departure.watch(playground, store),
  ]
  let closed = false
  return {
    playground,
    conversations: conversationsOf(history, store, playground, shelf === undefined ? 'page' : 'browser'),
    close() {
      if (closed) return
      closed = true
      playground.leave()
      for (const stop of stops) stop()
      void history.refresh().then(() => {
        shelf?.close()
        channel.close()
      })
    },
  }
}

function conversationsOf(
  history: History,
  store: ConversationStore,
  playground: Playground,
  place: Conversations['place'],
): Conversations {
  return {
    history,
    place,
    temporary: store.temporary,
    async open(id) {
      if (id === playground.get().conversation.id) return
      const found = await history.read(id)
      if (found !== undefined) playground.open(found)
    },
    setTemporary(on) {
      if (on && playground.get().conversation.messages.length > 0) playground.begin()
      store.temporary.set(on ? playground.get().conversation.id : undefined)
      if (!on) void store.save(playground.get().conversation)
    },
  }
}

/** Records the conversation on screen as the last one shown, and stores one from elsewhere, such as a file. */
function noteShown(
  playground: Playground,
  store: ConversationStore,
  save: (conversation: Conversation) => void,
): () => void {
  const note = () => {
    const { conversation } = playground.get()
    store.show(conversation.id)
    if (conversation.messages.length > 0) save(conversation)
  }
  note()
  return onChange(playground, ({ conversation }) => conversation.id, note)
}

function noteTitles(history: History, write: (titles: readonly { id: string; title: string }[]) => void): () => void {
  const note = () => write(history.get().entries.map(({ id, title }) => ({ id, title })))
  note()
  return onChange(history, ({ entries }) => entries, note)
}

function followTabs(
  channel: BroadcastChannel,
  history: History,
  playground: Playground,
  save: (conversation: Conversation) => void,
): () => void {
  const listener = ({ data }: MessageEvent<unknown>) => {
    void history.refresh()
    const { conversation, busy } = playground.get()
    if (!busy && Array.isArray(data) && data.includes(conversation.id)) save(conversation)
  }
  channel.addEventListener('message', listener)
  return () => channel.removeEventListener('message', listener)
}

/** Calls back when the selected part of a store's value has changed. */
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

/** After a page announces that it is closing, a broken connection is attributed to that for this many milliseconds. */
const DEPARTURE_MS = 3_000

/** A closing or reloading tab has no time for a database, and a tab in the background may come back. */
function watchDeparture() {
  let announcedAt = -Infinity
  return {
    /** The browser breaks connections before it reports that the page is closing; what arrived still counts as a reply. */
    asking:
      (ask: PlaygroundParts['ask']): PlaygroundParts['ask'] =>
      async (question, onPiece, signal) => {
        let arrived = false
        const end = await ask(
          question,
          (piece) => {
            arrived ||= piece.kind !== 'requestId'
            onPiece(piece)
          },
          signal,
        )
        const isBroken = end.kind === 'failed' && (end.failure.kind === 'broken' || end.failure.kind === 'unsent')
        if (!isBroken || performance.now() - announcedAt > DEPARTURE_MS) return end
        return arrived ? { kind: 'complete', finish: '' } : { kind: 'aborted' }
      },
    /** Returns a function that stops watching. */
    watch(playground: Playground, store: ConversationStore): () => void {
      const ending = new AbortController()
      const { signal } = ending
      window.addEventListener('beforeunload', () => (announcedAt = performance.now()), { signal })
      window.addEventListener(
        'pagehide',
        () => {
          playground.leave()
          store.hurry()
        },
        { signal },
      )
      window.addEventListener('pageshow', ({ persisted }) => persisted && store.relax(), { signal })
      return () => ending.abort()
    },
  }
}
