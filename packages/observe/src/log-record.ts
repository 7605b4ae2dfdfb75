import { type Log, LOG_TYPE } from '@sluice/contract/log'
import type { LogRow } from '@sluice/store/queries/logs/logs'

interface View {
  readonly quota: number
  readonly quota_exact: string
  readonly showChannel: boolean
}

/**
 * A log row on the wire, with its amount in quota points. Without `showChannel` the channel stays hidden: users must not learn
 * which provider account serves them.
 */
export function logRecord(row: LogRow, view: View): Log {
  return {
    id: row.id,
    created_at: row.created_at,
    type: row.type,
    user_id: row.user_id,
    username: row.username,
    token_name: row.token_name,
    model_name: row.model_name,
    origin_model_name: row.origin_model_name,
    quota: view.quota,
    quota_exact: view.quota_exact,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    cached_prompt_tokens: row.cached_prompt_tokens,
    // No provider bills cached output; the field is the family's.
    cached_completion_tokens: 0,
    channel: view.showChannel ? row.channel_id : 0,
    channel_name: view.showChannel ? row.channel_name : '',
    request_id: row.request_id ?? '',
    // Every relayed request has a trace under its own id; other rows have none.
    trace_id: row.type === LOG_TYPE.consume ? (row.request_id ?? '') : '',
    elapsed_time: row.elapsed_ms,
    is_stream: row.is_stream === 1,
    content: row.content,
    metadata: metadata(row),
  }
}

/** Only what is worth showing. */
function metadata(row: LogRow): Log['metadata'] {
  const { cache_write_5m_tokens: fiveMinutes, cache_write_1h_tokens: oneHour } = row
  const writes = {
    ...(fiveMinutes > 0 ? { ephemeral_5m: fiveMinutes } : {}),
    ...(oneHour > 0 ? { ephemeral_1h: oneHour } : {}),
  }
  return {
    ...(fiveMinutes + oneHour > 0 ? { cache_write_tokens: writes } : {}),
    ...(row.reasoning_tokens > 0 ? { reasoning_tokens: row.reasoning_tokens } : {}),
    ...(row.estimated === 1 ? { usage_estimated: true } : {}),
    ...(row.ended === '' ? {} : { ended: row.ended }),
    ...(row.session === '' ? {} : { session: row.session }),
    ...(row.client === '' ? {} : { client: row.client }),
  }
}
