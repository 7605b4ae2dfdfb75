import { describe, expect, it } from 'vitest'
import { createManualPlayground, BROKEN, COMPLETE, SETUP } from './manual-playground.ts'

async function compared() {
  const bench = createManualPlayground()
  bench.playground.compare(2)
  bench.playground.send('Hi', SETUP)
  for (const [column, text] of ['First', 'Second'].entries()) {
    bench.questions[column]?.say('text', text)
    await bench.questions[column]?.end(COMPLETE)
  }
  return bench
}

describe('Stop', () => {
  it.each([
    ['before anything arrived', () => {}],
    ['as the answer begins', (say: (kind: 'requestId' | 'text', text: string) => void) => say('requestId', 'r-1')],
    ['as the first text arrives', (say: (kind: 'requestId' | 'text', text: string) => void) => say('text', 'H')],
  ])('%s removes the reply and leaves no frame to draw', async (_, arrive) => {
    const { playground, last, notes, shows, frames, soughtCosts } = createManualPlayground()
    playground.send('Hi', SETUP)
    arrive(last().say)
    playground.stop()
    last().say('text', 'ello')
    expect(frames.size).toBe(0)
    await last().end({ kind: 'aborted' })
    expect([shows(), notes, soughtCosts]).toEqual([['user: Hi'], [{ kind: 'cancelled', text: '' }], []])
    expect(playground.send('Again', SETUP)).toBe(true)
  })

  it.each([COMPLETE, BROKEN])('takes precedence over an end at the same moment: %o', async (how) => {
    const { playground, last, notes, shows } = createManualPlayground()
    playground.send('Hi', SETUP)
    last().say('text', 'Hello')
    const end = last().end(how)
    playground.stop()
    await end
    expect([shows(), notes]).toEqual([['user: Hi'], [{ kind: 'cancelled', text: '' }]])
  })

  it('leaves the other column’s complete reply', async () => {
    const { playground, questions, shows } = createManualPlayground()
    playground.compare(2)
    playground.send('Hi', SETUP)
    questions[0]?.say('text', 'First')
    await questions[0]?.end(COMPLETE)
    questions[1]?.say('text', 'Sec')
    playground.stop()
    expect([shows(0), shows(1)]).toEqual([['user: Hi', 'assistant: First'], ['user: Hi']])
    expect(questions[0]?.signal.aborted).toBe(false)
  })
})

describe('another reply while two models are compared', () => {
  it('is requested for that column alone, and leaves the other as it is', async () => {
    const { playground, questions, last, shows, idAt } = await compared()
    playground.regenerate(1, idAt(1, 1), SETUP)
    expect(questions).toHaveLength(3)
    expect(last().question.body['model']).toBe('m-2')
    expect(playground.get().columns.map(({ live }) => live === undefined)).toEqual([true, false])
    expect(shows(0)).toEqual(['user: Hi', 'assistant: First'])
    last().say('text', 'Other')
    await last().end(COMPLETE)
    expect([shows(0).at(-1), shows(1).at(-1)]).toEqual(['assistant: First', 'assistant: Other'])
  })

  it('leaves what both showed when it is stopped', async () => {
    const { playground, shows, idAt } = await compared()
    playground.regenerate(0, idAt(1, 0), SETUP)
    playground.stop()
    expect([shows(0).at(-1), shows(1).at(-1)]).toEqual(['assistant: First', 'assistant: Second'])
  })

  it('is not brought into the other column when it is removed', async () => {
    const { playground, shows, idAt } = await compared()
    playground.remove(idAt(1, 0))
    expect([shows(0), shows(1)]).toEqual([['user: Hi'], ['user: Hi', 'assistant: Second']])
  })
})

describe('a change while a reply is arriving', () => {
  it('of an earlier message stays, and does not change the request', async () => {
    const { playground, last, shows, idAt } = createManualPlayground()
    playground.send('One', SETUP)
    last().say('text', 'First')
    await last().end(COMPLETE)
    playground.send('Two', SETUP)
    playground.edit(idAt(0), 'Uno')
    playground.edit(idAt(2), 'Due')
    expect(last().question.body['messages']).toContainEqual({ role: 'user', content: 'One' })
    last().say('text', 'Second')
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: Uno', 'assistant: First', 'user: Due', 'assistant: Second'])
  })

  it('that removes what came before its question still lets the reply arrive', async () => {
    const { playground, last, shows, idAt } = createManualPlayground()
    playground.send('One', SETUP)
    last().say('text', 'First')
    await last().end(COMPLETE)
    playground.send('Two', SETUP)
    playground.remove(idAt(1))
    playground.remove(idAt(0))
    last().say('text', 'Second')
    await last().end(COMPLETE)
    expect(shows()).toEqual(['user: Two', 'assistant: Second'])
  })

  it('of token and model takes effect with the next question', async () => {
    const { playground, last, shows } = createManualPlayground()
    const other = { ...SETUP, key: 'sk-other', models: ['m-9'] }
    playground.send('One', SETUP)
    expect(playground.send('Two', other)).toBe(false)
    last().say('text', 'First')
    await last().end(COMPLETE)
    expect(playground.get().conversation.messages[1]).toMatchObject({ model: 'm-1' })
    playground.send('Two', other)
    expect([last().question.key, last().question.body['model']]).toEqual(['sk-other', 'm-9'])
    expect(shows().at(-1)).toBe('user: Two')
  })
})

describe('removing a message that several versions follow', () => {
  it('leaves every version reachable', async () => {
    const { playground, last, shows, idAt } = createManualPlayground()
    playground.send('Hi', SETUP)
    last().say('text', 'Old')
    await last().end(COMPLETE)
    const old = idAt(1)
    playground.regenerate(0, old, SETUP)
    last().say('text', 'New')
    await last().end(COMPLETE)
    playground.remove(idAt(0))
    expect(shows()).toEqual(['assistant: New'])
    playground.showBranch(0, old)
    expect(shows()).toEqual(['assistant: Old'])
  })
})
