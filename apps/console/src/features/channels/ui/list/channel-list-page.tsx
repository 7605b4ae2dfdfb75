import type { Channel } from '@sluice/contract/channel'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { channelListQuery, suggestChannels } from '~/features/channels/calls.ts'
import { channelTypeName } from '~/features/channels/model/channel-types.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { useCommand } from '~/lib/commands.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { buttonClass, Button, IconButton } from '~/ui/button.tsx'
import { InfoIcon } from '~/ui/icon.tsx'
import { PlusIcon, ActivityIcon, MoreIcon, RefreshIcon, TrashIcon } from '~/ui/icons.tsx'
import { Menu, MENU_ITEM, MenuItem } from '~/ui/menu.tsx'
import { Page } from '~/ui/page.tsx'
import { ListCard } from '~/ui/table/card-list.tsx'
import { ListTable } from '~/ui/table/list-table.tsx'
import { ListToolbar } from '~/ui/table/list-toolbar.tsx'
import { useListPage } from '~/ui/table/use-list-page.ts'
import { ChannelBulkActions } from './bulk-actions.tsx'
import { ChannelBadge, ResponseTime, TestingModelSelect } from './channel-cells.tsx'
import { channelColumns } from './channel-columns.tsx'
import { ChannelMenu } from './channel-row-actions.tsx'
import { HealthCell, useHealthFollowed } from './health-badge.tsx'
import { JobBars } from './job-bar.tsx'
import { type ChannelActions, useChannelActions, useChannelLabel } from './use-channel-actions.ts'
import { isAwaited, useChannelJobs, type ChannelJobs } from './use-channel-jobs.ts'

const KeysPanel = lazy(async () => ({ default: (await import('./keys-panel.tsx')).KeysPanel }))
const HealthPanel = lazy(async () => ({ default: (await import('./health-panel.tsx')).HealthPanel }))

export function ChannelListPage() {
  const t = useTexts(channelTexts)
  const call = useCall()
  const navigate = useNavigate({ from: '/channels' })
  const { health, keys, ...search } = useSearch({ from: '/protected/channels' })
  const jobs = useChannelJobs()
  const list = useListPage({
    search,
    onSearch: (change) => void navigate({ search: (previous) => ({ ...previous, ...change }) }),
    queryOf: (page) => channelListQuery(call, page),
  })
  const actions = useChannelActions()
  const label = useChannelLabel()
  useHealthFollowed()
  useChannelCommands(jobs)
  const shown = health ?? keys
  const awaited = (channel: Channel) => actions.isTesting(channel) || isAwaited(jobs.test, channel)

  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <Link to="/channels/add" className={buttonClass('primary')}>
          <PlusIcon />
          {t.addChannel}
        </Link>
      }
    >
      <JobBars jobs={jobs} />
      <ListTable
        name="channels"
        label={t.title}
        columns={channelColumns({ t, actions, label, isAwaited: awaited })}
        {...list.table}
        openId={shown === undefined ? undefined : String(shown)}
        empty={search.keyword === '' ? t.empty : t.noMatch}
        selection={{
          nameOf: label,
          actions: (channels, clear) => <ChannelBulkActions channels={channels} clear={clear} />,
          all: list.every,
        }}
        toolbar={
          <ListToolbar
            area="channels"
            texts={t}
            {...list.toolbar}
            load={(text, signal) => suggestChannels(call, text, signal)}
            add={{ label: t.addChannel, run: () => void navigate({ to: '/channels/add' }) }}
          >
            <ListMenu jobs={jobs} onDeleteDisabled={actions.removeDisabled} />
          </ListToolbar>
        }
        card={(channel) => <ChannelCard channel={channel} actions={actions} awaited={awaited(channel)} />}
      />
      <ChannelPanels rows={list.query.data?.rows} />
    </Page>
  )
}

