import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  exportTitle: 'Export conversation',
  format: 'Format',
  formats: { json: 'JSON', markdown: 'Markdown' },
  formatHints: {
    json: 'Everything, including every branch. It can be imported again.',
    markdown: 'The visible conversation, for reading.',
  },
  withImages: 'Images',
  withReasoning: 'Reasoning',
  fileName: 'File name',
  size: 'Size',
  digest: 'SHA-256',
  digestHint:
    'Digest of the whole content. The file name contains its first characters, so that changes can be detected.',
  copyDigest: 'Copy digest',
  save: 'Save file',
  copy: 'Copy content',
  nothing: 'There is nothing to export yet.',
  imageLeftOut: '[image left out]',
  image: 'image',
  roles: { user: 'User', assistant: 'Assistant', system: 'System', error: 'Error' },
  reasoning: 'Reasoning',
  import: 'Import conversation',
  imported: 'Conversation imported',
  importedText: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
  altered: 'The file was changed after it was exported.',
  importFailed: 'Import failed',
  tooLarge: (name: string) => `${name} is larger than 50 MB.`,
  unreadable: (name: string) => `${name} could not be read.`,
  notJson: (name: string) => `${name} is not a JSON file.`,
  noConversation: (name: string, place: string) =>
    place === ''
      ? `${name} does not contain a conversation.`
      : `${name} does not contain a valid conversation: ${place} is missing or wrong.`,
  codeTitle: 'View as code',
  codeIntro: 'The request that the playground would send now.',
  request: 'Request',
  model: 'Model',
  showKey: 'Show key',
  copyHint: 'The copy contains the full key and full images.',
}

export const exportTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./export-zh-cn.ts')).zhCN,
}
