import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

export interface Question {
  readonly title: string
  readonly text: string
  /** Verb on the confirming button. */
  readonly confirm: string
  readonly busy?: string
  /** Performs the confirmed action and reports its own failures. The dialog stays open, busy, until it settles. */
  readonly run: () => Promise<void>
  readonly danger?: boolean
}

type Ask = (question: Question) => void

const AskContext = createContext<Ask | undefined>(undefined)

export function useConfirm(): Ask {
  const ask = useContext(AskContext)
  if (ask === undefined) throw new Error('useConfirm needs a ConfirmProvider above it')
  return ask
}

export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<Question>()
  return (
    <AskContext value={setQuestion}>
      {children}
      {question !== undefined && (
        <Suspense>
          <ConfirmDialog question={question} onClose={() => setQuestion(undefined)} />
        </Suspense>
      )}
    </AskContext>
  )
}
