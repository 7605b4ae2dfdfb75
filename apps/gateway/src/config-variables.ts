import * as v from 'valibot'
import { BACKUP_VARIABLES } from './backup-variables.ts'
import {
  addressList,
  basePath,
  choice,
  databaseUrl,
  integer,
  masterKeys,
  originList,
  seconds,
  valkeyUrl,
} from './config-texts.ts'
import { variable } from './config-variable.ts'
import { TELEMETRY_VARIABLES } from './telemetry-variables.ts'

/**
 * Every environment variable that Sluice reads, as data: the loader checks against it and `sluice config --explain`
 * prints it, so the documentation cannot drift from the code.
 */
export const VARIABLES = {
  port: variable({
    name: 'PORT',
    schema: integer(0, 65_535),
    fallback: '3000',
    reason: 'Port of the API and the console. 0 takes any free port.',
    example: '8080',
  }),
  host: variable({
    name: 'SLUICE_HOST',
    schema: v.pipe(v.string(), v.minLength(1, 'must not be empty')),
    fallback: '127.0.0.1',
    reason:
      'Address to listen on. Only this machine by default, because the first start has a well-known password; ' +
      'set 0.0.0.0 or :: to serve others. (Not HOST: shells and build tools set that for other purposes.)',
    example: '0.0.0.0',
  }),
  databaseUrl: variable({
    name: 'DATABASE_URL',
    schema: databaseUrl,
    fallback: '',
    reason: 'PostgreSQL to use instead of the SQLite file in the data directory.',
    example: 'postgres://sluice:secret@db.internal:5432/sluice',
    secret: true,
  }),
  valkeyUrl: variable({
    name: 'SLUICE_VALKEY_URL',
    schema: valkeyUrl,
    fallback: '',
    reason:
      'Valkey (or Redis from 6 on) that several replicas share, for exact limits and for changes that hold everywhere at ' +
      'once. It may fail at any time. rediss:// uses TLS. Use one database number per installation.',
    example: 'rediss://:secret@valkey.internal:6379/0',
    secret: true,
  }),
  dataDir: variable({
    name: 'SLUICE_DATA_DIR',
    schema: v.pipe(v.string(), v.minLength(1, 'must not be empty')),
    fallback: './data',
    reason: 'Directory of the SQLite file and of the generated master key. Keep it on a local disk and back it up.',
    example: '/var/lib/sluice',
  }),
  masterKey: variable({
    name: 'SLUICE_MASTER_KEY',
    schema: masterKeys,
    fallback: '',
    reason:
      'Key that seals provider keys and other secrets in the database, as made by "openssl rand -base64 32". Without it ' +
      'one is generated in the data directory; set it when several replicas share a database. To rotate, put a new key ' +
      'in front, separated by a comma.',
    example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
    secret: true,
  }),
  lostKeys: variable({
    name: 'SLUICE_LOST_KEYS',
    schema: v.pipe(
      v.string(),
      v.regex(/^$|^[0-9a-f]{8}([\s,]+[0-9a-f]{8})*$/, 'must be ids of 8 hex digits, separated by commas'),
      v.transform((text) => text.split(/[\s,]+/).filter((id) => id !== '')),
    ),
    fallback: '',
    reason:
      'Ids of master keys that are lost for good, as a refused start names them. What they sealed stays unreadable: ' +
      'provider keys must be entered again, and so on. Without this a gateway that lacks a key does not start.',
    example: '4be1c0d2',
  }),
  takeoverTimeoutMs: variable({
    name: 'SLUICE_TAKEOVER_TIMEOUT',
    schema: seconds(0, 600),
    fallback: '10',
    reason:
      'Seconds that a start waits for another process to release the same SQLite file, as when the new one is started ' +
      'before the old one has ended. After that it refuses.',
    example: '90',
  }),
  rootPassword: variable({
    name: 'SLUICE_ROOT_PASSWORD',
    schema: v.pipe(v.string(), v.regex(/^$|^.{8,72}$/, 'must be 8 to 72 characters')),
    fallback: '',
    reason:
      'Password of the first user, root, read on the very first start, or as long as root has none. Without it ' +
      'SLUICE_FIRST_SIGN_IN decides: the well-known 123456, with which root can sign in only from this machine, or a link.',
    example: 'correct-horse-battery',
    secret: true,
  }),
  firstSignIn: variable({
    name: 'SLUICE_FIRST_SIGN_IN',
    schema: choice(['password', 'link']),
    fallback: 'password',
    reason:
      'How root signs in first when SLUICE_ROOT_PASSWORD is not set: with the well-known password, or without any, by a ' +
      'one-time link that every start prints until root has set a password. The npm package sets it to link.',
    example: 'link',
  }),
  configurationFile: variable({
    name: 'SLUICE_CONFIG',
    schema: v.union([v.literal(''), v.pipe(v.string(), v.startsWith('/'))], 'must be an absolute path'),
    fallback: '',
    reason:
      'Configuration file with options and channels, applied at every start before the port opens. What it names is ' +
      'read-only in the console and the API. Its secrets are references, such as to SLUICE_SECRET_* variables.',
    example: '/etc/sluice.yaml',
  }),
  trustedProxies: variable({
    name: 'SLUICE_TRUSTED_PROXIES',
    schema: addressList,
    fallback: '',
    reason: 'Proxies whose X-Forwarded-For is trusted. From anyone else the header is ignored.',
    example: '10.0.0.0/8,fd00::/8',
  }),
  basePath: variable({
    name: 'SLUICE_BASE_PATH',
    schema: basePath,
    fallback: '',
    reason:
      'Path of the public address below which console and API are served, where a proxy serves other things beside them: /ai ' +
      'for https://host/ai/. The proxy may pass it on or remove it. ServerAddress needs the same path.',
    example: '/ai',
  }),
  logLevel: variable({
    name: 'SLUICE_LOG_LEVEL',
    schema: choice(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']),
    fallback: 'info',
    reason: 'How much is written to the log. Prompts, answers and keys are never written, at any level.',
    example: 'debug',
  }),
  bodyLimit: variable({
    name: 'SLUICE_BODY_LIMIT',
    schema: integer(1_024, 1_073_741_824),
    fallback: '33554432',
    reason: 'Largest request body in bytes. It includes images as base64.',
    example: '67108864',
  }),
  bodyMemory: variable({
    name: 'SLUICE_BODY_MEMORY',
    schema: integer(1_048_576, 68_719_476_736),
    fallback: '536870912',
    reason:
      'Bytes of request bodies held at the same time. Above it requests are refused early with 503. One user can take a quarter ' +
      'of them and one address (of IPv6 a /64) half, but always twice SLUICE_BODY_LIMIT; above that their own are refused with 429.',
    example: '1073741824',
  }),
  bodyTimeoutMs: variable({
    name: 'SLUICE_BODY_TIMEOUT',
    schema: seconds(0.1, 3_600),
    fallback: '60',
    reason: 'Seconds within which a request body must have arrived.',
    example: '120',
  }),
  bodyRate: variable({
    name: 'SLUICE_BODY_RATE',
    schema: integer(0, 1_073_741_824),
    fallback: '1024',
    reason:
      'Lowest speed of a request body in bytes per second, over any ten seconds. A slower one is refused with ' +
      '408. 0: as slow as SLUICE_BODY_TIMEOUT lets it be.',
    example: '4096',
  }),
  maxRequests: variable({
    name: 'SLUICE_MAX_REQUESTS',
    schema: integer(1, 1_000_000),
    fallback: '10000',
    reason:
      'Relayed requests under way at the same time in this process. Above it as many more wait for a slot, in turn ' +
      'between users; beyond that requests are refused early with 503.',
    example: '2000',
  }),
  processes: variable({
    name: 'SLUICE_PROCESSES',
    schema: integer(1, 64),
    fallback: '1',
    reason:
      'Gateways that `sluice serve` starts on one port, each on a core of its own, with the limits and the memory of this table ' +
      'for each. Several need PostgreSQL and Linux. SIGHUP restarts them one after the other.',
    example: '4',
  }),
  queueTimeoutMs: variable({
    name: 'SLUICE_QUEUE_TIMEOUT',
    schema: seconds(0, 600),
    fallback: '10',
    reason:
      'Seconds that a request can wait for a slot while SLUICE_MAX_REQUESTS are under way. One that cannot get it in ' +
      'time is refused at once, with 503 and when to retry. 0: none waits.',
    example: '30',
  }),
  ledgerQueue: variable({
    name: 'SLUICE_LEDGER_QUEUE',
    schema: integer(16, 10_000_000),
    fallback: '20000',
    reason: 'Money operations waiting for their commit. Above it requests are refused early with 503.',
    example: '5000',
  }),
  connectTimeoutMs: variable({
    name: 'SLUICE_CONNECT_TIMEOUT',
    schema: seconds(0.1, 600),
    fallback: '10',
    reason: 'Seconds to connect to a provider before the next channel is tried.',
    example: '5',
  }),
  firstByteTimeoutMs: variable({
    name: 'SLUICE_FIRST_BYTE_TIMEOUT',
    schema: seconds(0.1, 86_400),
    fallback: '300',
    reason: 'Seconds a provider can take until the first byte of its answer.',
    example: '600',
  }),
  idleTimeoutMs: variable({
    name: 'SLUICE_IDLE_TIMEOUT',
    schema: seconds(0.1, 86_400),
    fallback: '120',
    reason: 'Seconds a provider can be silent in the middle of an answer.',
    example: '300',
  }),
  keepAliveMs: variable({
    name: 'SLUICE_KEEPALIVE_INTERVAL',
    schema: seconds(0.1, 3_600),
    fallback: '15',
    reason: 'Seconds of silence after which a stream gets a comment line, so that proxies in between keep it open.',
    example: '5',
  }),
  clientStallMs: variable({
    name: 'SLUICE_CLIENT_STALL_TIMEOUT',
    schema: seconds(0.1, 86_400),
    fallback: '120',
    reason: 'Seconds a client can leave sent bytes unread before it counts as gone.',
    example: '60',
  }),
  readOnMs: variable({
    name: 'SLUICE_READ_ON_TIMEOUT',
    schema: seconds(0.1, 3_600),
    fallback: '600',
    reason: 'Seconds that an answer is read on for its usage after its client has left.',
    example: '60',
  }),
  answerLimit: variable({
    name: 'SLUICE_ANSWER_LIMIT',
    schema: integer(1_024, 1_073_741_824),
    fallback: '33554432',
    reason: 'Largest plain (not streamed) answer of a provider in bytes; it is held until its charge is durable.',
    example: '67108864',
  }),
  answerMemory: variable({
    name: 'SLUICE_ANSWER_MEMORY',
    schema: integer(1_048_576, 68_719_476_736),
    fallback: '268435456',
    reason:
      'Bytes of plain answers held until their clients have read them; above it answers are refused with 503. Shares as for ' +
      'SLUICE_BODY_MEMORY, but always twice SLUICE_ANSWER_LIMIT; above a share its own are refused with 429.',
    example: '536870912',
  }),
  upstreamConnections: variable({
    name: 'SLUICE_UPSTREAM_CONNECTIONS',
    schema: integer(1, 100_000),
    fallback: '10000',
    reason: 'Connections to one provider address. Further requests wait for a free one.',
    example: '512',
  }),
  callerKeyOrigins: variable({
    name: 'SLUICE_CALLER_KEY_ORIGINS',
    schema: originList,
    fallback: '',
    reason:
      'Origins besides the vendors’ own to which keys of callers may be sent, such as a proxy of yours in front of a vendor, ' +
      'which then sees these keys. Not a setting of the console, so that a stolen administrator’s account cannot change it.',
    example: 'https://vendor-proxy.example.com',
  }),
  upstreamPrivate: variable({
    name: 'SLUICE_UPSTREAM_PRIVATE',
    schema: choice(['allow', 'deny']),
    fallback: 'allow',
    reason:
      'Whether channels may point at private and loopback addresses (a local model server, for instance). Only ' +
      'administrators set base URLs. Cloud metadata addresses are refused in any case.',
    example: 'deny',
  }),
  smtpCertificate: variable({
    name: 'SLUICE_SMTP_CERTIFICATE',
    schema: choice(['verify', 'ignore']),
    fallback: 'verify',
    reason:
      'Whether the certificate of the mail server must be valid. Set ignore for a server with a self-signed certificate.',
    example: 'ignore',
  }),
  relayRateLimit: variable({
    name: 'SLUICE_RELAY_RATE_LIMIT',
    schema: integer(0, 1_000_000_000),
    fallback: '0',
    reason: 'Relayed requests per token in 180 s. 0 sets no limit.',
    example: '480',
  }),
  publicRateLimit: variable({
    name: 'SLUICE_PUBLIC_RATE_LIMIT',
    schema: integer(0, 1_000_000_000),
    fallback: '1200',
    reason: 'Requests per minute from one address to calls that need no account, such as prices. 0 sets no limit.',
    example: '6000',
  }),
  syncIntervalMs: variable({
    name: 'SLUICE_SYNC_INTERVAL',
    schema: seconds(0.1, 600),
    fallback: '2',
    reason: 'Most seconds until a change made by another replica is seen.',
    example: '1',
  }),
  ledgerCheckHour: variable({
    name: 'SLUICE_LEDGER_CHECK_HOUR',
    schema: v.pipe(
      v.string(),
      v.regex(/^(\d|1\d|2[0-3]|off)$/, 'must be 0 to 23, or off'),
      v.transform((text) => (text === 'off' ? undefined : Number(text))),
    ),
    fallback: '3',
    reason:
      'Hour (UTC) from which the ledger is verified every night: new rows, and once a week every row. off leaves ' +
      'it to the Audit button and to "sluice ledger verify".',
    example: '20',
  }),
  ...BACKUP_VARIABLES,
  ...TELEMETRY_VARIABLES,
  releaseFeed: variable({
    name: 'SLUICE_RELEASE_FEED',
    schema: v.union([v.literal(''), v.pipe(v.string(), v.regex(/^https?:\/\/\S+$/i, 'must be an http(s) address'))]),
    fallback: '',
    reason:
      'Address of a JSON document with `tag_name` and `body` of the newest release, as GitHub serves it. Read when an ' +
      'administrator looks for updates; empty: never.',
    example: 'https://api.github.com/repos/owner/name/releases/latest',
  }),
  retryDeadlineMs: variable({
    name: 'SLUICE_RETRY_DEADLINE',
    schema: seconds(0, 86_400),
    fallback: '60',
    reason: 'Seconds after its arrival until which a failed request is tried at another channel.',
    example: '20',
  }),
  drainDelayMs: variable({
    name: 'SLUICE_DRAIN_DELAY',
    schema: seconds(0, 600),
    fallback: '0',
    reason:
      'Seconds between the request to stop and the end of listening: /readyz already says 503 and requests are still ' +
      'served, so that a load balancer has time to switch away.',
    example: '5',
  }),
  drainTimeoutMs: variable({
    name: 'SLUICE_DRAIN_TIMEOUT',
    schema: seconds(0, 86_400),
    fallback: '60',
    reason: 'Seconds that running answers get to finish when the process is asked to stop.',
    example: '600',
  }),
} as const
