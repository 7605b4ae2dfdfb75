import type { ChannelStatus } from '@sluice/contract/price-list'
import * as routes from '@sluice/contract/routes/public'
import { pageOf } from '@sluice/store/paging'
import { listChannelHealth } from '@sluice/store/queries/channel-display'
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
      const { rows, total } = await listChannelHealth(deps.database.kysely, pageOf(query))
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
      return { data, total }
    }),
  ]
}
