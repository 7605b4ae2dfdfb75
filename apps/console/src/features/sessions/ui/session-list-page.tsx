import type { UsageSession } from '@sluice/contract/routes/usage-sessions'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useCan } from '~/lib/session/session.ts'
import { Button, IconButton } from '~/ui/button.tsx'
import { TextInput } from '~/ui/field.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { Page } from '~/ui/page.tsx'
import { ListCard } from '~/ui/table/card-list.tsx'
import { ListTable } from '~/ui/table/list-table.tsx'
import { Time } from '~/ui/time.tsx'
import { sessionListQuery } from '../calls.ts'
import type { SessionSearch } from '../model/session-search.ts'
import { usageSessionTexts } from '../texts/session-texts.ts'
import { callsOf, durationText, Cost, sessionColumns, Share } from './session-columns.tsx'

/** Sessions that clients named, with their cost; a row leads to its calls in the log. */
export function SessionListPage() {
  const t = useTexts(usageSessionTexts)
  const navigate = useNavigate({ from: '/sessions' })
  const search = useSearch({ from: '/protected/sessions' })
  const seesAll = useCan('logs.all')
  const query = useQuery({ ...sessionListQuery(useCall(), search, seesAll), placeholderData: keepPreviousData })
  // A page begins where the previous one ended, which holds only for the same order and selection.
  const change = (part: Partial<SessionSearch>) =>
    void navigate({ search: (previous) => ({ ...previous, after: '', ...part }) })
  const { next, among } = query.data ?? {}
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <ListTable
        name="sessions"
        label={t.title}
        columns={sessionColumns({ t, seesAll, time: (row) => <CallsLink row={row} /> })}
        query={query}
        rowId={(row) => `${row.token_id} ${row.session}`}
        search={search}
        onSearch={({ size, sort, order }) =>
          change({ ...(size && { size }), ...(sort !== undefined && { sort }), ...(order && { order }) })
        }
        onOpen={(row) => void navigate({ to: '/logs', search: callsOf(row) })}
        empty={t.empty}
        toolbar={
          <>
            <SessionFilter
              key={`${search.keyword}\n${search.username}`}
              search={search}
              seesAll={seesAll}
              onApply={change}
            />
            <p role="status" className="text-muted min-w-0 grow truncate text-sm max-md:empty:hidden">
              {among !== undefined && t.sortedAmong(formatCount(among))}
            </p>
            <IconButton label={t.refresh} tone="bordered" onClick={() => void query.refetch()}>
              <RefreshIcon />
            </IconButton>
          </>
        }
        pager={
          <nav aria-label={t.pages} className="flex gap-2">
            <Button size="small" disabled={search.after === ''} onClick={() => change({})}>
              {t.firstPage}
            </Button>
            <Button size="small" disabled={next === undefined} onClick={() => change({ after: next ?? '' })}>
              {t.nextPage}
            </Button>
          </nav>
        }
        card={(row) => <SessionCard row={row} />}
      />
    </Page>
  )
}

function CallsLink({ row }: { row: UsageSession }) {
  const t = useTexts(usageSessionTexts)
  return (
    <Link to="/logs" search={callsOf(row)} className="hover:underline">
      <Time at={row.last_at} />
      <span className="sr-only">: {t.openCalls(row.client)}</span>
    </Link>
  )
}

function SessionCard({ row }: { row: UsageSession }) {
  const t = useTexts(usageSessionTexts)
  return (
    <ListCard
      title={row.client}
      details={
        <>
          <CallsLink row={row} />
          <Cost row={row} />
          <span>{t.unit.calls(formatCount(row.calls))}</span>
          <span>{durationText(row.last_at - row.first_at)}</span>
          <span>{t.unit.tokens(formatCount(row.prompt_tokens + row.completion_tokens))}</span>
          <span>
            {t.columns.cache} <Share row={row} />
          </span>
        </>
      }
      menu={null}
    />
  )
}

type Filter = Pick<SessionSearch, 'keyword' | 'username'>

interface SessionFilterProps {
  readonly search: Filter
  readonly seesAll: boolean
  readonly onApply: (filter: Filter) => void
}

function SessionFilter({ search, seesAll, onApply }: SessionFilterProps) {
  const t = useTexts(usageSessionTexts)
  const [token, setToken] = useState(search.keyword)
  const [username, setUsername] = useState(search.username)
  return (
    <form
      className="flex flex-wrap items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onApply({ keyword: token.trim(), username: username.trim() })
      }}
    >
      <span className="w-36">
        <TextInput
          aria-label={t.token}
          placeholder={t.token}
          value={token}
          onChange={(event) => setToken(event.target.value)}
        />
      </span>
      {seesAll && (
        <span className="w-36">
          <TextInput
            aria-label={t.username}
            placeholder={t.username}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        </span>
      )}
      <Button type="submit">{t.filter}</Button>
    </form>
  )
}
