import { useEffect, useState } from 'react'
import { threadTexts } from '~/features/playground/texts/thread/thread-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'

/** From here on the seconds are shown: after this long, people wonder whether anything is happening. */
const NOTEWORTHY_SECONDS = 3

/** Shown where the reply will be until its first piece arrives. */
export function Waiting({ model, startedAt }: { model: string; startedAt: number }) {
  const t = useTexts(threadTexts)
  const seconds = useSecondsSince(startedAt)
  return (
    <p className="text-muted flex min-h-6 items-center gap-2 text-sm">
      <span aria-hidden="true" className="bg-accent size-2 animate-pulse rounded-full" />
      {t.waiting(model)}
      {seconds >= NOTEWORTHY_SECONDS && <span className="tabular-nums">{t.seconds(String(seconds))}</span>}
    </p>
  )
}

function useSecondsSince(startedAt: number): number {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - startedAt) / 1_000)), 1_000)
    return () => clearInterval(timer)
  }, [startedAt])
  return seconds
}
