import { createContext, lazy, type ReactNode, Suspense, useContext, useState } from 'react'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** One question before something that cannot be taken back. */
export interface Question {
  readonly title: string
  readonly text: string
  /** Verb on the confirming button. */
  readonly confirm: string
  /** What the button reads while `run` works. */
  readonly busy?: string
  /** Does what was confirmed; the dialog stays, busy, until it settles. It reports its own failures. */
  readonly run: () => Promise<void>
  readonly danger?: boolean
}

type Ask = (question: Question) => void

const AskContext = createContext<Ask | undefined>(undefined)

/** Opens the confirmation dialog of the app. */
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
