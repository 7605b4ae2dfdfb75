import { CONFIGURATION_DRIFT } from '@sluice/contract/configuration/drift'
import { type Alarm, dismissAlarm } from '@sluice/contract/routes/alarms'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { Button, IconButton } from '~/ui/button.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { Page } from '~/ui/page.tsx'
import { ListCard } from '~/ui/table/card-list.tsx'
import { ListTable } from '~/ui/table/list-table.tsx'
import { useListPage } from '~/ui/table/use-list-page.ts'
import type { Column } from '~/ui/table/use-list-table.ts'
import { Time } from '~/ui/time.tsx'
import { useChange } from '~/ui/use-change.ts'
import { alarmListQuery, ALARMS } from '../calls.ts'
import { alarmTexts, type en } from '../texts/alarm-texts.ts'

const ENDING = 'ending_model'

/** Missing prices, models that end soon, and drift; each alarm stays until someone dismisses it. */
export function AlarmListPage() {
  const t = useTexts(alarmTexts)
  const call = useCall()
  const navigate = useNavigate({ from: '/alarms' })
  const search = useSearch({ from: '/protected/alarms' })
  const list = useListPage({
    search,
    onSearch: (change) => void navigate({ search: (previous) => ({ ...previous, ...change }) }),
    queryOf: (page) => alarmListQuery(call, page),
  })
  const dismiss = useDismiss()
  const button = (alarm: Alarm) => (
    <Button size="small" aria-label={t.dismissOne(alarm.subject)} onClick={() => void dismiss.run(alarm)}>
      {t.dismiss}
    </Button>
  )
  return (
    <Page title={t.title} subtitle={t.subtitle}>
      <ListTable
        name="alarms"
        label={t.title}
        columns={alarmColumns(t, button)}
        {...list.table}
        empty={t.empty}
        toolbar={
          <>
            <span className="grow" />
            <IconButton label={t.refresh} tone="bordered" onClick={() => void list.query.refetch()}>
              <RefreshIcon />
            </IconButton>
          </>
        }
        card={(alarm) => <AlarmCard alarm={alarm} menu={button(alarm)} />}
      />
    </Page>
  )
}

function alarmColumns({ columns }: Translation<typeof en>, button: (alarm: Alarm) => ReactNode): Column<Alarm>[] {
  return [
    {
      id: 'subject',
      header: columns.model,
      width: 'minmax(9rem, 2fr)',
      fixed: true,
      cell: (alarm) => <span className="font-medium">{alarm.subject}</span>,
    },
    { id: 'kind', header: columns.problem, width: '7rem', cell: (alarm) => <Problem alarm={alarm} /> },
    {
      id: 'channel',
      header: columns.channel,
      width: 'minmax(7rem, 1.5fr)',
      cell: (alarm) => <ChannelLink alarm={alarm} />,
    },
    { id: 'count', header: columns.count, width: '6rem', align: 'end', cell: (alarm) => alarm.count || '' },
    {
      id: 'first',
      header: columns.first,
      width: '8rem',
      from: 'desktop',
      cell: (alarm) => <Time at={alarm.first_seen_ms / 1_000} />,
    },
    { id: 'last', header: columns.last, width: '8rem', cell: (alarm) => <Time at={alarm.last_seen_ms / 1_000} /> },
    { id: 'actions', header: columns.actions, width: '6rem', stays: true, quietHeader: true, cell: button },
  ]
}

function AlarmCard({ alarm, menu }: { alarm: Alarm; menu: ReactNode }) {
  const t = useTexts(alarmTexts)
  return (
    <ListCard
      title={alarm.subject}
      details={
        <>
          <Problem alarm={alarm} />
          <ChannelLink alarm={alarm} />
          {alarm.count > 0 && (
            <span>
              {t.columns.count} {alarm.count}
            </span>
          )}
          <Time at={alarm.last_seen_ms / 1_000} />
        </>
      }
      menu={menu}
    />
  )
}

function Problem({ alarm: { kind } }: { alarm: Alarm }) {
  const t = useTexts(alarmTexts)
  if (kind === CONFIGURATION_DRIFT) return <span data-tip={t.driftHelp}>{t.drift}</span>
  return <span>{kind === ENDING ? t.endsSoon : t.noPrice}</span>
}

/** Links to the channel's form, where a price or another model can be set, or to the setting that has drifted. */
function ChannelLink({ alarm: { kind, subject, channel_id: id, channel_name: name } }: { alarm: Alarm }) {
  const t = useTexts(alarmTexts)
  const isDrift = kind === CONFIGURATION_DRIFT
  if (isDrift && id === 0) {
    return (
      <Link to="/settings" search={{ tab: 'operation', find: subject }} className="hover:underline">
        {t.openSetting(subject)}
      </Link>
    )
  }
  const label = kind === ENDING || isDrift ? t.openChannel(name) : t.setPrice(name)
  if (name === '') return <span className="text-muted">{t.channelGone}</span>
  return (
    <Link to="/channels/edit/$id" params={{ id }} className="hover:underline" aria-label={label} data-tip={label}>
      {name}
    </Link>
  )
}

function useDismiss() {
  const t = useTexts(alarmTexts)
  const call = useCall()
  return useChange({
    send: ({ id }: Alarm) => call(dismissAlarm, { params: { id } }),
    failed: t.dismissFailed,
    done: (_success, { subject }) => ({ title: subject, text: t.dismissed }),
    stale: [ALARMS],
  })
}
