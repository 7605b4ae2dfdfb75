import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../../apps/gateway/src/environment/environment.ts'

const execute = promisify(execFile)
const UNIT = join(import.meta.dirname, '..', '..', 'deploy', 'systemd', 'sluice.service')
/** systemd's exposure score of the service, in tenths (0 to 100). It was 1.6 when this was written. */
const MOST_EXPOSED = 20

const hasSystemd = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0
if (!hasSystemd)
  process.stdout.write('Skipped: there is no systemd-analyze to check deploy/systemd/sluice.service with.\n')

describe('the unit for systemd', () => {
  let unit: string
  const valuesOf = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)
  beforeAll(async () => {
    unit = await readFile(UNIT, 'utf8')
  })

  it('sets variables that the gateway accepts, and lets open answers finish before it kills', () => {
    const variables = Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=') as [string, string]))
    expect(loadConfig(variables).problems).toBeUndefined()
    const drain = Number(variables['SLUICE_DRAIN_TIMEOUT'])
    expect(drain).toBeGreaterThanOrEqual(60)
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThanOrEqual(drain + 30)
    expect(Number(valuesOf('LimitNOFILE')[0])).toBeGreaterThanOrEqual(20_480)
    // One signal, and only to the gateway: a second one would end open answers.
    expect([valuesOf('KillSignal'), valuesOf('KillMode')]).toEqual([['SIGTERM'], ['mixed']])
  })

  it('writes to no folder but its state and its cache, as a user without rights', () => {
    const variables = Object.fromEntries(valuesOf('Environment').map((pair) => pair.split('=') as [string, string]))
    expect(valuesOf('User')).not.toEqual(['root'])
    expect(variables['SLUICE_DATA_DIR']).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}`)
    expect(variables['NODE_COMPILE_CACHE']).toBe(`/var/cache/${valuesOf('CacheDirectory')[0]}`)
    expect(valuesOf('ReadWritePaths')).toEqual([])
    expect(valuesOf('CapabilityBoundingSet')).toEqual([''])
    expect([...valuesOf('ProtectSystem'), ...valuesOf('NoNewPrivileges')]).toEqual(['strict', 'yes'])
    expect(unit).not.toMatch(/^Environment=\w*(PASSWORD|KEY|TOKEN|URL)/m)
  })

  it.skipIf(!hasSystemd)('is accepted by systemd, which finds it little exposed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-unit-'))
    try {
      // The program and its user are not installed here.
      const here = unit.replace('/opt/sluice/bin/sluice', '/bin/sh').replaceAll(/^(User|Group)=.*$/gm, '$1=daemon')
      const file = join(folder, 'sluice.service')
      await writeFile(file, here)
      expect((await execute('systemd-analyze', ['verify', file])).stderr).toBe('')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    const options = ['--offline=true', '--no-pager', `--threshold=${MOST_EXPOSED}`]
    const { stdout } = await execute('systemd-analyze', ['security', ...options, UNIT])
    expect(stdout).toMatch(/Overall exposure level for sluice\.service: \d\.\d OK/)
  })
})
