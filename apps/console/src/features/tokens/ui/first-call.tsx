import { useQuery } from '@tanstack/react-query'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { firstCallQuery } from '../calls.ts'
import { tokenTexts } from '../texts/token-texts.ts'

const LOOK_MS = 3_000
/** After half an hour, a reader who still waits opens the panel again. */
const LOOKS_MAX = 600

/** A light that turns green with the token's first call, and says why one that came before it got no answer. */
export function FirstCall({ id }: { id: number }) {
  const t = useTexts(tokenTexts)
  const { data } = useQuery({
    ...firstCallQuery(useCall(), id),
    refetchInterval: ({ state }) =>
      state.data?.called_time === 0 && state.dataUpdateCount < LOOKS_MAX ? LOOK_MS : false,
  })
  const isCalled = data !== undefined && data.called_time > 0
  const refusal = isCalled ? undefined : data?.refusal
  const [light, text] = isCalled
    ? ['bg-good', t.firstCallMade]
    : refusal === undefined
      ? ['bg-muted animate-pulse motion-reduce:animate-none', t.firstCallWaiting]
      : ['bg-bad', t.firstCallRefused]
  return (
    <div role="status" aria-live="polite" className="flex items-start gap-2 text-sm">
      {data !== undefined && (
        <>
          <span aria-hidden="true" className={`mt-1.5 size-2 shrink-0 rounded-full ${light}`} />
          <p className="min-w-0 break-words">
            {text}
            {refusal !== undefined && (
              <>
                {' '}
                <span lang="en">{refusal.message}</span>
              </>
            )}
          </p>
        </>
      )}
    </div>
  )
}
