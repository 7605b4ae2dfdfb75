import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  home: 'Home',
  welcome: (name: string) => `Welcome to ${name}`,
  welcomeText: 'One address for every model. Point any OpenAI client at it and use a token as its key.',
  baseUrl: 'Base URL',
  copyBaseUrl: 'Copy base URL',
  keyHint: 'Replace the key with one of your tokens.',
  whereTo: 'Where to go',
  links: {
    token: { title: 'Create a token', text: 'A key for each program, with its own limit' },
    models: { title: 'Models and prices', text: 'What you can call, and what it costs' },
    usage: { title: 'Usage', text: 'Requests, tokens and cost, day by day' },
    logs: { title: 'Logs', text: 'Every request with its charge' },
    topup: { title: 'Top Up', text: 'Your balance and redemption codes' },
    status: { title: 'Channel Status', text: 'Which channels respond, and how fast' },
  },
  ownContent: 'Administrators can put their own content here, in Settings.',
  about: 'About',
  aboutFailed: 'About content failed to load.',
  aboutText: (name: string) => `${name} is a gateway to AI models: one address and one key for many providers.`,
  aboutModels: 'See supported models and prices',
  features: 'Features',
  featureList: {
    one: 'One API for all: OpenAI, Anthropic and Gemini clients work unchanged',
    two: 'Tokens with limits, expiry dates, allowed models and networks',
    three: 'Every charge with a receipt that can be recalculated',
    four: 'Channels that take over for each other when one fails',
    five: 'Usage by day, model, token and user',
  },
  notice: 'Notice',
  noticePage: 'The operators have posted a notice.',
  readNotice: 'Read more',
  dismissNotice: 'Dismiss notice',
  notFound: 'Page not found',
  notFoundCountdown: (seconds: number) => `You will be taken to the home page in ${seconds} s.`,
  goHome: 'Go Home Now',
  goBack: 'Go Back',
}

export const contentTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
