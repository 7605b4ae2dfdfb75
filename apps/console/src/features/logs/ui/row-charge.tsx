import type { Log } from '@sluice/contract/log'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount, formatQuota, pointsOf } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Fact } from '~/ui/fact.tsx'
import { Notice } from '~/ui/notice.tsx'
import type { LogSearch } from '../model/filters/log-search.ts'
import { isRequest } from '../model/log-type.ts'
import { tokenCounts, rowText } from '../model/receipt/charge.ts'
import { logTexts } from '../texts/log-texts.ts'
import { PanelSection } from './trace-details.tsx'

export function RowCharge({ row }: { row: Log }) {
  const t = useTexts(logTexts)
  const display = useSystemStatus()
  const { usage_estimated, ended } = row.metadata
  return (
    <PanelSection title={t.charge}>
      <table className="w-full text-sm tabular-nums">
        <tbody>
          {isRequest(row.type) &&
            tokenCounts(row).map(({ name, tokens }) => (
              <tr key={name}>
                <th scope="row" className="text-muted py-0.5 text-left font-normal">
                  {t.tokenClasses[name]}
                </th>
                <td className="py-0.5 text-right">{formatCount(tokens)}</td>
              </tr>
            ))}
          <tr className="border-line border-t font-semibold">
            <th scope="row" className="pt-1.5 text-left">
              {t.columns.quota}
            </th>
            <td className="pt-1.5 text-right">
              {formatQuota(pointsOf(row.quota, row.quota_exact), display, 6)}
              <span className="text-muted block text-xs font-normal">
                {t.points(formatCount(pointsOf(row.quota, row.quota_exact)))}
              </span>
            </td>
          </tr>
        </tbody>
      </table>
      {usage_estimated === true && (
        <div className="mt-2">
          <Notice tone="info">{t.estimated}</Notice>
        </div>
      )}
      {ended !== undefined && ended !== 'complete' && <p className="text-muted mt-2 text-sm">{t.ended(ended)}</p>}
      <div className="mt-2 empty:hidden">
        <RowWords content={row.content} />
      </div>
    </PanelSection>
  )
}

/** The row's own words: the ratios, and the parts of the request that were not sent to the provider. */
export function RowContent({ row }: { row: Log }) {
  const t = useTexts(logTexts)
  if (row.content === '') return null
  return (
    <PanelSection title={t.columns.content}>
      <RowWords content={row.content} />
    </PanelSection>
  )
}

function RowWords({ content }: { content: string }) {
  const t = useTexts(logTexts)
  const { text, losses } = rowText(content)
  return (
    <>
      {text !== '' && <p className="text-muted text-sm wrap-anywhere">{text}</p>}
      {losses.length > 0 && (
        <div className="mt-2 text-sm">
          <p>{t.losses}</p>
          <ul className="text-muted list-disc ps-5">
            {losses.map((loss, index) => (
              <li key={index} className="wrap-anywhere">
                <code className="font-mono text-xs">{loss}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

export function RowSubjects({ row, seesAll }: { row: Log; seesAll: boolean }) {
  const t = useTexts(logTexts)
  const subjects = [
    { name: t.model, value: row.model_name, search: { model: row.model_name } },
    { name: t.token, value: row.token_name, search: { token: row.token_name } },
    ...(seesAll ? [{ name: t.username, value: row.username, search: { username: row.username } }] : []),
    ...(seesAll && row.channel > 0
      ? [{ name: t.columns.channel, value: row.channel_name || `#${row.channel}`, search: { channel: row.channel } }]
      : []),
    { name: t.chipNames.session, value: row.metadata.session ?? '', search: { session: row.metadata.session ?? '' } },
  ].filter(({ value }) => value !== '')
  const { client } = row.metadata
  if (subjects.length === 0) return null
  return (
    <PanelSection title={t.sameAs}>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
        {subjects.map(({ name, value, search }) => (
          <Fact key={name} name={name}>
            <SubjectLink search={search}>{value}</SubjectLink>
          </Fact>
        ))}
        {client !== undefined && <Fact name={t.client}>{client}</Fact>}
      </dl>
    </PanelSection>
  )
}

interface SubjectLinkProps {
  readonly search: Partial<Pick<LogSearch, 'model' | 'token' | 'username' | 'channel' | 'session'>>
  readonly children: ReactNode
}

function SubjectLink({ search, children }: SubjectLinkProps) {
  return (
    <Link to="/logs" search={search} className="text-accent underline underline-offset-2">
      {children}
    </Link>
  )
}
