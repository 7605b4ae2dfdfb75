import { describe, expect, test } from 'vitest'
import { isBodyRefusal } from './body-refusal.ts'
import { nameModel, nameModelInForm } from './name-model.ts'
import { splice } from './splice/splice.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function spliced(body: string, splices: ReturnType<typeof nameModel>): unknown {
  return isBodyRefusal(splices) ? splices : Buffer.concat([...splice(bytes(body), splices)]).toString()
}

describe('a JSON body', () => {
  const named = (body: string, model = 'm"1') => spliced(body, nameModel(bytes(body), model))

  test.each([
    ['{"model":"other","n":1}', '{"model":"m\\"1","n":1}'],
    ['{"n":1,"mod\\u0065l" : {"a":[1]} }', '{"n":1,"mod\\u0065l" : "m\\"1" }'],
    ['{"n":1}', '{"model":"m\\"1","n":1}'],
    [' { } ', ' {"model":"m\\"1" } '],
    ['{"model":"m\\u00221"}', '{"model":"m\\u00221"}'],
  ])('%s names the model', (body, expected) => {
    expect(named(body)).toBe(expected)
  })

  test('that another reader could read differently is refused', () => {
    expect(named('{"model":"a","mod\\u0065l":"b"}')).toMatchObject({ code: 'duplicate_key', field: 'model' })
    expect(named('{"model":"a","MODEL":"b"}')).toMatchObject({ code: 'invalid_body', field: 'model' })
    expect(named('{"model":')).toMatchObject({ code: 'invalid_json' })
    expect(named('[]')).toMatchObject({ code: 'invalid_body' })
  })
})

describe('a form', () => {
  const part = (name: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
  const named = (body: string) => spliced(body, nameModelInForm(bytes(body), 'b', 'm1'))

  test('names the model once, wherever it stood', () => {
    const file = part('file', 'sound')
    expect(named(`${file}${part('model', 'other')}--b--\r\n`)).toBe(`${file}${part('model', 'm1')}--b--\r\n`)
    expect(named(`${file}--b--\r\n`)).toBe(`${part('model', 'm1')}${file}--b--\r\n`)
    expect(nameModelInForm(bytes(`${part('model', 'm1')}--b--\r\n`), 'b', 'm1')).toEqual([])
  })

  test('that another reader could read differently is refused', () => {
    expect(named(`${part('model', 'a')}${part('model', 'b')}--b--\r\n`)).toMatchObject({ field: 'model' })
    expect(named(`${part('Model', 'b')}--b--\r\n`)).toMatchObject({ code: 'invalid_body', field: 'model' })
    expect(named(part('file', 'cut'))).toMatchObject({ code: 'invalid_body', field: 'body' })
  })
})
