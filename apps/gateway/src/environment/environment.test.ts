import { expect, test } from 'vitest'
import { explainConfig, loadConfig } from './environment.ts'
import { VARIABLES } from './variables.ts'

test('an empty environment gives the defaults, in milliseconds and bytes', () => {
  const { config } = loadConfig({})
  expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', dataDir: './data', databaseUrl: '' })
  expect(config).toMatchObject({ connectTimeoutMs: 10_000, keepAliveMs: 15_000, bodyLimit: 33_554_432 })
  expect(config?.trustedProxies).toEqual([])
  expect(Object.isFrozen(config)).toBe(true)
})

test('values are read from the environment', () => {
  const { config } = loadConfig({
    PORT: '0',
    SLUICE_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,127.0.0.1',
    SLUICE_IDLE_TIMEOUT: '0.25',
  })
  expect(config).toMatchObject({ port: 0, idleTimeoutMs: 250 })
  expect(config?.trustedProxies).toEqual(['10.0.0.0/8', 'fd00::/8', '127.0.0.1'])
})

test('an unknown SLUICE_ variable is an error that names the nearest known one', () => {
  const { problems } = loadConfig({ SLUICE_TRUSTED_PROXY: '10.0.0.1' })
  expect(problems).toEqual(['SLUICE_TRUSTED_PROXY is not a variable of Sluice. Did you mean SLUICE_TRUSTED_PROXIES?'])
})

test('variables of other programs are ignored', () => {
  expect(loadConfig({ HOST: 'x86_64-conda-linux-gnu', PATH: '/bin' }).config).toBeDefined()
})

test('a base path is empty or one that no path of our own begins with', () => {
  for (const path of ['', '/ai', '/tools/ai', '/a.b-c_1', '/_internal', '/logs-of-ai', '/apiary']) {
    expect(loadConfig({ SLUICE_BASE_PATH: path }).config?.basePath, path).toBe(path)
  }
  const FORM = /^SLUICE_BASE_PATH=.*: must begin with a slash, not end with one, and contain only letters/s
  const wrong = [
    'ai',
    '/',
    '/ai/',
    '//ai',
    '/ai//x',
    '/..',
    '/ai/../x',
    '/.well-known',
    '/a b',
    '/ä',
    '/%61i',
    '/a"b',
    '/a\n',
  ]
  for (const path of [...wrong, 'https://host/ai', '/ai?x', '/ai#x', `/${'a'.repeat(100)}`]) {
    expect(loadConfig({ SLUICE_BASE_PATH: path }).problems?.[0], path).toMatch(FORM)
  }
  for (const name of ['api', 'v1', 'assets', 'logs', 'login', 'oauth', 'healthz']) {
    const sentence = `SLUICE_BASE_PATH=/${name}/ai: must not begin with /${name}, which the gateway uses for its own pages or calls.`
    expect(loadConfig({ SLUICE_BASE_PATH: `/${name}/ai` }).problems).toEqual([sentence])
  }
})

test('all problems are reported at once', () => {
  const { problems } = loadConfig({
    PORT: '99999',
    SLUICE_TRUSTED_PROXIES: '10.0.0.0/99',
    SLUICE_UPSTREAM_PRIVATE: 'yes',
  })
  expect(problems).toEqual([
    'PORT=99999: must be at most 65535.',
    'SLUICE_TRUSTED_PROXIES=10.0.0.0/99: must be IP addresses or CIDR ranges separated by commas.',
    'SLUICE_UPSTREAM_PRIVATE=yes: must be one of allow, deny.',
  ])
})

test('callers’ keys go to no address that only looks like this machine', { tags: 'S1' }, () => {
  const problemsOf = (origins: string) => loadConfig({ SLUICE_CALLER_KEY_ORIGINS: origins }).problems
  for (const origin of [
    'https://proxy.example.com',
    'http://127.0.0.1:4000',
    'http://localhost:1',
    'http://[::1]:8080',
  ]) {
    expect(problemsOf(origin), origin).toBeUndefined()
  }
  for (const origin of [
    'http://localhost.example.com',
    'http://127.example.com',
    'http://proxy.example.com',
    'https://proxy.example.com/v1',
    'https://user@proxy.example.com',
    'ftp://127.0.0.1',
  ]) {
    expect(problemsOf(`https://proxy.example.com, ${origin}`), origin).toHaveLength(1)
  }
})

