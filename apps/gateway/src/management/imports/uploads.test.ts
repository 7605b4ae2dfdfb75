import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRefusal } from '@sluice/contract/errors'
import { IMPORT_UPLOAD_MAX } from '@sluice/contract/import'
import { type ManualTimers, openManualTimers, untilIdle } from '@sluice/testkit/manual-timers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openUploads, type Upload, type Uploads, type UsedUpload } from './uploads.ts'

const BEGINS = 'SQLite format 3\0'
const MINUTE = 60_000

let own = ''
let directory = ''
let timers: ManualTimers
let free = 1e12
let uploads: Uploads
let last = 0

const open = () =>
  openUploads({
    directory,
    newId: () => String(++last).padStart(32, '0'),
    now: () => timers.now(),
    timers,
    freeBytes: async () => free,
    onError: (error) => {
      throw error
    },
  })

beforeEach(async () => {
  own = await mkdtemp(join(tmpdir(), 'sluice-uploads-'))
  directory = join(own, 'import')
  timers = openManualTimers()
  free = 1e12
  uploads = await open()
})
afterEach(async () => {
  await uploads.close()
  await rm(own, { recursive: true, force: true })
})

type Body = string | ReadableStream<Uint8Array>

function receive(body: Body, headers: Record<string, string> = {}, name = 'one-api.db') {
  const request = new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' })
  return uploads.receive(request, name)
}

async function received(body: Body): Promise<Upload> {
  const upload = await receive(body)
  if (isRefusal(upload)) throw new Error(upload.code)
  return upload
}

function used(id: string): UsedUpload {
  const upload = uploads.use(id)
  if (isRefusal(upload)) throw new Error(upload.code)
  return upload
}

const files = () => readdir(directory).catch(() => [])

function openBody() {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) })
  return {
    body,
    send: (text: string) => stream?.enqueue(Buffer.from(text, 'latin1')),
    end: () => stream?.close(),
    breakOff: () => stream?.error(new Error('the client has left')),
  }
}

test('a SQLite file is stored as it is, readable by this user only', async () => {
  const text = `${BEGINS}${'page '.repeat(50_000)}`
  const { id, size } = await received(text)
  expect(size).toBe(text.length)
  const { file, label } = used(id)
  expect(file).toBe(join(directory, `${id}.sqlite`))
  expect(label).toBe('one-api.db')
  expect(await readFile(file, 'latin1')).toBe(text)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
})

test('what does not begin as a SQLite file is refused at once and leaves nothing behind', async () => {
  const endless = new ReadableStream<Uint8Array>({ pull: (stream) => stream.enqueue(new Uint8Array(1_000)) })
  for (const body of ['', 'SQLite format', 'SQLite format 4\0', '<html>', endless]) {
    expect(await receive(body)).toEqual({ code: 'upload_not_sqlite' })
    expect(await files()).toEqual([])
  }
})

test('its beginning may arrive byte by byte', async () => {
  const { body, send, end } = openBody()
  const upload = received(body)
  for (const byte of `${BEGINS}rest`) send(byte)
  end()
  expect(await upload).toMatchObject({ size: 20 })
})

test('an upload that breaks off leaves nothing behind', async () => {
  const { body, send, breakOff } = openBody()
  const upload = receive(body)
  send(BEGINS)
  await expect.poll(files).toHaveLength(1)
  breakOff()
  expect(await upload).toEqual({ code: 'body_cut' })
  expect(await files()).toEqual([])
})

test('one file arrives at a time', async () => {
  const { body, send, end } = openBody()
  const first = received(body)
  expect(await receive(BEGINS)).toEqual({ code: 'upload_running' })
  send(BEGINS)
  end()
  await first
  await received(BEGINS)
})

test('a file that is declared too large, or for which the disk has no room, is refused before it is read', async () => {
  const tooLarge = String(IMPORT_UPLOAD_MAX + 1)
  expect(await receive(BEGINS, { 'content-length': tooLarge })).toMatchObject({ code: 'body_too_large' })
  free = 1_000_000_999
  expect(await receive(BEGINS, { 'content-length': '1000' })).toMatchObject({ code: 'upload_no_room' })
  expect(await files()).toEqual([])
})

test('a file that grows until the disk has no room is refused and removed', async () => {
  const piece = new Uint8Array(1_048_576)
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull: (stream) => {
      if (++sent === 60) free = 999_999_999
      stream.enqueue(sent === 1 ? Buffer.from(BEGINS, 'latin1') : piece)
    },
  })
  expect(await receive(body)).toMatchObject({ code: 'upload_no_room' })
  expect(sent).toBeLessThan(100)
  expect(await files()).toEqual([])
})

test('of three uploads the one that was used least recently gives way, never one in use', async () => {
  const [first, second] = [await received(BEGINS), await received(BEGINS)]
  const inUse = used(first.id)
  await timers.advance(MINUTE)
  const third = await received(BEGINS)
  expect(uploads.use(second.id)).toEqual({ code: 'upload_gone' })
  expect(await files()).toEqual([`${first.id}.sqlite`, `${third.id}.sqlite`])
  await inUse.giveBack(false)
})

test('an upload is removed after an hour without use', async () => {
  const { id } = await received(BEGINS)
  await timers.advance(59 * MINUTE)
  const upload = used(id)
  await timers.advance(600 * MINUTE)
  await upload.giveBack(false)
  await timers.advance(59 * MINUTE)
  expect(await files()).toHaveLength(1)
  await timers.advance(2 * MINUTE)
  await untilIdle()
  await expect.poll(files).toEqual([])
  expect(uploads.use(id)).toEqual({ code: 'upload_gone' })
})

test('an upload that has been imported is removed', async () => {
  const { id } = await received(BEGINS)
  const upload = used(id)
  await upload.giveBack(true)
  await upload.giveBack(true)
  expect(await files()).toEqual([])
  expect(uploads.use(id)).toEqual({ code: 'upload_gone' })
})

test('what a process left behind an hour ago is removed at the next start, and everything of its own at the stop', async () => {
  await mkdir(directory, { recursive: true })
  const left = join(directory, `${'a'.repeat(32)}.sqlite`)
  await writeFile(left, BEGINS)
  await utimes(left, timers.now() / 1_000 - 3_600, timers.now() / 1_000 - 3_600)
  await writeFile(join(directory, 'copy-of-another'), BEGINS)
  uploads = await open()
  expect(await files()).toEqual(['copy-of-another'])
  await received(BEGINS)
  await uploads.close()
  expect(await files()).toEqual(['copy-of-another'])
})

test('a gateway that shares the folder can use an upload, which stays as long as one of them does', async () => {
  const { id } = await received(BEGINS)
  const other = await open()
  const upload = other.use(id)
  if (isRefusal(upload)) throw new Error(upload.code)
  expect(upload).toMatchObject({ file: join(directory, `${id}.sqlite`), label: id })
  for (let step = 0; step < 5; step++) {
    await timers.advance(30 * MINUTE)
    await expect.poll(async () => (await stat(upload.file)).mtimeMs).toBe(timers.now())
  }
  await uploads.close()
  expect(await files()).toHaveLength(1)
  await upload.giveBack(true)
  expect(await files()).toEqual([])
  expect(uploads.use(id)).toEqual({ code: 'upload_gone' })
  expect(uploads.use(`../${id}`)).toEqual({ code: 'upload_gone' })
  await other.close()
})
