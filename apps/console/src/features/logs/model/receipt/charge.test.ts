import type { Log } from '@sluice/contract/log'
import { describe, expect, it } from 'vitest'
import { tokenCounts, rowText } from './charge.ts'

describe('the text of a row', () => {
  it('of a charge gives its price, then what was not sent to the provider', () => {
    expect(rowText('model ratio 1, completion ratio 2, group ratio 1; seed dropped, stop[4] dropped')).toEqual({
      text: 'model ratio 1, completion ratio 2, group ratio 1',
      isPrice: true,
      losses: ['seed dropped', 'stop[4] dropped'],
    })
    expect(rowText('model ratio 1, group ratio 1').losses).toEqual([])
  })

  it('of other rows is left as it is', () => {
    expect(rowText('User ann enabled; by root, today')).toEqual({
      text: 'User ann enabled; by root, today',
      isPrice: false,
      losses: [],
    })
  })
})

const row: Log = {
  id: 1,
  created_at: 0,
  type: 2,
  user_id: 1,
  username: '',
  token_name: '',
  model_name: '',
  origin_model_name: '',
  quota: 0,
  prompt_tokens: 10,
  completion_tokens: 0,
  cached_prompt_tokens: 0,
  cached_completion_tokens: 0,
  channel: 0,
  channel_name: '',
  request_id: '',
  trace_id: '',
  elapsed_time: 0,
  is_stream: false,
  content: '',
  metadata: {},
}

describe('tokens of a charge', () => {
  it('always names prompt and completion', () => {
    expect(tokenCounts(row)).toEqual([
      { name: 'prompt', tokens: 10 },
      { name: 'completion', tokens: 0 },
    ])
  })

  it('names every other class that has tokens', () => {
    const full = {
      ...row,
      cached_prompt_tokens: 1,
      cached_completion_tokens: 2,
      metadata: { cache_write_tokens: { ephemeral_5m: 3, ephemeral_1h: 4 }, reasoning_tokens: 5 },
    }
    expect(tokenCounts(full).map(({ name, tokens }) => [name, tokens])).toEqual([
      ['prompt', 10],
      ['cachedPrompt', 1],
      ['cacheWrite5m', 3],
      ['cacheWrite1h', 4],
      ['completion', 0],
      ['cachedCompletion', 2],
      ['reasoning', 5],
    ])
  })
})
