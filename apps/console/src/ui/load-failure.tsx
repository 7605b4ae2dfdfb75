import type { UseQueryResult } from '@tanstack/react-query'
import { CallFailed } from '../lib/http/call.ts'
import { useTexts } from '../lib/i18n/i18n.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'
import { uiTexts } from './texts/ui-texts.ts'

interface LoadFailureProps {
  readonly query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
  readonly text: string
}

/** The gateway's reason, otherwise `text`. Hidden without an error. */
export function LoadFailure({ query, text }: LoadFailureProps) {
  return <LoadNotice query={query} text={failureOf(query.error)?.message || text} />
}

const FIRST_SERVER_FAILURE = 500

/** Offers a retry, unless the gateway refused for a reason. */
export function LoadNotice({ query, text }: LoadFailureProps) {
  const t = useTexts(uiTexts)
  const { error, isFetching, refetch } = query
  if (error === null) return null
  const failure = failureOf(error)
  const mayPass = failure?.kind !== 'refused' || failure.status >= FIRST_SERVER_FAILURE
  return (
    <div className="flex flex-col items-start gap-3">
      <Notice tone="bad">{text}</Notice>
      {mayPass && (
        <Button busy={isFetching} onClick={() => void refetch()}>
          {t.retry}
        </Button>
      )}
    </div>
  )
}

function failureOf(error: Error | null) {
  return error instanceof CallFailed ? error.failure : undefined
}
