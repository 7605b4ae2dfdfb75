// @module-tag slow
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type GatewayProcess, ROOT_PASSWORD, startGateway } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { afterEach, describe, expect, it } from 'vitest'

const MEGABYTE = 1_048_576
const BEGINS = Buffer.from('SQLite format 3\0', 'latin1')

let gateway: GatewayProcess | undefined
let dataDir = ''
afterEach(async () => {
  await gateway?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** A file of this size, generated while it is read. */
function* fileOf(megabytes: number, begins = BEGINS): Generator<Buffer> {
  yield begins
  const piece = randomBytes(MEGABYTE)
  for (let sent = 0; sent < megabytes; sent++) yield piece
}

async function upload(url: string, cookie: string, pieces: Iterable<Buffer>): Promise<object> {
  const headers = { cookie, 'content-type': 'application/octet-stream' }
  const request = sendRequest(`${url}/api/import/upload?name=one-api.db`, { method: 'POST', headers })
  const reply = new Promise<object>((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      response.toArray().then((body: Buffer[]) => resolve(JSON.parse(Buffer.concat(body).toString())), reject)
    })
  })
  // A refused upload is not read completely.
  await Promise.all([reply, pipeline(Readable.from(pieces, { objectMode: false }), request).catch(() => {})])
  return await reply
}

/** A process's peak memory in bytes; undefined where the system does not report it. */
async function mostMemory(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1_024
}

describe('a large SQLite file', () => {
  it('is stored without ever being in memory, and removed when the gateway stops', { tags: 'S27' }, async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'sluice-upload-'))
    gateway = await startGateway({ dataDir })
    const { cookie } = await signIn(gateway.url, 'root', ROOT_PASSWORD)
    await upload(gateway.url, cookie, fileOf(1))
    const before = await mostMemory(gateway.pid)
    expect(await upload(gateway.url, cookie, fileOf(200))).toMatchObject({
      success: true,
      data: { bytes: 200 * MEGABYTE + BEGINS.length },
    })
    const after = await mostMemory(gateway.pid)
    if (before === undefined || after === undefined) console.info('memory is not measured: there is no /proc here')
    else expect(after - before).toBeLessThan(100 * MEGABYTE)
    const directory = join(dataDir, 'import')
    expect(await readdir(directory)).toHaveLength(2)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect(await upload(gateway.url, cookie, fileOf(200, Buffer.from('PK\x03\x04 a packed one')))).toMatchObject({
      code: 'upload_not_sqlite',
    })
    expect(await readdir(directory)).toHaveLength(1)
    await gateway.stop()
    expect(await readdir(dataDir)).not.toContain('import')
  })
})