function useChannelCommands(jobs: ChannelJobs): void {
  const t = useTexts(channelTexts)
  const routing = useTexts(channelRoutingTexts)
  const navigate = useNavigate()
  useCommand({ id: 'channels.testAll', label: t.testAllCommand, group: t.group, run: () => void jobs.startTest('all') })
  useCommand({
    id: 'channels.balances',
    label: t.updateBalances,
    group: t.group,
    run: () => void jobs.startBalances(),
  })
  useCommand({
    id: 'channels.explain',
    label: routing.command,
    group: t.group,
    run: () => void navigate({ to: '/channels/explain' }),
  })
}

interface ChannelCardProps {
  readonly channel: Channel
  readonly actions: ChannelActions
  readonly awaited: boolean
}

function ChannelCard({ channel, actions, awaited }: ChannelCardProps) {
  const label = useChannelLabel()
  return (
    <ListCard
      title={
        <Link to="/channels/edit/$id" params={{ id: channel.id }}>
          {label(channel)} <span className="text-muted font-normal">#{channel.id}</span>
        </Link>
      }
      badge={<ChannelBadge channel={channel} />}
      details={
        <>
          <span>{channelTypeName(channel.type)}</span>
          <ResponseTime channel={channel} awaited={awaited} />
          <HealthCell channel={channel} />
          <TestingModelSelect channel={channel} actions={actions} />
        </>
      }
      menu={<ChannelMenu channel={channel} actions={actions} />}
    />
  )
}

function ChannelPanels({ rows }: { rows: readonly Channel[] | undefined }) {
  const navigate = useNavigate({ from: '/channels' })
  const { health, keys } = useSearch({ from: '/protected/channels' })
  const nameOf = (id: number) => rows?.find((channel) => channel.id === id)?.name
  const onClose = () =>
    void navigate({ search: ({ health: _health, keys: _keys, ...previous }) => previous, resetScroll: false })
  return (
    <Suspense fallback={null}>
      {health !== undefined && <HealthPanel id={health} name={nameOf(health)} onClose={onClose} />}
      {keys !== undefined && <KeysPanel key={keys} id={keys} name={nameOf(keys)} onClose={onClose} />}
    </Suspense>
  )
}

interface ListMenuProps {
  readonly jobs: ChannelJobs
  readonly onDeleteDisabled: () => void
}

function ListMenu({ jobs, onDeleteDisabled }: ListMenuProps) {
  const t = useTexts(channelTexts)
  const routing = useTexts(channelRoutingTexts)
  const phone = useIsBelow('tablet')
  const isTesting = jobs.starting === 'test' || jobs.test?.running === true
  const isAsking = jobs.starting === 'balance' || jobs.balance?.running === true
  return (
    <>
      {!phone && (
        <Button
          busy={jobs.starting === 'test'}
          disabled={jobs.test?.running}
          onClick={() => void jobs.startTest('all')}
        >
          {jobs.starting !== 'test' && <ActivityIcon />}
          {t.testAll}
        </Button>
      )}
      <Menu
        label={t.moreActions}
        trigger={(props) => (
          <IconButton label={t.moreActions} tone="bordered" {...props}>
            <MoreIcon />
          </IconButton>
        )}
      >
        {phone && (
          <MenuItem disabled={isTesting} onSelect={() => void jobs.startTest('all')}>
            <ActivityIcon />
            {t.testAll}
          </MenuItem>
        )}
        <MenuItem disabled={isTesting} onSelect={() => void jobs.startTest('disabled')}>
          <ActivityIcon />
          {t.testDisabled}
        </MenuItem>
        <MenuItem disabled={isAsking} onSelect={() => void jobs.startBalances()}>
          <RefreshIcon />
          {t.updateBalances}
        </MenuItem>
        <Link to="/channels/explain" role="menuitem" tabIndex={-1} className={MENU_ITEM}>
          <InfoIcon />
          {routing.whatIf}
        </Link>
        <MenuItem danger onSelect={onDeleteDisabled}>
          <TrashIcon />
          {t.deleteDisabled}
        </MenuItem>
      </Menu>
    </>
  )
}
