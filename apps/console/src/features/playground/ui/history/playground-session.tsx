import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { connectedParts } from '~/features/playground/calls.ts'
import type { Notification } from '~/features/playground/engine/playground.ts'
import { failuresTexts } from '~/features/playground/texts/failures-texts.ts'
import { historyTexts } from '~/features/playground/texts/history-texts.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSession } from '~/lib/session/session.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { PlaygroundContext } from '../use-playground.ts'
import { type OpenSession, openSession } from './open-session.ts'
import { ConversationsContext } from './use-conversations.ts'

/** Creates the playground of this page view with the conversation stored in this browser. */
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
