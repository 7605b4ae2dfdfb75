// @module-tag slow
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AnswerEncoder, type Encoded, isInexpressible, type UpstreamCodec } from '../src/canon/codec.ts'
import type { ContentEvent, StartEvent } from '../src/canon/events.ts'
import { asObject, type JsonObject } from '../src/json-value.ts'
import {
  type AnswerLaw,
  sameBytesTwice,
  streamIsInOrder,
  streamSaysTheEvents,
  tokensAreReported,
  wholeSaysTheEvents,
} from './answer-laws.ts'
import { answers } from './arbitrary/answers.ts'
import { anyRequests, requests } from './arbitrary/requests.ts'
import { CLIENT_DIALECTS, type ClientDialect } from './client-dialects.ts'
import { nothingIsLostInSilence, requestComesBack } from './request-laws.ts'

/** A law that never fails proves nothing: mistakes are planted in correct codecs, and the law meant for each must find it. */
const dialects = CLIENT_DIALECTS.map((spoken) => ({ spoken, dialect: spoken.dialect }))

type Event = StartEvent | ContentEvent
type Plant = (spoken: ClientDialect) => ClientDialect

function hearing(change: (event: Event, at: number) => readonly Event[]): Plant {
  return (spoken) => {
    const openEncoder: ClientDialect['client']['openEncoder'] = (context) => {
      const encoder: AnswerEncoder = spoken.client.openEncoder(context)
      let at = 0
      return {
        push: (event) => change(event, at++).flatMap((given) => encoder.push(given)),
        finish: (finish, usage) => encoder.finish(finish, usage),
      }
    }
    return { ...spoken, client: { ...spoken.client, openEncoder } }
  }
}

function ending(change: (...end: Parameters<AnswerEncoder['finish']>) => Parameters<AnswerEncoder['finish']>): Plant {
  return (spoken) => ({
    ...spoken,
    client: {
      ...spoken.client,
      openEncoder(context) {
        const encoder = spoken.client.openEncoder(context)
        return {
          push: (event) => encoder.push(event),
          finish: (finish, usage) => encoder.finish(...change(finish, usage)),
        }
      },
    },
  })
}

let translated = 0
const ANSWERS: readonly (readonly [mistake: string, plant: Plant, law: AnswerLaw])[] = [
  [
    'a piece of text is left out',
    hearing((event, at) => (event.type === 'text' && at > 2 ? [] : [event])),
    streamSaysTheEvents,
  ],
  [
    'arguments are told twice',
    hearing((event) => (event.type === 'tool-args' ? [event, event] : [event])),
    streamSaysTheEvents,
  ],
  ['a signature is dropped', hearing((event) => (event.type === 'proof' ? [] : [event])), streamSaysTheEvents],
  [
    'a call gets an id of our own',
    hearing((event) => [event.type === 'tool-start' ? { ...event, id: 'call' } : event]),
    streamSaysTheEvents,
  ],
  ['every end is a stop', ending((finish, usage) => [{ ...finish, reason: 'stop' }, usage]), streamSaysTheEvents],
  ['the usage is forgotten', ending((finish) => [finish, undefined]), tokensAreReported],
  [
    'cached tokens are counted as new ones as well',
    ending((finish, usage) => [finish, usage && { ...usage, input: usage.input + usage.cachedInput + 1 }]),
    tokensAreReported,
  ],
  [
    'something that was not said before',
    hearing((event) => [event.type === 'text' ? { ...event, delta: `${event.delta}${translated++}` } : event]),
    sameBytesTwice,
  ],
  [
    'a whole answer without its calls',
    (spoken) => ({
      ...spoken,
      client: {
        ...spoken.client,
        encodeReply: (reply, context) =>
          spoken.client.encodeReply({ ...reply, blocks: reply.blocks.filter(({ kind }) => kind !== 'tool') }, context),
      },
    }),
    wholeSaysTheEvents,
  ],
  [
    'events of two answers in one stream',
    (spoken) => ({ ...spoken, order: (frames) => spoken.order([...frames, ...frames]) }),
    streamIsInOrder,
  ],
]

test.each(ANSWERS.flatMap(([mistake, plant, law]) => dialects.map((row) => ({ ...row, mistake, plant, law }))))(
  '$dialect: $mistake',
  ({ spoken, plant, law }) => {
    const planted = plant(spoken)
    expect(() =>
      fc.assert(
        fc.property(answers(spoken.answers), (answer) => law(planted, answer)),
        { numRuns: 1_000 },
      ),
    ).toThrow('Property failed')
  },
)

function sending(codec: UpstreamCodec, change: (body: JsonObject) => JsonObject): UpstreamCodec {
  return {
    ...codec,
    encodeRequest(request, target) {
      const encoded = codec.encodeRequest(request, target)
      return isInexpressible(encoded) ? encoded : ({ ...encoded, body: change(encoded.body) } satisfies Encoded)
    },
  }
}

const withoutLast = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, -1) : value)
const CONVERSATION = ['messages', 'input', 'contents']

/** Some dialects keep instructions among the messages. */
const isInstruction = (message: unknown): boolean => /^(system|developer)$/.test(String(asObject(message)?.['role']))

function without(body: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)))
}

const REQUESTS: readonly (readonly [mistake: string, change: (body: JsonObject) => JsonObject])[] = [
  [
    'the last message is left out',
    (body) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, CONVERSATION.includes(name) ? withoutLast(value) : value]),
      ),
  ],
  ['tools are left out', (body) => without(body, 'tools')],
  [
    'instructions are left out',
    (body) => {
      const { messages } = body
      const others = without(body, 'system', 'instructions', 'systemInstruction')
      return Array.isArray(messages) ? { ...others, messages: messages.filter((one) => !isInstruction(one)) } : others
    },
  ],
]

test.each(REQUESTS.flatMap(([mistake, change]) => dialects.map((row) => ({ ...row, mistake, change }))))(
  '$dialect: $mistake',
  ({ spoken, change }) => {
    const codec = sending(spoken.upstream, change)
    const arrives = fc.property(anyRequests(codec.dialect), (request) => nothingIsLostInSilence(codec, request))
    const back = fc.property(requests(spoken.requests, codec.dialect), (request) =>
      requestComesBack({ ...spoken, upstream: codec }, request),
    )
    for (const law of [arrives, back]) expect(() => fc.assert(law, { numRuns: 1_000 })).toThrow('Property failed')
  },
)
