import type { Channel } from '@sluice/contract/channel'
import { Link } from '@tanstack/react-router'
import { channelTypeName, splitNames } from '~/features/channels/model/channel-types.ts'
import type { en } from '~/features/channels/texts/channel-texts.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { ManagedBadge } from '~/ui/badge.tsx'
import type { Column } from '~/ui/table/use-list-table.ts'
import { Time } from '~/ui/time.tsx'
import {
  KeyCount,
  BalanceCell,
  ChannelBadge,
  ResponseTime,
  SpentQuota,
  NumberCell,
  TestingModelSelect,
} from './channel-cells.tsx'
import { ChannelButtons } from './channel-row-actions.tsx'
import { HealthCell } from './health-badge.tsx'
import type { ChannelActions } from './use-channel-actions.ts'

interface ColumnParts {
  readonly t: Translation<typeof en>
  readonly actions: ChannelActions
  readonly label: (channel: Channel) => string
  readonly isAwaited: (channel: Channel) => boolean
}

export function channelColumns(parts: ColumnParts): Column<Channel>[] {
  return [...identityColumns(parts), ...routingColumns(parts), ...testColumns(parts), ...accountColumns(parts)]
}

function identityColumns({ t, label }: ColumnParts): Column<Channel>[] {
  return [
    { id: 'id', header: t.columns.id, width: '3rem', sortable: true, from: 'desktop', cell: (channel) => channel.id },
    {
      id: 'name',
      header: t.columns.name,
      width: 'minmax(7.75rem, 3fr)',
      sortable: true,
      fixed: true,
      cell: (channel) => (
        <span className="flex items-center gap-1.5">
          <Link
            to="/channels/edit/$id"
            params={{ id: channel.id }}
            className="truncate py-1 font-medium hover:underline"
          >
            {label(channel)}
          </Link>
          <KeyCount channel={channel} />
          <ManagedBadge owner={channel.managed_by} />
        </span>
      ),
    },
    {
      id: 'type',
      header: t.columns.type,
      width: '9.75rem',
      sortable: true,
      from: 'desktop',
      cell: (channel) => channelTypeName(channel.type),
    },
    {
      id: 'status',
      header: t.columns.status,
      width: '6.5rem',
      sortable: true,
      cell: (channel) => <ChannelBadge channel={channel} />,
    },
    {
      id: 'health',
      header: t.columns.health,
      width: '8.75rem',
      from: 'large',
      cell: (channel) => <HealthCell channel={channel} />,
    },
  ]
}

function routingColumns({ t, actions, label }: ColumnParts): Column<Channel>[] {
  return [
    {
      id: 'group',
      header: t.columns.groups,
      width: 'minmax(6rem, 1fr)',
      from: 'chosen',
      cell: (channel) => splitNames(channel.group).join(', '),
    },
    {
      id: 'priority',
      header: t.columns.priority,
      width: '4.5rem',
      align: 'end',
      sortable: true,
      from: 'large',
      cell: (channel) =>
        channel.managed_by === '' ? (
          <NumberCell
            label={t.priorityOf(label(channel))}
            value={channel.priority}
            onSave={(priority) => void actions.saveNumber(channel, { priority })}
          />
        ) : (
          channel.priority
        ),
    },
    {
      id: 'weight',
      header: t.columns.weight,
      width: '5rem',
      align: 'end',
      sortable: true,
      from: 'chosen',
      cell: (channel) =>
        channel.managed_by === '' ? (
          <NumberCell
            label={t.weightOf(label(channel))}
            value={channel.weight}
            min={0}
            onSave={(weight) => void actions.saveNumber(channel, { weight })}
          />
        ) : (
          channel.weight
        ),
    },
  ]
}

function testColumns({ t, actions, isAwaited }: ColumnParts): Column<Channel>[] {
  return [
    {
      id: 'response_time',
      header: t.columns.response,
      width: '6.25rem',
      sortable: true,
      cell: (channel) => <ResponseTime channel={channel} awaited={isAwaited(channel)} />,
    },
    {
      id: 'test_time',
      header: t.columns.tested,
      width: '6.5rem',
      sortable: true,
      from: 'chosen',
      cell: (channel) => (channel.test_time === 0 ? '' : <Time at={channel.test_time} />),
    },
    {
      id: 'testing_model',
      header: t.columns.testingModel,
      width: '8.5rem',
      cell: (channel) => <TestingModelSelect channel={channel} actions={actions} />,
    },
  ]
}

function accountColumns({ t, actions }: ColumnParts): Column<Channel>[] {
  return [
    {
      id: 'used_quota',
      header: t.columns.usedQuota,
      width: '6rem',
      align: 'end',
      sortable: true,
      from: 'chosen',
      cell: (channel) => <SpentQuota quota={channel.used_quota} />,
    },
    {
      id: 'balance',
      header: t.columns.balance,
      width: '6.5rem',
      align: 'end',
      sortable: true,
      from: 'roomy',
      cell: (channel) => <BalanceCell channel={channel} actions={actions} />,
    },
    {
      id: 'created_time',
      header: t.columns.created,
      width: '6.5rem',
      sortable: true,
      from: 'chosen',
      cell: (channel) => <Time at={channel.created_time} />,
    },
    {
      id: 'actions',
      header: t.columns.actions,
      width: '10rem',
      align: 'end',
      fixed: true,
      stays: true,
      cell: (channel) => <ChannelButtons channel={channel} actions={actions} />,
    },
  ]
}
