/**
 * Replies of a server that knows only the specification: sections 3 and 7 of its three documents, route by route. Leaves out
 * anything else that Sluice sends, including unspecified routes.
 */

/** What remains of a value: all of it, the items of a list, the values of a map, or the named fields of an object. */
type Cut = 'whole' | { readonly list: Cut } | { readonly map: Cut } | { readonly fields: Readonly<Record<string, Cut>> }

const list = (of: Cut): Cut => ({ list: of })
const map = (of: Cut): Cut => ({ map: of })
/** `names` lists fields in one line; `more` are the fields that are objects themselves. */
const fields = (names: string, more: Readonly<Record<string, Cut>> = {}): Cut => ({
  fields: { ...Object.fromEntries(names.split(' ').map((name) => [name, 'whole'])), ...more },
})

const SIGNED_IN = fields('id username display_name role totp_required')
const STATUS = fields(
  'system_name logo footer_html quota_per_unit display_in_currency github_oauth github_client_id lark_client_id ' +
    'wechat_login turnstile_check turnstile_site_key chat_link top_up_link',
)
const DAY = 'Day RequestCount Quota PromptTokens CompletionTokens'
const USAGE = fields('', {
  logs: list(fields(`${DAY} ModelName`)),
  user_logs: list(fields(`${DAY} Username UserId`)),
  token_logs: list(fields(`${DAY} Username UserId TokenName`)),
})
const TOKEN = fields(
  'id name key status remain_quota used_quota unlimited_quota created_time accessed_time expired_time models subnet',
)
const LOG = fields(
  'id created_at request_id trace_id type model_name token_name username channel quota prompt_tokens completion_tokens ' +
    'cached_prompt_tokens cached_completion_tokens elapsed_time content',
  { metadata: fields('', { cache_write_tokens: fields('ephemeral_5m ephemeral_1h') }) },
)
const TRACE = fields('trace_id url method status body_size', {
  log: fields('username'),
  timestamps: fields(
    'request_received request_forwarded first_upstream_response first_client_response upstream_completed request_completed',
  ),
  durations: fields('processing_time upstream_response_time response_processing_time streaming_time total_time'),
})
const USER = fields('id username display_name email role status group quota used_quota created_time')
const CHANNEL = fields(
  'id name type base_url other models model_mapping model_configs system_prompt group priority weight ratelimit status ' +
    'response_time test_time testing_model created_time inference_profile_arn_map config',
)
const REDEMPTION = fields('id name key quota status created_time redeemed_time')
const PRICES = fields('', {
  models: map(fields('input_price cached_input_price output_price max_tokens image_price')),
})
const CHANNEL_STATUS = fields('name status enabled', { response: fields('response_time_ms test_time created_time') })

/** In the order in which routes are tried, each with its `data` and the envelope fields next to it. */
const ROUTES: readonly (readonly [route: string, data?: Cut | undefined, beside?: string])[] = [
  ['GET /api/status', STATUS],
  ['GET /api/home_page_content', 'whole'],
  ['POST /api/user/login', SIGNED_IN],
  ['GET /api/user/logout'],
  ['GET /api/oauth/state', 'whole'],
  ['GET /api/oauth/(github|lark)', SIGNED_IN],
  ['GET /api/verification'],
  ['POST /api/user/register'],
  ['GET /api/reset_password'],
  ['POST /api/user/reset'],
  ['GET /api/user/dashboard', USAGE],
  ['GET /api/user/dashboard/users', list(fields('id username display_name'))],
  ['GET /api/token', list(TOKEN), 'total'],
  ['GET /api/token/search', list(TOKEN)],
  ['GET /api/token/\\d+', TOKEN],
  ['(DELETE|PUT|POST) /api/token(/\\d+)?'],
  ['GET /api/user/available_models', 'whole'],
  ['GET /api/trace/log/\\d+', TRACE],
  ['GET /api/log(/self)?(/search)?', list(LOG), 'total'],
  ['GET /api/log(/self)?/stat', fields('quota')],
  ['DELETE /api/log', 'whole'],
  ['GET /api/models/display', map(PRICES)],
  ['GET /api/group', 'whole'],
  ['GET /api/user(/search)?', list(USER), 'total'],
  ['GET /api/user/\\d+', USER],
  ['(POST|PUT|DELETE) /api/user(/\\d+)?'],
  ['POST /api/topup'],
  ['GET /api/channel(/search)?', list(CHANNEL), 'total'],
  ['GET /api/channel/\\d+', CHANNEL],
  ['(POST|PUT|DELETE) /api/channel(/\\d+|/disabled)?'],
  ['GET /api/channel/test(/\\d+)?', undefined, 'time'],
  ['GET /api/channel/metadata', fields('default_base_url')],
  ['GET /api/channel/default-pricing', fields('model_configs')],
  ['GET /api/models', 'whole'],
  ['GET /api/option', list(fields('key value'))],
  ['PUT /api/option'],
  ['GET /api/option/update', fields('tag_name content')],
  ['GET /api/redemption(/search)?', list(REDEMPTION), 'total'],
  ['GET /api/redemption/\\d+', REDEMPTION],
  ['POST /api/redemption', 'whole'],
  ['(PUT|DELETE) /api/redemption(/\\d+)?'],
  ['GET /api/about', 'whole'],
  ['PUT /api/user/self'],
  ['GET /api/user/self', fields('id username display_name email role quota')],
  ['GET /api/user/(token|aff)', 'whole'],
  ['GET /api/user/totp/status', fields('totp_enabled')],
  ['GET /api/user/totp/setup', fields('secret qr_code')],
  ['POST /api/user/totp/(confirm|disable)'],
  ['POST /api/user/topup', 'whole'],
  ['GET /api/status/channel', list(CHANNEL_STATUS), 'total'],
]
const KNOWN = ROUTES.map(([route, data, beside]) => ({
  route: new RegExp(`^${route}/?$`),
  envelope: fields(`success message ${beside ?? ''}`.trim(), data === undefined ? {} : { data }),
}))

/** The reply as a server of the specification would have sent it; undefined for a call that it does not have. */
export function specifiedReply(method: string, path: string, reply: unknown): unknown {
  const known = KNOWN.find(({ route }) => route.test(`${method} ${path}`))
  return known === undefined ? undefined : cut(reply, known.envelope)
}

function cut(value: unknown, to: Cut): unknown {
  if (to === 'whole' || typeof value !== 'object' || value === null) return value
  if ('list' in to) return Array.isArray(value) ? value.map((each) => cut(each, to.list)) : value
  const left = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    const part = 'map' in to ? to.map : Object.hasOwn(to.fields, name) ? to.fields[name] : undefined
    return part === undefined ? [] : [[name, cut(each, part)]]
  })
  return Object.fromEntries(left)
}
