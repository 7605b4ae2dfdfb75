import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { type Link, openLink, type Services } from './link.ts'

const ends: MessageChannel[] = []
afterEach(() => {
  for (const { port1, port2 } of ends.splice(0)) {
    port1.close()
    port2.close()
  }
})

/** Our end of a link to these functions. `messages` counts what we have sent over it, `errors` what went wrong over there. */
function linkTo<Theirs extends Services>(theirs: Theirs) {
  const channel = new MessageChannel()
  ends.push(channel)
  const { port1, port2 } = channel
  const errors: unknown[] = []
  openLink(port2, theirs, (error) => errors.push(error))
  let messages = 0
  const port = {
    postMessage: (message: unknown) => {
      messages += 1
      port1.postMessage(message)
    },
    on: port1.on.bind(port1),
  }
  const link: Link<Theirs> = openLink<Theirs>(port, {}, () => {})
  return { link, errors, messages: () => messages }
}

describe('a call', () => {
  it('returns what the function returns, at once or later', async () => {
    const { link } = linkTo({
      double: (value: bigint) => value * 2n,
      later: (text: string) => Promise.resolve(new Map([[text, 1]])),
    })
    expect(await Promise.all([link.call('double', 4n), link.call('later', 'a')])).toEqual([8n, new Map([['a', 1]])])
  })

  it('rejects with what the function throws', async () => {
    const { link, errors } = linkTo({
      fail: () => {
        throw new RangeError('too far')
      },
      failLater: () => Promise.reject(new TypeError('wrong')),
    })
    await expect(link.call('fail')).rejects.toThrow(RangeError('too far'))
    await expect(link.call('failLater')).rejects.toThrow(TypeError('wrong'))
    expect(errors).toEqual([])
  })

  it('is made in the order of all calls, and those of one turn travel together', async () => {
    const seen: string[] = []
    const note = (text: string) => void seen.push(text)
    const { link, messages } = linkTo({ note, ask: note })
    link.tell('note', 'a')
    const asked = link.call('ask', 'b')
    link.tell('note', 'c')
    await asked
    expect([seen, messages()]).toEqual([['a', 'b', 'c'], 1])
  })

  it('takes along what was reported before it', async () => {
    const seen: string[] = []
    const note = (text: string) => void seen.push(text)
    const { link, messages } = linkTo({ note })
    link.report('note', 'a')
    link.report('note', 'b')
    await link.call('note', 'c')
    expect([seen, messages()]).toEqual([['a', 'b', 'c'], 1])
    link.report('note', 'd')
    await expect.poll(() => seen).toEqual(['a', 'b', 'c', 'd'])
    expect(messages()).toBe(2)
  })

  it('rejects when the other thread has ended, and so do later ones', async () => {
    const { link } = linkTo({ wait: () => new Promise<void>(() => {}) })
    const waiting = link.call('wait')
    link.cut()
    await expect(waiting).rejects.toThrow('has ended')
    await expect(link.call('wait')).rejects.toThrow('has ended')
  })
})

it('a message without an answer that fails is reported where it failed', async () => {
  const { link, errors } = linkTo({
    fail: () => {
      throw new Error('no')
    },
    ping: () => 'pong',
  })
  link.tell('fail')
  expect([await link.call('ping'), errors]).toEqual(['pong', [new Error('no')]])
})
