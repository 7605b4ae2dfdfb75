import { LOG_COLUMNS, type LogColumn, type LogParts } from '@sluice/contract/fields/log'
import { type Log, LOG_TYPE } from '@sluice/contract/log'
import type { LogRow } from '@sluice/store/queries/logs/logs'

interface View {
  readonly quota: number
  readonly quota_exact: string
  readonly showChannel: boolean
}

const columnsIn = (part: keyof LogParts): readonly LogColumn[] => LOG_COLUMNS.filter((column) => column.part === part)
const REQUEST = columnsIn('request')
const TOKENS = columnsIn('tokens')
const ANSWER = columnsIn('answer')
const METADATA = columnsIn('metadata')

/**
 * A log row in wire form, with its amount in quota points. Without `showChannel` the channel stays hidden: users must not learn
 * which provider account serves them.
 */
export function logRecord(row: LogRow, view: View): Log {
  return {
    id: row.id,
    ...shown<'request'>(row, REQUEST),
    quota: view.quota,
    quota_exact: view.quota_exact,
    ...shown<'tokens'>(row, TOKENS),
    // No provider bills cached output; the field exists for the family's clients.
    cached_completion_tokens: 0,
    channel: view.showChannel ? row.channel_id : 0,
    channel_name: view.showChannel ? row.channel_name : '',
    request_id: row.request_id ?? '',
    // Every relayed request has a trace under its own id; other rows have none.
    trace_id: row.type === LOG_TYPE.consume ? (row.request_id ?? '') : '',
    ...shown<'answer'>(row, ANSWER),
    metadata: metadata(row),
  }
}

function shown<Part extends keyof LogParts>(row: LogRow, columns: readonly LogColumn[]): LogParts[Part] {
  return Object.fromEntries(columns.map((each) => [each.shownAs, valueOf(row, each)])) as LogParts[Part]
}

function metadata(row: LogRow): Log['metadata'] {
  const { cache_write_5m_tokens: fiveMinutes, cache_write_1h_tokens: oneHour } = row
  const writes = {
    ...(fiveMinutes > 0 ? { ephemeral_5m: fiveMinutes } : {}),
    ...(oneHour > 0 ? { ephemeral_1h: oneHour } : {}),
  }
  return {
    ...(fiveMinutes + oneHour > 0 ? { cache_write_tokens: writes } : {}),
    ...(shown(
      row,
      METADATA.filter((each) => valueOf(row, each) !== each.plain),
    ) as Partial<LogParts['metadata']>),
  }
}

function valueOf(row: LogRow, { column, kind }: LogColumn): unknown {
  return kind === 'flag' ? row[column] === 1 : row[column]
}
