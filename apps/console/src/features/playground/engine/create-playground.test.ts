import { describe, expect, it } from 'vitest'
import { type ChatMessage, type Conversation, newConversation } from '../model/message.ts'
import { createManualPlayground, BROKEN, COMPLETE, SETUP, settled } from './manual-playground.ts'

describe('a question', () => {
  it('is appended, then its reply arrives in an empty row and stays there', { tags: ['C4.10', 'C4.11'] }, async () => {
    const { playground, last, drawFrame, tick, shows, saved } = createManualPlayground()
    expect(playground.send('Hi', SETUP)).toBe(true)
    expect(shows()).toEqual(['user: Hi'])
    const live = playground.get().columns[0]?.live
    expect([playground.get().busy, live?.get()]).toEqual([
      true,
      { text: '', reasoning: '', startedAt: 1_000, model: 'm-1' },
    ])

    tick(40)
    last().say('requestId', 'r-1')
    last().say('reasoning', 'Let me ')
    last().say('reasoning', 'see.')
    last().say('text', 'Hel')
    drawFrame()
    expect(live?.get()).toMatchObject({ text: 'Hel', reasoning: 'Let me see.' })
    last().say('text', 'lo')
    drawFrame()
    expect(live?.get().text).toBe('Hello')

    tick(60)
    await last().end(COMPLETE)
    const { busy, columns, conversation } = playground.get()
    expect([busy, columns]).toEqual([false, [{ live: undefined }]])
    expect(conversation.messages[1]).toEqual({
      id: expect.any(String),
      parent: conversation.messages[0]?.id,
      role: 'assistant',
      content: 'Hello',
      reasoning_content: 'Let me see.',
      model: 'm-1',
      timestamp: 1_100,
      figures: { requestId: 'r-1', firstTokenMs: 40, totalMs: 100, finish: 'stop' },
    })
    expect(saved.get(conversation.id)).toBe(conversation)
  })

  it('is sent with the key of the token, after all messages that are shown', { tags: 'C6.4' }, async () => {
    const { playground, last } = createManualPlayground()
    playground.send('One', SETUP)
    last().say('text', 'First')
    await last().end(COMPLETE)
    playground.send('Two', { ...SETUP, key: 'sk-other' })
    expect(last().question.key).toBe('sk-other')
    expect(last().question.body['messages']).toEqual([
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'First' },
      { role: 'user', content: 'Two' },
    ])
  })

  it('is refused while a reply is arriving', { tags: ['C4.12', 'C5.7'] }, () => {
    const { playground, questions, shows } = createManualPlayground()
    playground.send('One', SETUP)
    expect(playground.send('Two', SETUP)).toBe(false)
    expect(questions).toHaveLength(1)
    expect(shows()).toEqual(['user: One'])
  })

  it.each([
    ['text or picture', ' \n', SETUP],
    ['a token', 'Hi', { ...SETUP, key: '' }],
    ['a model', 'Hi', { ...SETUP, models: [''] }],
  ])('needs %s', { tags: 'C5.7' }, (_, text, setup) => {
    const { playground, questions, shows } = createManualPlayground()
    expect(playground.send(text, setup)).toBe(false)
    expect([questions, shows()]).toEqual([[], []])
  })

  it('can consist of a picture alone', { tags: 'C5.7' }, () => {
    const { playground } = createManualPlayground()
    const picture = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] as const
    expect(playground.send([...picture], SETUP)).toBe(true)
  })
})

