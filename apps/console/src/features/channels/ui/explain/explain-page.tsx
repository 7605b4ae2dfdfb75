import type { Trace } from '@sluice/contract/log'
import type { RoutingExplanation, ConsideredLane } from '@sluice/contract/routing'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch, Link } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { explainQuery, requestTraceQuery } from '~/features/channels/calls.ts'
import { isSameQuestion } from '~/features/channels/model/explain-question.ts'
import type { ExplainSearch } from '~/features/channels/model/explain-search.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatOrder } from '~/lib/format/units.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { Field, TextInput } from '~/ui/field.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { AttemptList } from '~/ui/routing/attempt-list.tsx'
import { RoutingPath } from '~/ui/routing/routing-path.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { ExplainForm } from './explain-form.tsx'

export function ExplainPage() {
  const t = useTexts(channelRoutingTexts)
  const navigate = useNavigate({ from: '/channels/explain' })
  const search = useSearch({ from: '/protected/channels/explain' })
  const isRequested = search.model !== '' && search.request === ''
  const query = useQuery({ ...explainQuery(useCall(), search), enabled: isRequested, staleTime: Infinity })
  const ask = (wanted: ExplainSearch) => {
    if (isSameQuestion(wanted, search)) void query.refetch()
    else void navigate({ search: wanted })
  }
  return (
    <Page title={t.title} subtitle={t.subtitle} width="wide">
      <div className="grid items-start gap-5 lg:grid-cols-[20rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr]">
        <ExplainForm search={search} busy={query.isFetching} onAsk={ask} />
        {/* Next to both forms; on phones below the first form, which it usually answers. */}
        <div className="min-w-0 empty:hidden lg:row-span-2">
          {search.request !== '' && <PastRequest id={search.request} />}
          {isRequested && (
            <section aria-label={t.result} aria-busy={query.isFetching}>
              {query.isPending && <Skeleton className="h-40 w-full" />}
              <LoadFailure query={query} text={t.failed} />
              {query.data !== undefined && query.error === null && <Explanation explanation={query.data} />}
            </section>
          )}
        </div>
        <RequestForm request={search.request} onAsk={(request) => void navigate({ search: { request } })} />
      </div>
    </Page>
  )
}

function Explanation({ explanation }: { explanation: RoutingExplanation }) {
  const t = useTexts(channelRoutingTexts)
  const { group, groups, skipped_groups: skipped = [], decision, refusal } = explanation
  const isDrawn = decision?.by === 'weight' && decision.lanes.filter(({ order }) => order > 0).length > 1
  return (
    <div className="flex flex-col gap-4">
      {refusal !== undefined && (
        <Notice tone="bad">
          <b className="block font-medium">{t.refused(String(refusal.status), refusal.code)}</b>
          {refusal.message}
        </Notice>
      )}
      <p role="status" className="text-muted text-sm">
        {[
          groups === undefined ? t.routedBy(group) : '',
          groups !== undefined && groups.length > 0 ? t.routedByGroups(formatOrder(groups)) : '',
          skipped.length > 0 ? t.skippedGroups(skipped.join(', ')) : '',
          isDrawn ? t.chance : '',
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      {decision !== undefined && (
        <div className="border-line bg-surface rounded-lg border p-4 md:p-5">
          <RoutingPath decision={decision} nameOf={(lane) => <ConsideredChannel {...lane} />} />
        </div>
      )}
    </div>
  )
}

export function RequestForm({ request, onAsk }: { request: string; onAsk: (request: string) => void }) {
  const t = useTexts(channelRoutingTexts)
  const [text, setText] = useState(request)
  const [inForce, setInForce] = useState(request)
  if (inForce !== request) {
    setInForce(request)
    setText(request)
  }
  const [isWrong, setIsWrong] = useState(false)
  return (
    <form
      noValidate
      aria-label={t.pastTitle}
      className="border-line bg-surface flex flex-col gap-4 rounded-lg border p-4 md:p-5"
      onSubmit={(event) => {
        event.preventDefault()
        const id = requestIdIn(text)
        setIsWrong(id === undefined)
        if (id !== undefined) onAsk(id)
      }}
    >
      <h2 className="font-semibold">{t.pastTitle}</h2>
      <Field label={t.requestId} hint={t.requestIdHint} error={isWrong ? t.requestIdWrong : undefined}>
        {(control) => (
          <TextInput
            {...control}
            mono
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit">{t.show}</Button>
    </form>
  )
}

const FIRST_HTTP_FAILURE = 400

export function PastRequest({ id }: { id: string }) {
  const t = useTexts(channelRoutingTexts)
  const query = useQuery(requestTraceQuery(useCall(), id))
  const { data, isPending } = query
  return (
    <section aria-label={t.pastTitle} className="flex min-w-0 flex-col gap-4">
      {isPending && <Skeleton className="h-40 w-full" />}
      <LoadFailure query={query} text={t.pastFailed} />
      {data !== undefined && <RequestDetails trace={data} />}
    </section>
  )
}

function RequestDetails({ trace }: { trace: Trace }) {
  const t = useTexts(channelRoutingTexts)
  const { status, url, attempts, routing, log, created_at } = trace
  return (
    <>
      <p className="text-muted flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone={status === 0 || status >= FIRST_HTTP_FAILURE ? 'bad' : 'good'}>{String(status)}</Badge>
        <code className="font-mono text-xs wrap-anywhere">{url}</code>
        <span>{formatDateTime(created_at / 1_000)}</span>
        {log.username !== '' && <span>{log.username}</span>}
        {log.id > 0 && (
          <Link to="/logs" search={{ id: log.id }} className="text-accent hover:underline">
            {t.openLog}
          </Link>
        )}
      </p>
      {routing !== undefined && (
        <Box title={t.title}>
          <RoutingPath decision={routing} nameOf={(lane) => <ConsideredChannel {...lane} />} />
        </Box>
      )}
      {attempts.length > 0 && (
        <Box title={t.attempts}>
          <AttemptList attempts={attempts} span={1} />
        </Box>
      )}
    </>
  )
}

function Box({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="border-line bg-surface rounded-lg border p-4 md:p-5">
      <h2 id={titleId} className="mb-2.5 font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Replies carry 32 hex characters; dashes and spaces that were copied along are dropped. */
export function requestIdIn(text: string): string | undefined {
  const id = text.replace(/[\s-]/g, '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(id) ? id : undefined
}

export function ConsideredChannel({ channel, channel_name: name }: ConsideredLane) {
  const t = useTexts(channelRoutingTexts)
  return (
    <Link to="/channels/edit/$id" params={{ id: channel }} className="text-accent font-medium hover:underline">
      {name || t.unnamed}
    </Link>
  )
}
