import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { VARIABLES } from '../../apps/gateway/src/environment/variables.ts'

const execute = promisify(execFile)
const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy')
const text = (path: string) => readFile(join(DEPLOY, path), 'utf8')

interface Service {
  readonly image: string
  readonly restart: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly stop_grace_period?: string
  readonly healthcheck: { readonly test: readonly string[] }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string }>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt: readonly string[]
  readonly ulimits?: { readonly nofile: number }
  readonly deploy: { readonly resources: { readonly limits: { readonly cpus: string; readonly memory: string } } }
  readonly logging: { readonly options: Readonly<Record<string, string>> }
}
interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean }>>
}

const FILES = ['compose.yaml', 'compose.postgres.yaml'] as const
const SECRETS: Readonly<Record<(typeof FILES)[number], readonly string[]>> = {
  'compose.yaml': ['SLUICE_ROOT_PASSWORD'],
  'compose.postgres.yaml': ['SLUICE_ROOT_PASSWORD', 'SLUICE_MASTER_KEY', 'POSTGRES_PASSWORD', 'VALKEY_PASSWORD'],
}
const read = async (file: string): Promise<ComposeFile> =>
  parse(await text(`docker/${file}`), { merge: true }) as ComposeFile
const secondsOf = (duration = '') => Number(/^(\d+)s$/.exec(duration)?.[1])
const isGateway = (name: string) => name.startsWith('gateway')

