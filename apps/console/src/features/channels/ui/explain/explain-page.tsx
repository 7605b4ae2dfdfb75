import type { RoutingExplanation } from '@sluice/contract/routing'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { explainQuery } from '~/features/channels/calls.ts'
import { isSameQuestion } from '~/features/channels/model/explain-question.ts'
import type { ExplainSearch } from '~/features/channels/model/explain-search.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { formatOrder } from '~/lib/format/groups.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { RoutingPath } from '~/ui/routing/routing-path.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { ExplainForm } from './explain-form.tsx'
import { ConsideredChannel, PastRequest, RequestForm } from './past-request.tsx'

/** How a hypothetical request would be routed. The address holds the question. */
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
