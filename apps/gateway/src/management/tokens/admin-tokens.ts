import * as routes from '@sluice/contract/routes/admin-tokens'
import type { AnyToken } from '@sluice/contract/token'
import { pageOf, sortingOf } from '@sluice/store/paging'
import * as tokens from '@sluice/store/queries/tokens/all-tokens'
import { type Binding, bind, type Call } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import { withoutKey } from './token-wire.ts'

const NEWEST = { column: 'token.id', direction: 'desc' } as const

/** Read-only access to the tokens of all users, without their keys. */
export function adminTokenRoutes(deps: Pick<SharedPorts, 'database' | 'now'>): readonly Binding[] {
  const db = deps.database.kysely
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)
  const onWire = (row: tokens.AnyTokenRow): AnyToken => ({
    ...withoutKey(row, nowSeconds()),
    user_id: row.userId,
    username: row.username,
  })

  const list = async (keyword: string, query: Call<typeof routes.listAllTokens>['query']) => {
    const sorting = sortingOf(tokens.ANY_TOKEN_SORT_COLUMNS, query, NEWEST)
    const filter = {
      keyword,
      userId: query.user_id <= 0 ? undefined : query.user_id,
      status: Number(query.status) || undefined,
    }
    const { rows, total } = await tokens.listAllTokens(db, filter, sorting, pageOf(query), nowSeconds())
    return { data: rows.map(onWire), total }
  }

  return [
    bind(routes.listAllTokens, ({ query }) => list('', query)),
    bind(routes.searchAllTokens, ({ query }) => list(query.keyword, query)),
    bind(routes.getAnyToken, async ({ id }) => {
      const row = await tokens.findAnyToken(db, id)
      return row === undefined ? { code: 'not_found', params: { what: 'Token' } } : { data: onWire(row) }
    }),
  ]
}
