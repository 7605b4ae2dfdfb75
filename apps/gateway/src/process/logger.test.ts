import { expect, test } from 'vitest'
import { createLog } from './logger.ts'

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('debug', { write: (line) => void lines.push(line) }))
  return lines.join('')
}

test('a line has its level, its fields and its sentence', () => {
  const line = logged((log) => log.warn({ requestId: 'r1', channel: 7 }, 'a channel failed'))
  expect(JSON.parse(line)).toMatchObject({ level: 'warn', requestId: 'r1', channel: 7, msg: 'a channel failed' })
})

test('fields that could hold a secret are removed, should any ever be written', () => {
  const secret = 'canary'
  const line = logged((log) => {
    log.info({ key: secret, authorization: secret, headers: { a: secret }, channel: { key: secret } }, 'x')
    log.info({ password: secret, cookie: secret, token: secret, body: secret, request: { prompt: secret } }, 'x')
  })
  expect(line).not.toContain(secret)
})

test('of an error, only name, code, message and stack are written', () => {
  const error = Object.assign(new Error('it failed'), {
    code: '23505',
    detail: 'Key (name)=(canary) exists',
    query: 'canary',
  })
  const line = logged((log) => log.error({ error }, 'x'))
  expect(line).toContain('it failed')
  expect(line).toContain('23505')
  expect(line).not.toContain('canary')
})

test('lines below the level are not written', () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  log.info({}, 'x')
  log.warn({}, 'y')
  expect(lines).toHaveLength(1)
})
