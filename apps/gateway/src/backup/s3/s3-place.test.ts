// @module-tag slow
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type S3Seen, type S3Server, startS3Server } from '@sluice/testkit/servers/s3-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BackupPlace, readText } from '../backup-place.ts'
import type { S3Access } from './s3-client.ts'
import { openS3Place } from './s3-place.ts'

const KEYS = { bucket: 'backups', region: 'eu-west-9', accessKey: 'AKIDTEST', secretKey: 'secret/of+the=store' }
const LARGE = Buffer.alloc(17 << 20, 'sluice')

let folder = ''
let server: S3Server
let place: BackupPlace
let stop: AbortController
let pauses: number[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-s3-'))
  server = await startS3Server({ ...KEYS, pageSize: 2 })
  stop = new AbortController()
  pauses = []
  place = open({})
})
afterEach(async () => {
  await place.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const open = (other: Partial<S3Access>, now: () => number = Date.now): BackupPlace =>
  openS3Place({ endpoint: server.url, ...KEYS, ...other }, 'of/gateway/', {
    now,
    stop: stop.signal,
    pause: async (ms) => void pauses.push(ms),
  })

async function store(name: string, body: Buffer): Promise<void> {
  const local = join(folder, 'local')
  await writeFile(local, body)
  await place.store(local, name, { bytes: body.length, sha256: '' })
}

async function digest(name: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of place.read(name)) hash.update(chunk)
  return hash.digest('hex')
}
const digestOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex')

const isPart = ({ method, query }: S3Seen): boolean => method === 'PUT' && query.has('partNumber')
const isEnd = ({ method, query }: S3Seen): boolean => method === 'POST' && query.has('uploadId')
const once = <F>(matches: (request: S3Seen) => boolean, fault: F) => {
  let isDone = false
  return (request: S3Seen): F | undefined => {
    if (isDone || !matches(request)) return undefined
    isDone = true
    return fault
  }
}

describe('a bucket', () => {
  it('takes small files at once and large ones in parts, with checksums and signatures that it verifies', async () => {
    await store('small.db', Buffer.from('small'))
    await store('large.db', LARGE)
    await place.storeText('large.db.json', '{"a":"ü"}')
    expect(server.seen.filter(isPart)).toHaveLength(3)
    expect([...server.objects.keys()]).toEqual(
      ['small.db', 'large.db', 'large.db.json'].map((name) => `of/gateway/${name}`),
    )
    expect([await digest('small.db'), await digest('large.db')]).toEqual([
      digestOf(Buffer.from('small')),
      digestOf(LARGE),
    ])
    expect(await readText(place, 'large.db.json', 100)).toBe('{"a":"ü"}')
    expect(await readText(place, 'large.db.json', 5)).toBeUndefined()
    expect(server.uploads).toEqual([])
  })

  it('is listed page by page, without what is in deeper folders', async () => {
    for (const name of ['a.db', 'b.db', 'c & d.db', 'deep/e.db', 'f.db']) {
      server.put(`of/gateway/${name}`, Buffer.from(name))
    }
    server.put('of/other/g.db', Buffer.from('g'))
    const names = (await place.list('')).map(({ name, bytes }) => [name, bytes])
    expect(names).toEqual([
      ['a.db', 4],
      ['b.db', 4],
      ['c & d.db', 8],
      ['f.db', 4],
    ])
    await place.remove('a.db')
    await place.remove('a.db')
    expect((await place.list('')).map(({ name }) => name)).toEqual(['b.db', 'c & d.db', 'f.db'])
  })
})

describe('a store with faults', () => {
  it.each([
    ['is busy', { status: 503, code: 'SlowDown' }],
    ['fails inside', { status: 500, code: 'InternalError' }],
    ['breaks the connection', 'cut'],
  ] as const)('that %s is asked again, and no byte is lost', async (_, fault) => {
    const requests: string[] = []
    server.fail((request) => {
      const id = `${request.method} ${request.key} ${String(request.query)}`
      if (requests.includes(id)) return undefined
      requests.push(id)
      return fault
    })
    await store('large.db', LARGE)
    expect(await digest('large.db')).toBe(digestOf(LARGE))
    expect(pauses.length).toBeGreaterThan(5)
  })

  it('that loses a reply after it has stored a part is sent the part again', async () => {
    server.fail(once(isPart, 'lost'))
    await store('large.db', LARGE)
    expect(server.objects.get('of/gateway/large.db')?.equals(LARGE)).toBe(true)
  })

  it('whose content breaks off again and again goes on where it was', async () => {
    server.put('of/gateway/large.db', LARGE)
    let cuts = 0
    server.fail(({ method }) => {
      cuts += 1
      return method === 'GET' && cuts <= 8 ? 'cut' : undefined
    })
    expect(await digest('large.db')).toBe(digestOf(LARGE))
    expect(cuts).toBe(9)
  })

  it('whose object changes while it is read does not make one of two halves', async () => {
    server.put('of/gateway/large.db', LARGE)
    server.fail(once(({ method }) => method === 'GET', 'cut'))
    const read = async () => {
      for await (const chunk of place.read('large.db')) {
        if (chunk.length > 0) server.put('of/gateway/large.db', Buffer.alloc(LARGE.length))
      }
    }
    await expect(read()).rejects.toThrow('PreconditionFailed')
  })

  it('is given up after five tries, and nothing of the upload is left', async () => {
    server.fail((request) => (isPart(request) ? { status: 503, code: 'SlowDown' } : undefined))
    await expect(store('large.db', LARGE)).rejects.toThrow(
      `The store at ${server.url} failed 5 times: it answered 503 SlowDown.`,
    )
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000])
    expect([server.uploads, server.objects.size]).toEqual([[], 0])
  })

  it.each([
    ['a part', isPart],
    ['the end of the upload', isEnd],
  ])('that refuses %s leaves nothing of the upload', async (_, matches) => {
    server.fail((request) => (matches(request) ? { status: 403, code: 'AccessDenied' } : undefined))
    await expect(store('large.db', LARGE)).rejects.toThrow(
      'does not grant this access key the permissions that it needs',
    )
    expect([server.uploads, server.objects.size]).toEqual([[], 0])
  })

  it('that receives a wrong byte refuses it by the checksum', async () => {
    server.fail((request) => (isPart(request) ? 'flip' : undefined))
    await expect(store('large.db', LARGE)).rejects.toThrow('BadDigest')
    expect([server.uploads, server.objects.size]).toEqual([[], 0])
  })

  it('is no longer asked once the process is to stop, and the upload is aborted', async () => {
    server.fail((request) => {
      if (request.query.get('partNumber') === '2') stop.abort()
      return undefined
    })
    await expect(store('large.db', LARGE)).rejects.toThrow('It was stopped.')
    expect([server.uploads, server.objects.size]).toEqual([[], 0])
  })

  it('is freed of uploads of killed processes after a day, and of no others', async () => {
    const [old, young] = [Date.now() - 25 * 3_600_000, Date.now() - 3_600_000]
    server.begin('of/gateway/sluice-0a-1.db', old)
    server.begin('of/gateway/sluice-0a-2.db', young)
    server.begin('of/gateway/another.db', old)
    await place.sweep('sluice-0a-')
    expect(server.uploads).toEqual(['of/gateway/sluice-0a-2.db', 'of/gateway/another.db'])
  })
})

