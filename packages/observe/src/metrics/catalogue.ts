import type { Family } from './family.ts'

/** Histogram bounds in seconds. A model can think for minutes. */
const ANSWER_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320] as const
const FIRST_BYTE_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64] as const
/** For steps within this machine. */
const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5] as const

const counter = (name: string, help: string, labels: readonly string[] = [], oneApi = ''): Family<'counter'> => ({
  kind: 'counter',
  name,
  help,
  labels,
  buckets: [],
  oneApi,
})
const gauge = (name: string, help: string, labels: readonly string[] = [], oneApi = ''): Family<'gauge'> => ({
  ...counter(name, help, labels, oneApi),
  kind: 'gauge',
})
const histogram = (
  name: string,
  help: string,
  buckets: readonly number[],
  labels: readonly string[] = [],
  oneApi = '',
): Family<'histogram'> => ({ ...counter(name, help, labels, oneApi), kind: 'histogram', buckets })

/**
 * Everything that `/metrics` shows. `channel` is a channel's id; `sluice_channel_info` has its name. `model` is the requested name,
 * empty for requests that reached no model. No label ever contains a user, a key or an address, because their number is unbounded.
 */
export const METRICS = {
  requests: counter(
    'sluice_relay_requests_total',
    'Finished relayed requests, by status class: 2xx, 4xx, 5xx, or gone if the client left. channel is empty if none answered.',
    ['endpoint', 'model', 'channel', 'status'],
    'one_api_relay_requests_total',
  ),
  requestSeconds: histogram(
    'sluice_relay_request_duration_seconds',
    'Time from the head of a request to the end of its answer.',
    ANSWER_SECONDS,
    ['endpoint', 'model'],
    'one_api_relay_request_duration_seconds',
  ),
  firstByteSeconds: histogram(
    'sluice_relay_first_byte_seconds',
    'Time from the head of a request to the first byte of its answer.',
    FIRST_BYTE_SECONDS,
    ['endpoint', 'model'],
  ),
  tokens: counter(
    'sluice_relay_tokens_total',
    'Tokens charged: input (without cached ones), cached_input, cache_write, output.',
    ['model', 'channel', 'type'],
    'one_api_relay_tokens_total',
  ),
  quota: counter(
    'sluice_relay_quota_total',
    'Quota charged, in points.',
    ['model', 'channel'],
    'one_api_relay_quota_used_total',
  ),
  refusals: counter(
    'sluice_relay_refusals_total',
    'Requests refused by the gateway, by code of the error catalogue: limits, keys, quota, overload.',
    ['code'],
    'one_api_rate_limit_hits_total, one_api_token_auth_attempts_total',
  ),
  brokenAnswers: counter(
    'sluice_relay_broken_answers_total',
    'Answers that did not arrive in full, by cause: client_gone, upstream_broken, quota_exhausted, gateway_stopped, stopped.',
    ['ending'],
  ),
  retried: counter(
    'sluice_relay_retried_requests_total',
    'Requests that needed more than one call, by outcome: answered or failed.',
    ['outcome'],
  ),
  openRequests: gauge('sluice_open_requests', 'Open relayed requests.', [], 'one_api_http_active_requests'),
  waitingRequests: gauge('sluice_waiting_requests', 'Requests waiting for a slot because too many are open.'),
  draining: gauge('sluice_draining', '1 while the process finishes open requests and accepts no new ones.'),
  calls: counter(
    'sluice_upstream_calls_total',
    'Finished calls to providers, by outcome: answered, limited, account, provider, request, setup, stopped.',
    ['channel', 'model', 'cause'],
    'one_api_channel_success_rate',
  ),
  callSeconds: histogram(
    'sluice_upstream_call_duration_seconds',
    'Time from sending a call to the end of its answer.',
    ANSWER_SECONDS,
    ['channel'],
    'one_api_channel_response_time_ms',
  ),
  callFirstByteSeconds: histogram(
    'sluice_upstream_first_byte_seconds',
    'Time from sending a call to the first byte of its answer.',
    FIRST_BYTE_SECONDS,
    ['channel'],
  ),
  cooldowns: counter('sluice_rests_total', 'Cooldowns of channels, by cause: limited, account, failing.', [
    'channel',
    'cause',
  ]),
  lanes: gauge(
    'sluice_lanes',
    'Keys and models of recently called channels, by state: ready, probe, resting. Absent if there are none.',
    ['channel', 'standing'],
  ),
  laneFailureRatio: gauge(
    'sluice_channel_failure_ratio',
    'Share of calls that failed in about the last minute, 0 to 1, for the worst of the channel’s keys and models.',
    ['channel'],
    'one_api_channel_success_rate',
  ),
  openCalls: gauge(
    'sluice_upstream_open_calls',
    'Open calls to providers.',
    ['channel'],
    'one_api_channel_requests_in_flight',
  ),
  channelInfo: gauge('sluice_channel_info', 'Always 1: the name and type of a channel.', ['channel', 'name', 'type']),
  channelStatus: gauge(
    'sluice_channel_status',
    '1 enabled, 2 disabled by a person, 3 disabled by the gateway.',
    ['channel'],
    'one_api_channel_status',
  ),
  channelBalance: gauge(
    'sluice_channel_balance',
    'The account’s balance as last reported by the provider, in its currency.',
    ['channel', 'currency'],
    'one_api_channel_balance_usd',
  ),
  ledgerQueue: gauge('sluice_ledger_queue', 'Money operations waiting for their commit.'),
  commitSeconds: histogram(
    'sluice_charge_commit_seconds',
    'How long the end of an answer waited for the commit of its charge.',
    SHORT_SECONDS,
  ),
  databaseUp: gauge('sluice_database_up', '1 if the database responded to this scrape, otherwise 0.'),
  configurationDrift: gauge(
    'sluice_configuration_drift',
    'Settings and channels owned by a configuration file but changed by something else, as of the last minute.',
  ),
  replicas: gauge('sluice_replicas', 'Processes that share the database and have been active recently.'),
  valkeyUp: gauge(
    'sluice_valkey_up',
    '1 while Valkey is in use, 0 while it is unavailable; absent if none is configured.',
  ),
  loopDelaySeconds: histogram(
    'sluice_event_loop_delay_seconds',
    'The longest delay of the event loop in each half second.',
    SHORT_SECONDS,
  ),
  loopBusySeconds: counter('sluice_event_loop_busy_seconds_total', 'Time that the event loop spent working.'),
  spans: counter('sluice_otlp_spans_total', 'Spans, by outcome: sent or dropped.', ['outcome']),
  memory: gauge('process_resident_memory_bytes', 'Memory of the process.'),
  heap: gauge('sluice_heap_used_bytes', 'Memory used by objects.'),
  buffers: gauge('sluice_buffer_bytes', 'Memory outside the heap: bodies and chunks.'),
  cpu: counter('process_cpu_seconds_total', 'Processor time of the process, user and system.'),
  startTime: gauge('process_start_time_seconds', 'When the process started, in unix seconds.'),
  build: gauge('sluice_build_info', 'Always 1: the version.', ['version']),
} as const
