import { endOtherSessions, endOwnSession, type OwnSession } from '@sluice/contract/routes/own-sessions'
import { useQuery } from '@tanstack/react-query'
import { useCommand } from '~/lib/commands.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { useChange } from '~/ui/use-change.ts'
import { sessionListQuery, SESSIONS } from '../calls.ts'
import { deviceOf } from '../model/user-agent.ts'
import { signInTexts } from '../texts/sign-in-texts.ts'
import { SectionCard } from './section-card.tsx'

/** Uses are recorded once an hour, so anything more recent counts as now. In seconds. */
const NOTED_EVERY = 3_600

export function SessionSection() {
  const t = useTexts(signInTexts)
  const call = useCall()
  const confirm = useConfirm()
  const query = useQuery(sessionListQuery(call))
  const hasOthers = query.data?.some(({ current }) => !current) === true

  const endOthers = useChange({
    send: () => call(endOtherSessions, {}),
    failed: t.signOutFailed,
    done: ({ data }) => ({ title: data === 1 ? t.oneOtherDone : t.othersDone(String(data)) }),
    stale: [SESSIONS],
  })
  const ask = () =>
    confirm({
      title: t.othersTitle,
      text: t.othersText,
      confirm: t.signOutOthers,
      busy: t.othersBusy,
      danger: true,
      run: endOthers.run,
    })
  useCommand({ id: 'account.sessions', label: t.signOutOthers, group: t.commands, run: ask })
  return (
    <SectionCard id="sessions" title={t.sessions} text={t.sessionsText}>
      <LoadFailure query={query} text={t.sessionsFailed} />
      {query.isPending && <Skeleton className="h-9 w-full" />}
      {query.data !== undefined && (
        <ul aria-label={t.sessions} className="divide-line -my-2 divide-y">
          {query.data.toSorted(ownFirst).map((session) => (
            <SessionRow key={session.key} session={session} />
          ))}
        </ul>
      )}
      {hasOthers && (
        <div>
          <Button onClick={ask}>{t.signOutOthers}</Button>
        </div>
      )}
    </SectionCard>
  )
}

/** This session comes first; the others stay in the gateway's order, latest first. */
function ownFirst(a: OwnSession, b: OwnSession): number {
  return Number(b.current) - Number(a.current)
}

function SessionRow({ session }: { session: OwnSession }) {
  const t = useTexts(signInTexts)
  const call = useCall()
  const { address, current } = session
  const device = useDeviceName(session.user_agent)
  const end = useChange({
    send: () => call(endOwnSession, { params: { key: session.key } }),
    failed: t.signOutFailed,
    done: t.signedOut,
    stale: [SESSIONS],
  })
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium" data-tip={session.user_agent || undefined}>
          {device}
          {current && <Badge tone="good">{t.thisSession}</Badge>}
        </p>
        <p className="text-muted text-xs">
          {t.signedIn} <Time at={session.created_time} /> {address !== '' && t.from(address)}
          {!current && ' · '}
          {!current && <LastActive at={session.last_used_time} />}
        </p>
      </div>
      {!current && (
        <Button size="small" aria-label={t.signOutOf(device, address)} onClick={() => void end.run()}>
          {t.signOut}
        </Button>
      )}
    </li>
  )
}

function LastActive({ at }: { at: number }) {
  const t = useTexts(signInTexts)
  if (Date.now() / 1_000 - at < NOTED_EVERY) return t.activeNow
  return (
    <>
      {t.lastActive} <Time at={at} />
    </>
  )
}

function useDeviceName(userAgent: string): string {
  const t = useTexts(signInTexts)
  const { browser, system } = deviceOf(userAgent)
  return browser !== '' && system !== '' ? t.device(browser, system) : browser || system || t.unknownDevice
}