describe('a refusal is one sentence with what to check, and no secret', () => {
  it.each([
    [{ accessKey: 'AKIDOTHER' }, 'does not accept the access key (InvalidAccessKeyId)'],
    [{ secretKey: 'wrong' }, 'does not accept the access key (SignatureDoesNotMatch)'],
    [{ region: 'us-east-1' }, 'SLUICE_BACKUP_S3_REGION=us-east-1'],
    [{ bucket: 'other' }, 'has no bucket other'],
    [{ endpoint: 'http://127.0.0.1:1' }, 'failed 5 times: it cannot be reached'],
    [{ endpoint: 'http://169.254.169.254' }, 'its address is not allowed'],
  ])('%o', async (access, sentence) => {
    const wrong = open(access)
    const refused = await wrong.list('').catch((error: unknown) => error)
    await wrong.close()
    expect(refused).toMatchObject({ name: 'StartProblem', message: expect.stringContaining(sentence) })
    expect(String(refused)).not.toContain(KEYS.secretKey)
  })

  it('a clock that is wrong', async () => {
    const wrong = open({}, () => Date.now() - 3_600_000)
    await expect(wrong.list('')).rejects.toThrow('this machine’s clock is wrong')
    await wrong.close()
  })

  it('a file that is not there', async () => {
    await expect(digest('nothing.db')).rejects.toThrow('There is no s3://backups/of/gateway/nothing.db.')
  })
})
