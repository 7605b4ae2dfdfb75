export const en = {
  snippets: 'First request',
  copySnippet: 'Copy code',
}
