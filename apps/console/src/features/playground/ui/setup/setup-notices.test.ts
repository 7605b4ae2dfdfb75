import { describe, expect, it } from 'vitest'
import { setupProblem } from './setup-notices.tsx'

const WELL = {
  tokens: 'ready',
  hasToken: true,
  models: 'ready',
  offered: 3,
  matching: 3,
  channel: undefined,
  tokenReplaced: false,
  linkModelMissing: '',
} as const

describe('a problem with the setup', () => {
  it.each([
    ['nothing', {}, undefined],
    ['tokens that could not be loaded', { tokens: 'failed', models: 'failed' }, { kind: 'tokens-failed' }],
    ['nothing yet while tokens are on their way', { tokens: 'loading', hasToken: false }, undefined],
    ['no usable token', { hasToken: false, offered: 0 }, { kind: 'no-tokens' }],
    ['models that could not be loaded', { models: 'failed', offered: 0 }, { kind: 'models-failed' }],
    ['nothing yet while models are on their way', { models: 'loading', offered: 0, matching: 0 }, undefined],
    ['a token without models', { offered: 0, matching: 0, channel: 'eu' }, { kind: 'no-models' }],
    ['a channel without models', { matching: 0, channel: 'eu' }, { kind: 'no-match', channel: 'eu' }],
    ['another token than was chosen', { tokenReplaced: true, linkModelMissing: 'x' }, { kind: 'other-token' }],
    ['a model of a link', { linkModelMissing: 'x' }, { kind: 'link-model', model: 'x' }],
  ] as const)('is %s', (_, facts, problem) => {
    expect(setupProblem({ ...WELL, ...facts })).toEqual(problem)
  })
})
