import { PLAIN_LOG_COLUMNS } from '@sluice/contract/fields/log'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { findTargets } from '@sluice/store/queries/imports/imported'
import { addImportedLogs, findImportPosition, findTokensByName } from '@sluice/store/queries/imports/imported-usage'
import { LOG_TYPE } from '@sluice/store/statuses'
import { type ImportContext, ImportTrouble } from '../import-context.ts'
import { wholeNumber } from '../take/fields.ts'
import { LOG_COLUMNS, type SourceLog, takeLog } from '../take/take-log.ts'

const PAGE = 1_000
/** Marks a row that has no charge here; the ledger's proof ignores such rows. */
const IMPORTED = 'imported'

export async function bringLogs(context: ImportContext, progress: (rows: number) => void): Promise<void> {
  const { source, database, name, columns, signal, choices } = context
  const present = columns.get('logs')
  if (choices.logs !== 'rows' || present === undefined) return
  const position = await findImportPosition(database.kysely, name)
  const names = LOG_COLUMNS.filter((column) => present.has(column))
  let from = position.rowsTo
  for (;;) {
    signal.throwIfAborted()
    const rows = await source.page({ table: 'logs', columns: names, key: 'id', after: from, limit: PAGE })
    const to = wholeNumber(rows.at(-1)?.['id'] ?? null)
    if (to === undefined) return
    if (!(await addImportedLogs(database.kysely, name, await placed(context, rows), { from, to }))) {
      throw new ImportTrouble('Another process is also importing this gateway.')
    }
    progress(rows.length)
    from = to
  }
}

async function placed(context: ImportContext, rows: readonly ForeignRow[]) {
  const { database, name, family, choices } = context
  const taken = rows.flatMap((row) => {
    const result = takeLog(family, row)
    if (result.outcome === 'left_out') {
      context.report.problem('logs', wholeNumber(row['id'] ?? null) ?? '?', result.fault, 'left_out')
    }
    return result.outcome === 'taken' && result.row.createdAt >= choices.since ? [result.row] : []
  })
  const db = database.kysely
  const users = await findTargets(
    db,
    name,
    'user',
    taken.map(({ userId }) => userId),
  )
  const channels = await findTargets(
    db,
    name,
    'channel',
    taken.map(({ channelId }) => channelId),
  )
  const tokens = await findTokensByName(
    db,
    taken.flatMap(({ userId, tokenName: token }) => {
      const user = users.get(userId)
      return user === undefined ? [] : [{ userId: user, name: token }]
    }),
  )
  return taken.flatMap((log) => {
    const user = users.get(log.userId)
    if (user === undefined) return []
    const tokenId = tokens.get(`${user} ${log.tokenName}`) ?? 0
    return [columnsOf(log, { user, tokenId, channelId: channels.get(log.channelId) ?? 0 })]
  })
}

function columnsOf(
  log: SourceLog,
  { user, tokenId, channelId }: { readonly user: number; readonly tokenId: number; readonly channelId: number },
) {
  return {
    ...PLAIN_LOG_COLUMNS,
    created_at: log.createdAt,
    type: log.type,
    user_id: user,
    username: log.username,
    token_id: tokenId,
    token_name: log.tokenName,
    model_name: log.model,
    origin_model_name: log.originModel,
    channel_id: channelId,
    channel_name: log.channelName,
    amount: log.amount,
    prompt_tokens: log.promptTokens,
    completion_tokens: log.completionTokens,
    cached_prompt_tokens: log.cachedTokens,
    elapsed_ms: log.elapsedMs,
    is_stream: log.isStream ? 1 : 0,
    ended: log.type === LOG_TYPE.consume ? IMPORTED : '',
    content: log.content,
  }
}
