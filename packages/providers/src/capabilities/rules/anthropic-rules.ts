import { LOW_TO_HIGH, LOW_TO_MAX, type VendorRules } from './capability-rule.ts'

const BUDGETED = { sampling: 'yes', topK: true, stop: true, thinking: 'budget', vision: true } as const
const ADAPTIVE = {
  sampling: 'no',
  stop: true,
  thinking: 'adaptive',
  efforts: LOW_TO_MAX,
  prefill: false,
  vision: true,
} as const

export const ANTHROPIC_RULES: VendorRules = {
  vendor: 'Anthropic',
  sources:
    'Anthropic: migration guides, effort, extended and adaptive thinking, structured outputs; AWS: adaptive thinking',
  rules: [
    { models: /^claude-(2|instant)/, sampling: 'yes', topK: true, stop: true, schemas: false },
    { models: /^claude-opus-4-5/, ...BUDGETED, efforts: LOW_TO_HIGH },
    { models: /^claude-(sonnet|haiku)-4-5/, ...BUDGETED },
    { models: /^claude-opus-4-1/, ...BUDGETED },
    {
      models: /^claude-(3-7|(opus|sonnet|haiku)-4(@|-0|-20|$))/,
      ...BUDGETED,
      schemas: false,
      source: 'structured outputs are for Claude 4.5 and later, and Opus 4.1',
    },
    { models: /^claude-3/, sampling: 'yes', topK: true, stop: true, schemas: false, vision: true },
    {
      models: /^claude-(opus|sonnet)-4-6/,
      ...BUDGETED,
      thinking: 'adaptive',
      efforts: [...LOW_TO_HIGH, 'max'],
      prefill: false,
      source: 'What’s new in Claude 4.6: prefilling returns 400, budgets are deprecated',
    },
    {
      models: /^claude-opus-4-[789]/,
      ...ADAPTIVE,
      source: 'Migrating to Claude Opus 4.7: no sampling, adaptive thinking only, xhigh',
    },
    {
      models: /^claude-(opus|sonnet)-5(?!-[5-9])/,
      ...ADAPTIVE,
      thinksUnasked: true,
      source:
        'Migrating to Claude Opus 5, to Claude Sonnet 5: thinking is on by default and can be disabled up to high effort',
    },
    {
      models: /^claude-sonnet-5-[5-9]/,
      ...ADAPTIVE,
      thinksUnasked: true,
      thinkingOff: 'between_tools',
      forcedCalls: 'refused',
      source: 'What’s new in Claude Sonnet 5.5: between_tools in place of disabled, forced tool use returns an error',
    },
    {
      models: /^claude-opus-5-[5-9]/,
      ...ADAPTIVE,
      thinksUnasked: true,
      thinkingOff: 'refused',
      forcedCalls: 'refused',
      source: 'What’s new in Claude Opus 5.5: thinking can’t be disabled, forced tool use returns an error',
    },
    {
      models: /^claude-(fable|mythos)-\d+-[1-9]/,
      ...ADAPTIVE,
      thinksUnasked: true,
      thinkingOff: 'refused',
      forcedCalls: 'refused',
      source: 'What’s new in Claude Opus 5.5: the same holds for Claude Fable 5.1',
    },
    {
      models: /^claude-(fable|mythos)/,
      ...ADAPTIVE,
      thinksUnasked: true,
      thinkingOff: 'refused',
      source: 'Migrating to Claude Fable 5: disabling thinking or setting a budget returns 400',
    },
    { models: /^claude-/, ...ADAPTIVE },
  ],
}