describe('a reply that is arriving', () => {
  it('is drawn once per frame, however many pieces arrive, and not after its end', async () => {
    const { playground, last, drawFrame, frames, saves } = createManualPlayground()
    playground.send('Hi', SETUP)
    const stored = saves()
    let drawn = 0
    let changed = 0
    playground.get().columns[0]?.live?.subscribe(() => (drawn += 1))
    playground.subscribe(() => (changed += 1))
    for (let piece = 0; piece < 500; piece += 1) last().say('text', 'x')
    expect([drawn, frames.size]).toEqual([0, 1])
    drawFrame()
    expect([drawn, changed, saves()]).toEqual([1, 0, stored])
    last().say('text', 'x')
    await last().end(COMPLETE)
    drawFrame()
    expect([drawn, changed, frames.size]).toEqual([1, 1, 0])
    expect(playground.get().conversation.messages.at(-1)?.content).toHaveLength(501)
  })

  it('is ended by Stop: the call is aborted, its row removed, and the user notified', { tags: 'C4.14' }, async () => {
    const { playground, last, notes, shows, saved } = createManualPlayground()
    playground.send('Hi', SETUP)
    last().say('text', 'Hel')
    playground.stop()
    expect(last().signal.aborted).toBe(true)
    expect(notes).toEqual([{ kind: 'cancelled', text: '' }])
    expect([playground.get().busy, playground.get().columns]).toEqual([false, [{ live: undefined }]])
    last().say('text', 'lo')
    await last().end({ kind: 'aborted' })
    expect(shows()).toEqual(['user: Hi'])
    expect([...saved.values()][0]?.messages).toHaveLength(1)
    playground.stop()
    expect(notes).toHaveLength(1)
  })

  it(
    'leaves an error in its place when it fails, with what had arrived, and notifies the user',
    { tags: 'C4.15' },
    async () => {
      const { playground, last, notes, shows } = createManualPlayground()
      playground.send('Hi', SETUP)
      last().say('reasoning', 'Let me see.')
      last().say('text', 'Hel')
      await last().end(BROKEN)
      const text = 'The connection was lost before the reply was complete.'
      expect(shows()).toEqual(['user: Hi', `error: ${text}`])
      expect(playground.get().conversation.messages[1]).toMatchObject({
        error: true,
        arrived: 'Hel',
        reasoning_content: 'Let me see.',
        model: 'm-1',
      })
      expect(notes).toEqual([{ kind: 'failed', text }])
      expect(playground.get().busy).toBe(false)
    },
  )

  it('keeps its question from being removed, and its branch visible', async () => {
    const { playground, last, shows, idAt } = createManualPlayground()
    playground.send('Hi', SETUP)
    await last().end(COMPLETE)
    const first = idAt(1)
    playground.regenerate(0, first, SETUP)
    playground.remove(idAt(0))
    playground.showBranch(0, first)
    expect(shows()).toEqual(['user: Hi'])
    last().say('text', 'Again')
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: Hi', 'assistant: Again'])
  })
})

describe('another reply', () => {
  async function answered() {
    const bench = createManualPlayground()
    for (const question of ['One', 'Two']) {
      bench.playground.send(question, SETUP)
      bench.last().say('text', `To ${question}`)
      await bench.last().end(COMPLETE)
    }
    return bench
  }

  it('answers the nearest question before the old one, as a branch next to it', { tags: 'C4.16' }, async () => {
    const { playground, last, shows, idAt } = await answered()
    const old = idAt(1)
    playground.regenerate(0, old, SETUP)
    expect(shows()).toEqual(['user: One'])
    expect(last().question.body['messages']).toEqual([{ role: 'user', content: 'One' }])
    last().say('text', 'Else')
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: One', 'assistant: Else'])
    playground.showBranch(0, old)
    expect(shows()).toEqual(['user: One', 'assistant: To One', 'user: Two', 'assistant: To Two'])
  })

  it('skips messages that are not questions', { tags: 'C4.16' }, async () => {
    const { playground, last, idAt, shows } = await answered()
    playground.remove(idAt(2))
    playground.regenerate(0, idAt(2), SETUP)
    expect(shows()).toEqual(['user: One'])
    expect(last().question.body['messages']).toEqual([{ role: 'user', content: 'One' }])
  })

  it(
    'is refused for a question, for a reply without one, for nothing, and while one is arriving',
    { tags: 'C4.16' },
    async () => {
      const { playground, questions, idAt } = await answered()
      playground.regenerate(0, idAt(0), SETUP)
      playground.regenerate(0, 'gone', SETUP)
      playground.regenerate(0, idAt(1), { ...SETUP, key: '' })
      playground.remove(idAt(0))
      playground.regenerate(0, idAt(0), SETUP)
      expect(questions).toHaveLength(2)
      playground.regenerate(0, idAt(2), SETUP)
      playground.regenerate(0, idAt(2), SETUP)
      playground.regenerate(0, idAt(0), SETUP)
      expect(questions).toHaveLength(3)
    },
  )

  it('can replace an error', { tags: 'C4.17' }, async () => {
    const { playground, last, shows, idAt } = createManualPlayground()
    playground.send('Hi', SETUP)
    await last().end({ kind: 'failed', failure: { kind: 'unsent' } })
    expect(shows()).toEqual(['user: Hi', 'error: Failed to send message'])
    playground.regenerate(0, idAt(1), SETUP)
    await last().end({ kind: 'failed', failure: { kind: 'unsent' } })
    expect(shows()).toEqual(['user: Hi', 'error: Failed to regenerate message'])
    playground.regenerate(0, idAt(1), SETUP)
    last().say('text', 'Hello')
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: Hi', 'assistant: Hello'])
  })

  it('leaves the old one visible when it is stopped, unless that was removed meanwhile', async () => {
    const { playground, idAt, shows } = await answered()
    playground.regenerate(0, idAt(1), SETUP)
    playground.stop()
    expect(shows()).toHaveLength(4)
    const reply = idAt(3)
    playground.regenerate(0, reply, SETUP)
    playground.remove(reply)
    playground.stop()
    expect(shows()).toEqual(['user: One', 'assistant: To One', 'user: Two'])
  })
})

