import { expect, test } from 'vitest'
import { VARIABLES } from './config-variables.ts'
import { explainConfig, loadConfig } from './config.ts'

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

test('neither a problem nor the explanation repeats a secret', () => {
  const environment = { DATABASE_URL: 'mysql://canary', SLUICE_MASTER_KEY: 'canary', SLUICE_ROOT_PASSWORD: 'canary' }
  expect(JSON.stringify(loadConfig(environment).problems)).not.toContain('canary')
  expect(explainConfig(environment)).not.toContain('canary')
})

test('every variable carries a reason and an example, and its default passes its own check', () => {
  for (const row of Object.values(VARIABLES)) {
    expect(row.reason.length, row.name).toBeGreaterThan(20)
    expect(row.example, row.name).not.toBe('')
  }
  expect(loadConfig({}).problems).toBeUndefined()
})
