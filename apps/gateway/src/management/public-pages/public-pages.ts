import type { ChannelStatus, ChannelSummary } from '@sluice/contract/price-list'
import * as routes from '@sluice/contract/routes/public'
import { pageOf } from '@sluice/store/paging'
import { listChannelHealth, sumChannelHealth } from '@sluice/store/queries/channel-display'
import { type Binding, bind } from '../bind.ts'
import type { ManagementDeps } from '../ports.ts'
import { createPriceList } from './price-list.ts'

const STATUS_WORDS: Readonly<Record<number, string>> = {
  1: 'enabled',
  2: 'manually_disabled',
  3: 'auto_disabled',
}

/** Pages that a visitor may see without signing in. */
export function publicPageRoutes(deps: ManagementDeps): readonly Binding[] {
  const priceList = createPriceList(deps)
  return [
    bind(routes.modelsDisplay, async ({ caller, query }) => ({
      data: await priceList(caller?.group, query.keyword || query.q),
    })),

    bind(routes.statusOfChannels, async ({ query }) => {
      const [{ rows, total }, sums] = await Promise.all([
        listChannelHealth(deps.database.kysely, pageOf(query), query.keyword),
        sumChannelHealth(deps.database.kysely),
      ])
      const data = rows.map((row): ChannelStatus => ({
        name: row.name,
        status: STATUS_WORDS[row.status] ?? 'unknown',
        enabled: row.status === 1,
        response: {
          response_time_ms: row.responseTime,
          test_time: row.testTime,
          created_time: row.createdTime,
        },
      }))
      return { data, total, extra: { summary: summaryOf(sums) } }
    }),
  ]
}

function summaryOf(sums: Awaited<ReturnType<typeof sumChannelHealth>>): ChannelSummary {
  const inStatus = (wanted: string) => sums.find(({ status }) => STATUS_WORDS[status] === wanted)
  const enabled = inStatus('enabled')
  return {
    channels: sums.reduce((sum, { channels }) => sum + channels, 0),
    enabled: enabled?.channels ?? 0,
    manually_disabled: inStatus('manually_disabled')?.channels ?? 0,
    auto_disabled: inStatus('auto_disabled')?.channels ?? 0,
    average_response_ms:
      enabled === undefined || enabled.tested === 0 ? 0 : Math.round(enabled.responseTime / enabled.tested),
  }
}