test('the address of Valkey is checked, and its password is never repeated', () => {
  const wrong = [
    'http://:hidden@cache',
    'redis://',
    'rediss://:hidden@cache/zero',
    'redis://:%zzhidden@cache',
    'cache:6379',
  ]
  for (const url of wrong) {
    expect(loadConfig({ SLUICE_VALKEY_URL: url }).problems).toEqual([
      'SLUICE_VALKEY_URL: must look like redis://:password@host:6379/0, or rediss:// for TLS.',
    ])
  }
  for (const url of ['redis://cache', 'rediss://user:p%40ss@cache.example:6380/3', 'redis://[::1]:6379']) {
    expect(loadConfig({ SLUICE_VALKEY_URL: url }).config?.valkeyUrl).toBe(url)
  }
  expect(explainConfig({ SLUICE_VALKEY_URL: 'redis://:hidden@cache' })).not.toContain('hidden')
})

test('headers for the collector are read as OpenTelemetry writes them, a share as a number', () => {
  const { config } = loadConfig({
    SLUICE_OTLP_ENDPOINT: 'https://collector.example/base',
    SLUICE_OTLP_HEADERS: 'X-Api-Key=a%20key%3D%2C,authorization=Basic%20dTpw==',
    SLUICE_OTLP_SAMPLE: '0.05',
  })
  expect(config?.otlpHeaders).toEqual({ 'x-api-key': 'a key=,', authorization: 'Basic dTpw==' })
  expect(config?.otlpSample).toBe(0.05)
})

test.each([
  ['SLUICE_OTLP_ENDPOINT', 'collector:4318'],
  ['SLUICE_OTLP_ENDPOINT', 'http://user:password@collector'],
  ['SLUICE_OTLP_ENDPOINT', 'http://collector/?key=1'],
  ['SLUICE_OTLP_HEADERS', 'no-value'],
  ['SLUICE_OTLP_HEADERS', 'a=b,,c=d'],
  ['SLUICE_OTLP_HEADERS', 'a=two words'],
  ['SLUICE_OTLP_HEADERS', 'a=%ff'],
  ['SLUICE_OTLP_HEADERS', 'a=b%0d%0ac:%20d'],
  ['SLUICE_OTLP_SAMPLE', '1.5'],
  ['SLUICE_OTLP_SAMPLE', '-1'],
  ['SLUICE_METRICS_TOKEN', 'short'],
  ['SLUICE_METRICS_TOKEN', 'a token with spaces in it'],
])('%s=%s is refused', (name, value) => {
  expect(loadConfig({ [name]: value }).problems).toHaveLength(1)
})

test('neither a problem nor the explanation repeats a secret', () => {
  const environment = { DATABASE_URL: 'mysql://canary', SLUICE_MASTER_KEY: 'canary', SLUICE_ROOT_PASSWORD: 'canary' }
  expect(JSON.stringify(loadConfig(environment).problems)).not.toContain('canary')
  expect(explainConfig({ SLUICE_METRICS_TOKEN: 'canary', SLUICE_OTLP_HEADERS: 'canary' })).not.toContain('canary')
  expect(explainConfig(environment)).not.toContain('canary')
})

test('every variable carries a reason and an example, and its default passes its own check', () => {
  for (const row of Object.values(VARIABLES)) {
    expect(row.reason.length, row.name).toBeGreaterThan(20)
    expect(row.example, row.name).not.toBe('')
  }
  expect(loadConfig({}).problems).toBeUndefined()
})

test('what the npm package sets is explained as its default, and what the user sets is not', () => {
  const environment = {
    SLUICE_DATA_DIR: '/data',
    SLUICE_FIRST_SIGN_IN: 'link',
    SLUICE_PACKAGE_DEFAULTS: 'NODE_COMPILE_CACHE,SLUICE_FIRST_SIGN_IN',
  }
  expect(loadConfig(environment).config).toBeDefined()
  const text = explainConfig(environment)
  expect(text).toContain('SLUICE_DATA_DIR = /data   [environment]')
  expect(text).toContain('SLUICE_FIRST_SIGN_IN = link   [default of the npm package]')
  expect(text).toContain('PORT = 3000   [default]')
})