describe('a changed question', () => {
  it('is asked as a branch next to the old one', async () => {
    const { playground, last, shows, idAt } = createManualPlayground()
    playground.send('Hi', SETUP)
    last().say('text', 'Hello')
    await last().end(COMPLETE)
    const [question, reply] = [idAt(0), idAt(1)]
    playground.editAndSend(0, reply, 'No question', SETUP)
    playground.editAndSend(0, question, ' ', SETUP)
    expect(playground.get().busy).toBe(false)
    playground.editAndSend(0, question, 'Hi there', SETUP)
    expect(last().question.body['messages']).toEqual([{ role: 'user', content: 'Hi there' }])
    last().say('text', 'Hello there')
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: Hi there', 'assistant: Hello there'])
    playground.showBranch(0, question)
    expect(shows()).toEqual(['user: Hi', 'assistant: Hello'])
  })

  it('replaces content and time without being asked again', { tags: 'C4.20' }, async () => {
    const { playground, questions, idAt, tick, saved } = createManualPlayground()
    playground.send('Hi', SETUP)
    tick(500)
    playground.edit(idAt(0), 'Hi there')
    playground.edit('gone', 'Nothing')
    const { conversation } = playground.get()
    expect(conversation.messages).toMatchObject([{ content: 'Hi there', timestamp: 1_500 }])
    expect(saved.get(conversation.id)).toBe(conversation)
    expect(questions).toHaveLength(1)
    await settled()
  })
})

const COST = { promptTokens: 8, completionTokens: 16, cost: '40' }
const figuresOf = ({ messages }: Conversation) => messages.map(({ figures }) => figures?.cost)

function reply(number: number, cost?: string): ChatMessage {
  const figures = { requestId: `r-${number}`, totalMs: 1, ...(cost === undefined ? {} : { cost }) }
  const at = { id: `a-${number}`, parent: number === 0 ? null : `a-${number - 1}`, timestamp: 1 }
  return { ...at, role: 'assistant', content: 'x', reasoning_content: null, figures }
}
const talkOf = (messages: readonly ChatMessage[]): Conversation => ({
  ...newConversation({ id: 'talk', timestamp: 1, createdBy: 'ann' }, 1),
  messages: [...messages],
  leaves: [messages.at(-1)?.id ?? null],
})

describe('what a reply cost', () => {
  it('is looked up after its end and stored with it', async () => {
    const { playground, last, costs, saved, soughtCosts } = createManualPlayground()
    costs.set('r-1', COST)
    playground.send('Hi', SETUP)
    last().say('requestId', 'r-1')
    last().say('text', 'Hello')
    await last().end(COMPLETE)
    await settled()
    expect(soughtCosts).toMatchObject([{ isFresh: true }])
    const { conversation } = playground.get()
    expect(conversation.messages[1]?.figures).toMatchObject({ requestId: 'r-1', totalMs: 0, ...COST })
    expect(saved.get(conversation.id)).toBe(conversation)
  })

  it('is not looked up for a reply that never began', async () => {
    const { playground, last, soughtCosts } = createManualPlayground()
    playground.send('Hi', SETUP)
    await last().end({ kind: 'failed', failure: { kind: 'unsent' } })
    expect(soughtCosts).toEqual([])
  })

  it('is looked up for the newest replies of a conversation that lack it, each once', async () => {
    const messages = Array.from({ length: 12 }, (_, number) => reply(number, number === 11 ? '7' : undefined))
    const { playground, soughtCosts, costs } = createManualPlayground(talkOf(messages))
    costs.set('r-10', COST)
    playground.open(playground.get().conversation)
    expect(soughtCosts.map(({ requestId }) => requestId)).toEqual([
      'r-3',
      'r-4',
      'r-5',
      'r-6',
      'r-7',
      'r-8',
      'r-9',
      'r-10',
    ])
    await settled()
    expect(figuresOf(playground.get().conversation).slice(-2)).toEqual(['40', '7'])
  })

  it('is dropped for another conversation, or once the page is left', async () => {
    const { playground, soughtCosts, costs, saves } = createManualPlayground(talkOf([reply(0)]))
    costs.set('r-0', COST)
    playground.begin()
    await settled()
    expect(saves()).toBe(0)
    playground.open(talkOf([reply(0)]))
    playground.leave()
    await settled()
    expect([soughtCosts.at(-1)?.signal.aborted, saves(), figuresOf(playground.get().conversation)]).toEqual([
      true,
      0,
      [undefined],
    ])
  })
})
