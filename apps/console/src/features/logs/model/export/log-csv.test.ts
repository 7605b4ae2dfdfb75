import type { Log } from '@sluice/contract/log'
import { describe, expect, it } from 'vitest'
import { csvFileName, logCsv } from './log-csv.ts'

const row: Log = {
  id: 1,
  created_at: new Date(2026, 10, 20, 14, 5, 9).getTime() / 1_000,
  type: 2,
  user_id: 1,
  username: 'alice',
  token_name: 'ci',
  model_name: 'gpt-5',
  origin_model_name: 'gpt-5',
  quota: 1_751.7,
  prompt_tokens: 100,
  completion_tokens: 20,
  cached_prompt_tokens: 50,
  cached_completion_tokens: 3,
  channel: 4,
  channel_name: 'main',
  request_id: 'r',
  trace_id: 't',
  elapsed_time: 850,
  is_stream: true,
  content: 'ratio 2.5, "completion" 4',
  metadata: { cache_write_tokens: { ephemeral_5m: 7, ephemeral_1h: 8 } },
}
const typeName = () => 'Consume'

describe('the CSV of logs', () => {
  it('has exactly the columns of the specification, in order', { tags: 'B9.11' }, () => {
    expect(logCsv([], typeName)).toBe(
      'Time,Type,Model,Token,Username,Quota,Prompt Tokens,Completion Tokens,Cached Prompt Tokens,' +
        'Cached Completion Tokens,Cache Write 5m Tokens,Cache Write 1h Tokens,Latency,Content\r\n',
    )
  })

  it('writes one row per log, values under their columns', { tags: 'B3.1' }, () => {
    expect(logCsv([row], typeName).split('\r\n')[1]).toBe(
      '2026-11-20 14:05:09,Consume,gpt-5,ci,alice,1751.7,100,20,50,3,7,8,850,"ratio 2.5, ""completion"" 4"',
    )
  })

  it('writes zero for caches that were not written to', () => {
    expect(logCsv([{ ...row, metadata: {}, content: '' }], typeName).split('\r\n')[1]).toMatch(/,50,3,0,0,850,$/)
  })

  it('keeps spreadsheets from running names that users chose', { tags: 'S35' }, () => {
    const hostile = { ...row, token_name: '=cmd|calc', username: '@SUM(1)', content: '+1' }
    expect(logCsv([hostile], typeName).split('\r\n')[1]).toMatch(/,'=cmd\|calc,'@SUM\(1\),.*,'\+1$/)
  })

  it('is named after the day of the browser', () => {
    expect(csvFileName(new Date(2026, 0, 5, 23, 59))).toBe('logs_2026-01-05.csv')
  })
})