describe.each(FILES)('%s', (file) => {
  let composed: ComposeFile
  let services: readonly (readonly [name: string, service: Service])[]
  let gateways: readonly Service[]
  beforeAll(async () => {
    composed = await read(file)
    services = Object.entries(composed.services)
    gateways = services.filter(([name]) => isGateway(name)).map(([, service]) => service)
    expect(gateways.length).toBe(file === 'compose.yaml' ? 1 : 3)
  })

  it('sets variables that the gateway knows, and requires its secrets', async () => {
    const known: readonly string[] = Object.values(VARIABLES).map(({ name }) => name)
    for (const { environment = {} } of gateways)
      expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
    const used = [...(await text(`docker/${file}`)).matchAll(/\$\{(\w+)(:[?-][^}]*)?\}/g)]
    const required = used.filter(([, , rule = '']) => rule.startsWith(':?')).map(([, name]) => name)
    expect(new Set(required)).toEqual(new Set(SECRETS[file]))
    // Everything else has a default.
    expect(used.filter(([, , rule]) => rule === undefined)).toEqual([])
  })

  it('writes no secret into a file, and passes none on a command line', { tags: 'S20' }, () => {
    for (const [name, { environment = {} }] of services) {
      for (const [variable, value] of Object.entries(environment)) {
        if (/PASSWORD|KEY|AUTH|_URL/.test(variable)) expect(value, `${name}: ${variable}`).toMatch(/\$\{\w+:\?/)
      }
    }
    expect(JSON.stringify(services.map(([, service]) => ({ ...service, environment: {} })))).not.toMatch(/\$\{\w+:\?/)
  })

  it('gives each container what it needs and no more, and open answers the time to finish', () => {
    for (const [name, service] of services) {
      expect(service.security_opt, name).toEqual(['no-new-privileges:true'])
      expect(service.deploy.resources.limits, name).toEqual({
        cpus: expect.any(String),
        memory: expect.stringMatching(/^\d+[mg]$/),
      })
      expect(service.logging.options, name).toHaveProperty('max-size')
      expect(service.healthcheck.test[0], name).toBe('CMD')
      if (name !== 'postgres') expect([service.read_only, service.cap_drop], name).toEqual([true, ['ALL']])
    }
    for (const { stop_grace_period, environment = {}, ulimits } of gateways) {
      const drain = Number(environment['SLUICE_DRAIN_TIMEOUT']) + Number(environment['SLUICE_DRAIN_DELAY'] ?? 0)
      expect(secondsOf(stop_grace_period)).toBeGreaterThanOrEqual(drain + 30)
      expect(ulimits?.nofile).toBeGreaterThanOrEqual(20_480)
    }
  })

  it('opens ports to this machine alone, unless told otherwise', () => {
    const published = services.flatMap(([, { ports = [] }]) => ports)
    expect(published.length).toBe(1)
    for (const port of published) expect(port).toMatch(/^\$\{SLUICE_PUBLISH:-127\.0\.0\.1:\d+\}:\d+$/)
  })

  const compose = composeCommand()
  it.skipIf(compose === undefined)(
    'is accepted by Docker Compose, which names each secret that is missing',
    async () => {
      const [command = '', ...first] = compose ?? []
      const PATH = process.env['PATH'] ?? ''
      const check = (env: Readonly<Record<string, string>>) =>
        execute(command, [...first, '-f', join(DEPLOY, 'docker', file), 'config', '--quiet'], { env: { PATH, ...env } })
      const all = Object.fromEntries(SECRETS[file].map((name) => [name, 'x']))
      expect((await check(all)).stderr).toBe('')
      for (const name of SECRETS[file]) {
        // One packaging of the program always exits with 0.
        const refused = await check({ ...all, [name]: '' }).catch((error: unknown) => error)
        expect(refused).toHaveProperty('stderr', expect.stringContaining(`required variable ${name} is missing`))
      }
    },
  )
})

/** Docker's plug-in, or the standalone program. */
function composeCommand(): readonly string[] | undefined {
  const found = [['docker', 'compose'], ['docker-compose']].find(
    ([command = '', ...args]) => spawnSync(command, [...args, 'version'], { stdio: 'ignore' }).status === 0,
  )
  if (found === undefined)
    process.stdout.write(
      'Skipped: no Docker Compose reads the compose files (Docker’s plug-in, or docker-compose 2).\n',
    )
  return found
}

describe('nginx of the compose file', () => {
  it('is the example for replicas, with the addresses that the compose file gives them', async () => {
    const { services } = await read('compose.postgres.yaml')
    const addresses = Object.entries(services)
      .filter(([name]) => isGateway(name))
      .map(([, { networks }]) => networks?.['front']?.ipv4_address ?? '')
    const example = await text('nginx/sluice.conf')
    const expected = example.replaceAll(/10\.0\.0\.1(\d):/g, (_, at: string) => `${addresses[Number(at) - 1]}:`)
    expect(expected).not.toBe(example)
    expect(await text('docker/nginx/sluice.conf')).toBe(expected)
    for (const [name, { environment }] of Object.entries(services)) {
      const trusted = environment?.['SLUICE_TRUSTED_PROXIES']
      if (isGateway(name)) expect(trusted).toBe(services['nginx']?.networks?.['front']?.ipv4_address)
    }
  })

  it('keeps database and Valkey away from everything but the gateways', async () => {
    const { services, networks } = await read('compose.postgres.yaml')
    expect(networks?.['data']).toEqual({ internal: true })
    for (const name of ['postgres', 'valkey']) {
      expect(Object.keys(services[name]?.networks ?? {}), name).toEqual(['data'])
      expect(services[name]?.ports, name).toBeUndefined()
    }
    expect(Object.keys(services['nginx']?.networks ?? {})).toEqual(['front'])
  })

  const nginx = nginxPath()
  it.skipIf(nginx === undefined)('is accepted by nginx', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-compose-'))
    try {
      await writeFile(join(folder, 'sluice.conf'), await text('docker/nginx/sluice.conf'))
      const around = (await text('docker/nginx/around-sluice.conf'))
        .replaceAll('/tmp/', `${folder}/`)
        .replace('/etc/nginx/sluice.conf', `${folder}/sluice.conf`)
      await writeFile(join(folder, 'nginx.conf'), around)
      const { stderr } = await execute(nginx ?? '', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')])
      expect(stderr).toContain('test is successful')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

function nginxPath(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const places = [process.env['SLUICE_TEST_NGINX'] ?? '', ...folders.map((folder) => join(folder, 'nginx'))]
  const found = places.find((path) => path !== '' && spawnSync(path, ['-v'], { stdio: 'ignore' }).status === 0)
  if (found === undefined) process.stdout.write('Skipped: no nginx reads the configuration of the compose file.\n')
  return found
}
