// @module-tag slow
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { freePort } from '@sluice/testkit/free-port'
import { signIn } from '@sluice/testkit/management-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildImage, type Image } from './image/build-image.ts'
import { chrootProblem, type Container, runContainer, runInstruction, startContainer } from './image/chroot.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const PASSWORD = 'image-root-password'
const DATA = '/var/lib/sluice'

const problem = chrootProblem()
if (problem !== undefined) process.stdout.write(`tests/deploy/image.test.ts is skipped: ${problem}\n`)

/** Started as in a strict runtime: process 1 of an unnamed user, read-only root, empty environment, no way to gain rights. */
describe.skipIf(problem !== undefined)('the image', () => {
  let folder: string
  let image: Image
  let emulator: Emulator
  let volumes: Readonly<Record<string, string>>
  let port: number
  beforeAll(async () => {
    // On the same disk as the packages, so that they can be linked; below node_modules Node would not run TypeScript.
    const cache = join(ROOT, '.cache')
    await mkdir(cache, { recursive: true })
    folder = await mkdtemp(join(cache, 'sluice-image-'))
    image = await buildImage(ROOT, folder)
    emulator = await startEmulator()
    port = await freePort()
    const data = join(folder, 'data')
    await mkdir(data)
    // Like a new volume, with the owner and mode of the folder that it covers.
    const { uid, gid, mode } = await stat(join(image.root, DATA))
    await chown(data, uid, gid)
    await chmod(data, mode)
    volumes = { [DATA]: data }
  }, 180_000)
  afterAll(async () => {
    await emulator.close()
    await rm(folder, { recursive: true, force: true })
  })

  const given = (more: Readonly<Record<string, string>> = {}): Image => ({
    ...image,
    env: { ...image.env, PORT: String(port), SLUICE_ROOT_PASSWORD: PASSWORD, ...more },
  })
  const sluice = (...args: readonly string[]) => runContainer(given(), volumes, [...image.entrypoint, ...args])
  const health = () => runContainer(given(), volumes, image.healthCheck)
  /** The compose file's health check, in place of the image's. */
  const composedHealth = async () => {
    const { services } = parse(await readFile(join(ROOT, 'deploy', 'docker', 'compose.yaml'), 'utf8')) as {
      services: { gateway: { healthcheck: { test: readonly string[] } } }
    }
    const [, ...command] = services.gateway.healthcheck.test
    return await runContainer(
      given(),
      volumes,
      command.map((part) => part.replace(':3000/', `:${port}/`)),
    )
  }
  const start = async (): Promise<Container> => {
    const container = startContainer(given(), volumes, [...image.entrypoint, ...image.command])
    await expect.poll(() => container.output(), { timeout: 60_000 }).toContain('is ready')
    return container
  }

  it('holds a program that its user cannot change, and the only volume is where the data goes', async () => {
    expect([image.user, image.volumes, image.env['SLUICE_DATA_DIR']]).toEqual(['65532:65532', [DATA], DATA])
    const program = join(image.root, 'opt', 'sluice')
    const files = await readdir(program, { recursive: true, withFileTypes: true })
    expect(files.length).toBeGreaterThan(100)
    const owners = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
    expect(owners.filter(({ uid, mode }) => uid !== 0 || (mode & 0o022) !== 0)).toEqual([])
    expect(files.filter(({ name }) => /\.(ts|map|db|key)$|^\.env/.test(name)).map(({ name }) => name)).toEqual([])
    // Compiled by a start at build time.
    expect((await readdir(join(program, 'cache'))).map((name) => name.replace(/.*-/, ''))).toEqual(['65532'])
  })

  it('serves the console and the API, and finishes an open stream when it is asked to stop', async () => {
    const container = await start()
    try {
      const url = `http://127.0.0.1:${port}`
      expect([(await health()).code, (await composedHealth()).code]).toEqual([0, 0])
      expect(await (await fetch(url)).text()).toContain('<title>')
      const root = await signIn(url, 'root', PASSWORD)
      const prices = JSON.stringify({ 'emu-fast': { ratio: 1, completion_ratio: 2 } })
      const channel = { name: 'emulator', type: 50, key: 'sk-emu', base_url: emulator.url, models: 'emu-fast' }
      await root.call(createChannel, { body: { ...channel, model_configs: prices } })
      const { key } = await root.call(createToken, { body: { name: 'token', unlimited_quota: true } })
      const reply = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: 'emu-fast',
          stream: true,
          messages: [{ role: 'user', content: 'Hello (hold after 3)' }],
        }),
      })
      expect(reply.status).toBe(200)
      await expect.poll(() => emulator.held).toBe(1)
      await container.stop()
      await expect.poll(() => container.output()).toContain('Sluice is stopping (SIGTERM)')
      emulator.goOn()
      expect((await reply.text()).trimEnd()).toMatch(/data: \[DONE\]$/)
      expect(await container.ended).toBe(0)
    } finally {
      container.kill()
    }
    expect([(await health()).code, (await composedHealth()).code]).toEqual([1, 1])
    const proof = await sluice('ledger', 'verify', '--full')
    expect(proof.code, proof.output).toBe(0)
  })

  it('keeps its data in the volume, readable by its user alone, and starts from there again', async () => {
    const data = volumes[DATA] ?? ''
    expect(await readdir(data)).toEqual(expect.arrayContaining(['master.key', 'sluice.db']))
    const secrets = await Promise.all(['master.key', 'sluice.db'].map((name) => stat(join(data, name))))
    expect(secrets.map(({ uid, mode }) => [uid, mode & 0o077])).toEqual([
      [65532, 0],
      [65532, 0],
    ])
    const container = await start()
    try {
      await signIn(`http://127.0.0.1:${port}`, 'root', PASSWORD)
      await container.stop()
      expect(await container.ended).toBe(0)
    } finally {
      container.kill()
    }
  })

  it('can write to its volume and to /tmp, and nowhere else, even where the root is writable', async () => {
    const places = [DATA, '/tmp', '/', '/opt/sluice', '/opt/sluice/cache', '/etc', '/usr/local/bin']
    const attempt = `for place in ${places.join(' ')}; do (: > "$place/x") 2>/dev/null && echo "$place"; done; rm -f ${DATA}/x`
    const { output } = await runContainer(given(), volumes, ['/bin/sh', '-c', attempt])
    expect(output.trim().split('\n')).toEqual([DATA, '/tmp'])
    await runInstruction(image, ['/bin/sh', '-c', `[ "$(${attempt})" = "$(printf '${DATA}\\n/tmp')" ]`])
  })

  it('says in one sentence what is wrong with its configuration', async () => {
    const wrong = await runContainer(given({ SLUICE_DRAIN_TIMEOU: '5' }), volumes, [...image.entrypoint, 'serve'])
    expect([wrong.code, wrong.output.trim().split('\n').length]).toEqual([1, 1])
    expect(wrong.output).toContain('SLUICE_DRAIN_TIMEOUT')
  })
})
